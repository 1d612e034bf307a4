package env

import (
	"encoding/binary"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// masks maps each set of legal moves to flags by direction.
var masks = func() (all [16][4]bool) {
	for set := range all {
		for d := range 4 {
			all[set][d] = set>>d&1 != 0
		}
	}
	return all
}()

// observe writes observations of environments to out, beginning at entry at.
func (r *rules) observe(slots []slot, at int, out *View) {
	if out.Observations != nil {
		seen := out.Observations[at*r.seen : (at+len(slots))*r.seen]
		for k := range slots {
			switch s, seen := &slots[k], seen[k*r.seen:(k+1)*r.seen]; {
			case r.Observation == Planes:
				r.planes(s, seen)
			case r.four && s.tall == 0:
				spread(s.board, seen)
			default:
				r.exponents(s, seen)
			}
		}
	}
	if out.Legal != nil {
		legal := out.Legal[at : at+len(slots)]
		for k := range slots {
			legal[k] = masks[slots[k].legal&15]
		}
	}
	if out.Scores != nil {
		scores := out.Scores[at : at+len(slots)]
		for k := range slots {
			scores[k] = slots[k].score
		}
	}
}

// planes writes a slot's board one-hot.
func (r *rules) planes(s *slot, dst []uint8) {
	clear(dst)
	var cells [maxCells]uint8
	r.exponents(s, cells[:r.cells])
	for i, e := range cells[:r.cells] {
		dst[int(e)*r.cells+i] = 1
	}
}

// exponents writes the exponents of a slot's board, one byte a cell.
func (r *rules) exponents(s *slot, dst []uint8) {
	switch {
	case !r.four:
		writeExponents(s.wide, dst)
	case s.tall != 0:
		b := s.full()
		writeExponents(&b, dst)
	default:
		spread(s.board, dst)
	}
}

// spread writes the nibbles of a board as bytes.
func spread(b bitboard.Board, dst []uint8) {
	_ = dst[15]
	binary.LittleEndian.PutUint64(dst, eight(uint32(b)))
	binary.LittleEndian.PutUint64(dst[8:], eight(uint32(b>>32)))
}

// eight expands eight nibbles to bytes.
func eight(n uint32) uint64 {
	x := uint64(n)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	return (x | x<<4) & 0x0f0f0f0f0f0f0f0f
}

// writeExponents writes the exponents of a board, one byte a cell.
func writeExponents(b *board.Board, dst []uint8) {
	cols := b.Size().Cols
	for r := range b.Size().Rows {
		row := b.Row(r)
		for c := range cols {
			dst[r*cols+c] = uint8(row >> (8 * c))
		}
	}
}

// Afterstates writes, to entry i of the slices, the results of the four slides in environment i:
// boards as exponents, 4 times one byte a cell, in the order of directions; the sums of merged
// tiles; and whether the slide is legal (if not, the board is unchanged and the sum is 0). Nil
// slices are skipped.
func (v *Vector) Afterstates(boards []uint8, merged [][4]int64, legal [][4]bool) {
	cells := v.rules.cells
	for i := range v.slots {
		s := &v.slots[i]
		var to []uint8
		if boards != nil {
			to = boards[4*cells*i : 4*cells*(i+1)]
		}
		var sums *[4]int64
		if merged != nil {
			sums = &merged[i]
		}
		if legal != nil {
			legal[i] = masks[s.legal&15]
		}
		if v.rules.four && !s.slow {
			afterstatesFour(s.board, to, sums)
			continue
		}
		b := s.full()
		var all [4]board.Afterstate
		b.Afterstates(&all)
		for d := range all {
			if to != nil {
				writeExponents(&all[d].Board, to[d*cells:])
			}
			if sums != nil {
				sums[d] = all[d].Reward
			}
		}
	}
}

func afterstatesFour(b bitboard.Board, to []uint8, sums *[4]int64) {
	var all [4]bitboard.Afterstate
	b.Afterstates(&all)
	for d := range all {
		if to != nil {
			spread(all[d].Board, to[16*d:])
		}
		if sums != nil {
			sums[d] = int64(all[d].Reward)
		}
	}
}
