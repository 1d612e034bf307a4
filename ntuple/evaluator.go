package ntuple

import (
	"afterstate/bitboard"
	"afterstate/eval"
)

// Evaluator makes a network an evaluator for searches, in points. Any number may share one network.
//
// A board with a tile above 32768 is read as the board of smaller tiles that bitboard.Pack makes of
// it or, if there is none, with its larger tiles as 32768. Both underestimate.
type Evaluator struct{ Network *Network }

var _ eval.Evaluator = Evaluator{}

// Unit is points.
func (Evaluator) Unit() eval.Unit { return eval.Points }

// Symmetric is true: every pattern is read under all symmetries.
func (Evaluator) Symmetric() bool { return true }

// Value is the expected score still to come. It is 0 for a board of another size than the
// network's.
func (e Evaluator) Value(p *eval.Position) float64 {
	if p.Board.Size() != e.Network.Size {
		return 0
	}
	w, ok := Pack(&p.Board)
	if !ok {
		if w, _, ok = bitboard.Pack(&p.Board, 1); !ok {
			small := p.Board
			for i := range small.Size().Cells() {
				small.Set(i, min(small.Cell(i), bitboard.MaxExponent))
			}
			w, _ = Pack(&small)
		}
	}
	return float64(e.Network.Value(w))
}
