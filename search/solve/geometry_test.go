package solve

import (
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Slides, symmetric images, keys and sums of packed boards are those of package board.
func TestGeometry(t *testing.T) {
	for _, e := range extents {
		g := geometryOf(&Problem{Size: e.Size})
		draw := rand.New(rand.NewPCG(3, 4))
		for range 5000 {
			b := board.New(e.Size)
			for i := range e.Size.Cells() {
				b.Set(i, uint8(max(0, draw.IntN(maxExponent(g.cells)+3)-2)))
			}
			w := g.pack(&b)
			if got := unpack(w, e.Size); got != b {
				t.Fatalf("%v packed is %v", b, got)
			}
			if turned := b.Transposed(); g.canonical(g.pack(&turned)) != g.canonical(w) {
				t.Fatalf("%v turned is another word", b)
			}
			key := g.key(g.canonical(w))
			if int64(g.sum(w)) != b.Sum() || g.sum(w) <= largestSum(g.cells) && g.board(key, g.sum(w)) != g.canonical(w) {
				t.Fatalf("%v: sum %d, key %x", b, g.sum(w), key)
			}
			minimum := w
			for _, image := range b.Symmetries() {
				minimum = min(minimum, g.pack(&image))
			}
			if got := g.canonical(w); got != minimum {
				t.Fatalf("%v: canonical %x, want %x", b, got, minimum)
			}
			checkSlides(t, g, b, w)
		}
	}
}

// largestSum returns the sum of a full board of different tiles, of which the smallest is a 4.
func largestSum(cells int) int { return 4<<cells - 4 }

func checkSlides(t *testing.T, g *geometry, b board.Board, w word) {
	t.Helper()
	var l lines
	l.set(g, w)
	for d, got := range map[board.Direction]word{board.Up: l.up, board.Down: l.down, board.Left: l.back, board.Right: l.forth} {
		if after, _, _ := b.Slide(d); g.pack(&after) != got {
			t.Fatalf("%v, %v: %x, want %v", b, d, got, after)
		}
	}
	_, up, _ := b.Slide(board.Up)
	_, left, _ := b.Slide(board.Left)
	_, down, _ := b.Slide(board.Down)
	_, right, _ := b.Slide(board.Right)
	if [4]int64{up, down, left, right} != [4]int64{4 * int64(l.rUp), 4 * int64(l.rDown), 4 * int64(l.rBack), 4 * int64(l.rForth)} {
		t.Fatalf("%v: other rewards", b)
	}
}
