package ntuple

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// The weights at IndicesOf add up to ValueOf, on words and wide boards, with tiles above 32768 and downgraded ones.
func TestIndicesOf(t *testing.T) {
	l := must.Get(ParseLayout(bitboard.Size, "0123 1256"))(t)
	l.Stages = []Stage{{}, {7, 6}}
	r := rand.New(rand.NewPCG(1, 2))
	for _, l := range append(wideLayouts(t), l) {
		n := filled(t, l)
		for _, n.Downgrade = range []uint8{0, 9} {
			for range 200 {
				b := board.New(l.Size)
				for i := range l.Size.Cells() {
					if r.IntN(2) == 0 {
						b.Set(i, uint8(r.IntN(18)))
					}
				}
				at := make([]SymIndices, len(n.Patterns))
				if stage := n.IndicesOf(at, &b); n.Sum(stage, at) != n.ValueOf(&b) {
					t.Fatalf("%v: weights of stage %d add up to %v, want %v", b, stage, n.Sum(stage, at), n.ValueOf(&b))
				}
			}
		}
	}
}

// The collector releases tables when neither the network nor a view of it is in use.
func TestCloseUnused(t *testing.T) {
	l := must.Get(ParseLayout(bitboard.Size, "0123"))(t)
	n := must.Get(New(l))(t)
	released := make(chan bool, 1)
	n.free = append(n.free, func() { released <- true })
	n.CloseUnused()
	n.CloseUnused() // only the first call has an effect
	view := n.WithDowngrade(14)
	n = nil
	for range 3 {
		runtime.GC()
	}
	select {
	case <-released:
		t.Fatal("released while a view is in use")
	default:
	}
	must.Equal(t, view.Value(0), 0, "value by the view")
	runtime.KeepAlive(view)
	view = nil
	runtime.GC()
	<-released
}
