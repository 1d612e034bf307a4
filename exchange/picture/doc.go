// Package picture reads the board of a 2048 game from a screenshot.
//
//	r, err := picture.Parse(ctx, data)
//	if err == nil && len(r.Doubts()) == 0 {
//		fmt.Println(r.Board)
//	}
//
// Parse does not depend on a page or a palette. It looks for squares of one colour on a lattice (raster.go,
// lattice.go), takes pixels that differ from a square's colour as ink (ink.go), cuts the ink into digits
// and compares them with the digits of a few fonts (number.go). A tile is a power of two, so all digits
// of a number are decided together. Tiles that look the same are read together, and uncertain cells are marked
// as doubtful (picture.go), because a wrong board without marks does more harm than a correct board with marks.
//
// It reads boards of 3x3 to 6x6 cells, with numbers written in digits, horizontally, in one line.
// It cannot read 2x2 boards, photographs of a screen and tiles without a number. [ParseIn] reads a board
// whose size and place in the picture are known, including 2x2 boards.
package picture
