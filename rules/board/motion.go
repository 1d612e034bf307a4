package board

// Motion is the path of one tile in a slide.
type Motion struct {
	From   int  `json:"from"`   // cell before the slide, row-major
	To     int  `json:"to"`     // cell after the slide; equal to From if the tile stays
	Merged bool `json:"merged"` // the tile merges with another one at To
}

// Motions returns the motion of each tile in a slide, line by line and from the wall outwards, for
// animations. It is also the reference of Slide: applying the motions gives the same afterstate.
func (b *Board) Motions(d Direction) []Motion {
	motions := make([]Motion, 0, b.size.Cells()-b.Empty())
	count, length := b.size.Rows, b.size.Cols
	if d == Up || d == Down {
		count, length = length, count
	}
	for line := range count {
		settled := 0  // cells of the line already taken
		open := false // the last settled tile may still merge
		var last uint8
		for k := range length {
			from := b.lineCell(d, line, k)
			tile := b.Cell(from)
			switch {
			case tile == 0:
			case open && tile == last:
				motions[len(motions)-1].Merged = true
				motions = append(motions, Motion{from, b.lineCell(d, line, settled-1), true})
				open = false
			default:
				motions = append(motions, Motion{From: from, To: b.lineCell(d, line, settled)})
				settled++
				last, open = tile, true
			}
		}
	}
	return motions
}

// lineCell returns the k-th cell, counted from the wall, of a line that slides in direction d.
func (b *Board) lineCell(d Direction, line, k int) int {
	rows, cols := b.size.Rows, b.size.Cols
	switch d {
	case Up:
		return k*cols + line
	case Down:
		return (rows-1-k)*cols + line
	case Left:
		return line*cols + k
	default:
		return line*cols + cols - 1 - k
	}
}
