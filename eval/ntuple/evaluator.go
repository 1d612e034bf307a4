package ntuple

import (
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Evaluator makes a network an evaluator for searches. Any number may share one network.
//
// A board with a tile above 32768 is read as View makes it, or else as the board of
// smaller tiles that bitboard.Pack makes of it, and where there is none, with its larger
// tiles as 32768; all say less than the truth, and compare as well.
type Evaluator struct{ Network *Network }

var _ eval.Downgrader = Evaluator{}

// Unit is points, or the chance of an ending network.
func (e Evaluator) Unit() eval.Unit {
	if e.Network.Walls > 0 {
		return eval.Chance
	}
	return eval.Points
}

// Symmetric is true: every pattern is read under all symmetries.
func (Evaluator) Symmetric() bool { return true }

// Value is the expected score still to come. A board whose size is the turn of the network's is turned.
// It is 0 for other sizes.
func (e Evaluator) Value(p *eval.Position) float64 {
	switch own, size := e.Network.Size, p.Board.Size(); size {
	case own:
		return e.value(&p.Board)
	case own.Turned():
		turned := p.Board.Transposed()
		return e.value(&turned)
	}
	return 0
}

// value is Value for a board of the network's size.
func (e Evaluator) value(b *board.Board) float64 {
	w, ok := Pack(b)
	switch {
	case ok:
		return float64(e.Network.Value(w))
	case b.Size() != bitboard.Size:
		return float64(e.Network.ValueOf(b))
	}
	view := e.DowngradeBoard(*b)
	if w, ok = Pack(&view); !ok {
		if w, _, ok = bitboard.Pack(b, 1); !ok {
			return float64(e.Network.ValueOf(b))
		}
	}
	return float64(e.Network.Value(w))
}

// Downgrades reports whether the network reads some boards as others.
func (e Evaluator) Downgrades() bool { return e.Network.Downgrade != 0 || e.Network.Walls > 0 }

// DowngradeBoard is Network.DowngradeBoard, also for boards with tiles above 32768 and for turned ones.
func (e Evaluator) DowngradeBoard(b board.Board) board.Board {
	if w, ok := Pack(&b); ok && e.Network.Walls > 0 {
		return Unpack(e.Network.DowngradeBoard(w), b.Size())
	}
	minimum := e.Network.Downgrade
	if minimum == 0 || b.Largest() < minimum || e.Network.Size != b.Size() && e.Network.Size != b.Size().Turned() {
		return b
	}
	if b.Size() != bitboard.Size {
		return e.Network.DowngradeWide(b)
	}
	if w, ok := Pack(&b); ok {
		return Unpack(e.Network.DowngradeBoard(w), b.Size())
	}
	if w, _, ok := bitboard.Downgrade(&b, viewMoves, minimum); ok {
		return w.Board()
	}
	return b
}
