package ntuple

import (
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Evaluator adapts a network to the interface of searches. Any number of evaluators may share one network.
//
// A word holds tiles up to 32768. A board with a larger tile is replaced with a board of smaller tiles by
// DowngradeBoard, or else by bitboard.Pack. If neither result fits into a word, larger tiles are read as 32768.
// Values are then too low, but their order is still useful for choosing moves.
type Evaluator struct{ Network *Network }

var _ eval.Downgrader = Evaluator{}

// Unit returns eval.Points, or eval.Chance for an ending network.
func (e Evaluator) Unit() eval.Unit {
	if e.Network.Walls > 0 {
		return eval.Chance
	}
	return eval.Points
}

// Symmetric returns true unless the patterns are fixed: other patterns are read under all symmetries.
func (e Evaluator) Symmetric() bool { return !e.Network.Fixed }

// Value returns the network's value. A 3x4 board is transposed for a 4x3 network, and so on. For boards of other sizes
// the value is 0.
func (e Evaluator) Value(p *eval.Position) float64 {
	switch trained, size := e.Network.Size, p.Board.Size(); size {
	case trained:
		return e.value(&p.Board)
	case trained.Turned():
		turned := p.Board.Transposed()
		return e.value(&turned)
	}
	return 0
}

// value implements Value for a board of the network's size.
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

// Downgrades reports whether the network downgrades some boards.
func (e Evaluator) Downgrades() bool { return e.Network.Downgrade != 0 || e.Network.Walls > 0 }

// DowngradeBoard does what Network.DowngradeBoard does, and also accepts boards with tiles above 32768 and
// transposed boards.
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
