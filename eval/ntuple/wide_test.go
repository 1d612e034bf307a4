package ntuple

import (
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"

	"pgregory.net/rapid"
)

// wideLayouts are layouts of boards that do not fit into a word.
func wideLayouts(t testing.TB) (layouts []Layout) {
	for _, c := range []struct {
		size     board.Size
		patterns string
	}{
		{board.Size{Rows: 5, Cols: 5}, "01 5678 01234"},
		{board.Size{Rows: 3, Cols: 6}, "06c 0127h"},
		{board.Size{Rows: 6, Cols: 6}, "05uz 01267"},
	} {
		l := must.Get(ParseNetwork(c.size, c.patterns))(t)
		l.Stages = []Stage{{}, {7, 6}, {11}}
		layouts = append(layouts, l)
	}
	return layouts
}

// filled is a network of a layout with weights everywhere.
func filled(t testing.TB, l Layout) *Network {
	n := must.Get(New(l))(t)
	t.Cleanup(n.Close)
	for s := range n.StageCount() {
		for p := range n.Patterns {
			w := n.Table(s, p)
			for i := range w {
				w[i] = float32((i*7919+p*104729+s)%1013+1) / 8 // sums of these are exact
			}
		}
	}
	return n
}

// wideReference is the definition of ValueOf: the cells of all images of the board, read by the patterns.
func wideReference(n *Network, b board.Board) float32 {
	view := b
	if n.Downgrade != 0 {
		view = bitboard.DowngradeBoard(b, viewMoves, n.Downgrade)
	}
	images := view.Symmetries()
	sum := n.Bias
	for _, image := range images {
		for p, pattern := range n.Patterns {
			var exponents []uint8
			for _, cell := range pattern {
				exponents = append(exponents, min(image.Cell(int(cell)), bitboard.MaxExponent))
			}
			stage := 0
			for s, condition := range n.Stages {
				if condition.holdsOn(&view) {
					stage = s
				}
			}
			sum += n.Table(stage, p)[pattern.Index(exponents)] * float32(8/len(images))
		}
	}
	return sum
}

// randomBoard draws a board of a size with exponents up to maximum.
func randomBoard(size board.Size, seed uint64, maximum int) board.Board {
	r := rand.New(rand.NewPCG(seed, uint64(maximum)))
	b := board.New(size)
	for i := range size.Cells() {
		b.Set(i, uint8(r.IntN(maximum+1)))
	}
	return b
}

func checkWide(t fataler, n, int16s *Network, b board.Board) {
	for _, minimum := range []uint8{0, 8, 14} {
		n, short := n.WithDowngrade(minimum), int16s.WithDowngrade(minimum)
		want := wideReference(n, b)
		batch := n.NewWideBatch()
		batch.N, batch.Boards[0], batch.Boards[1] = 2, b.Flipped(), b
		n.PrefetchWide(batch)
		n.Sums(&batch.Batch)
		if v := n.ValueOf(&b); v != want || batch.Values[1] != want || batch.Values[0] != want {
			t.Fatalf("%v, downgraded from %d: %v, in a batch %v, want %v", b, minimum, v, batch.Values[:2], want)
		}
		if v := short.ValueOf(&b); v < want-3 || v > want+3 {
			t.Fatalf("%v, downgraded from %d: %v in 16 bits, want %v", b, minimum, v, want)
		}
	}
}

// Values of wide boards follow the definition, also for tiles above 32768.
func TestWide(t *testing.T) {
	for _, l := range wideLayouts(t) {
		n := filled(t, l)
		short := must.Get(n.Int16())(t)
		defer short.Close()
		rapid.Check(t, func(t *rapid.T) {
			seed := rapid.Uint64().Draw(t, "seed")
			for _, maximum := range []int{3, 12, 17, 30} {
				checkWide(t, n, short, randomBoard(n.Size, seed, maximum))
			}
		})
	}
}

func FuzzWide(f *testing.F) {
	l := wideLayouts(f)[0]
	n := filled(f, l)
	short := must.Get(n.Int16())(f)
	f.Add([]byte{17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1})
	f.Add([]byte{20, 0, 19, 0, 1})
	f.Fuzz(func(t *testing.T, cells []byte) {
		b := board.New(l.Size)
		for i, e := range cells[:min(len(cells), l.Size.Cells())] {
			b.Set(i, e%(board.MaxExponent+1))
		}
		checkWide(t, n, short, b)
	})
}

// On 4x4, downgrading a board is downgrading its word.
func TestDowngradeEqualsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := bitboard.Board(rapid.Uint64().Draw(t, "word"))
		if rapid.Bool().Draw(t, "sparse") { // with gaps between the tiles
			w &= bitboard.Board(0x0f00_0f0f_00f0_000f)
		}
		minimum := rapid.Uint8Range(8, 15).Draw(t, "minimum")
		want := w.Downgrade(viewMoves, minimum)
		if got := bitboard.DowngradeBoard(w.Board(), viewMoves, minimum); got != want.Board() {
			t.Fatalf("%v from %d: %v, want %v", w.Board(), minimum, got, want.Board())
		}
	})
}
