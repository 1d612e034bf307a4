package ntuple

import (
	"afterstate/bitboard"
	"afterstate/eval"
)

// Evaluator judges boards by a network, in points. Any number may share one.
//
// A board with a tile above 32768 is read as the board of smaller tiles that
// bitboard.Pack makes of it, and where there is none, with its larger tiles as 32768;
// both say less than the truth, and compare as well.
type Evaluator struct{ Network *Network }

var _ eval.Evaluator = Evaluator{}

// Unit is points.
func (Evaluator) Unit() eval.Unit { return eval.Points }

// Symmetric: every pattern is looked at under all symmetries.
func (Evaluator) Symmetric() bool { return true }

// Value is what the network expects still to come. A board of another size than the
// network's is worth nothing.
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
