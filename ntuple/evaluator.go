package ntuple

import (
	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/eval"
)

// Evaluator makes a network an evaluator for searches, in points. Any number may share one network.
//
// A board with a tile above 32768 is read as View makes it, or else as the board of
// smaller tiles that bitboard.Pack makes of it, and where there is none, with its larger
// tiles as 32768; all say less than the truth, and compare as well.
type Evaluator struct{ Network *Network }

var _ eval.Downgrader = Evaluator{}

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
		view := e.DowngradeBoard(p.Board)
		w, ok = Pack(&view)
	}
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

// Downgrades reports whether the network has a Downgrade.
func (e Evaluator) Downgrades() bool { return e.Network.Downgrade != 0 }

// DowngradeBoard is Network.DowngradeBoard, also for boards with tiles above 32768.
func (e Evaluator) DowngradeBoard(b board.Board) board.Board {
	least := e.Network.Downgrade
	if least == 0 || b.Largest() < least || b.Size() != e.Network.Size {
		return b
	}
	if w, ok := Pack(&b); ok {
		return Unpack(e.Network.DowngradeBoard(w), b.Size())
	}
	if w, _, ok := bitboard.Downgrade(&b, viewMoves, least); ok {
		return w.Board()
	}
	return b
}
