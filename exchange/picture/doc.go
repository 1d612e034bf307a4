// Package picture reads the board of a 2048 game from a screenshot.
//
//	r, err := picture.Read(file)
//	if err == nil && !r.Doubtful() {
//		fmt.Println(r.Board)
//	}
//
// Read knows no page and no palette. It looks for squares of one colour on a lattice (raster.go,
// lattice.go), takes what differs from a square's colour as ink (ink.go), cuts the ink into digits
// and compares them with those of a few fonts (number.go). A tile is a power of two, so that a
// number is decided by all its digits together. Tiles that look the same are read
// together, and what is not clear is marked as doubtful (picture.go): a wrong board without a mark is
// worse than a right one with it.
//
// It reads boards of 3x3 to 6x6 cells, with numbers written in digits, horizontal, in one line.
// A 2x2 board, photographs of a screen and tiles without a number are beyond it. ParseIn reads a board whose
// size and place are known, also of 2x2.
package picture
