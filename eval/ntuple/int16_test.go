package ntuple

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// A 16-bit network has the values of its original up to rounding, and all ways to compute
// its values agree bit for bit.
func TestShort(t *testing.T) {
	names := []string{"2x4", "5x4", "4x6", "8x6"}
	if !soak.Wanted() {
		names = names[:3] // TestTwins has the same ways for 8x6
	}
	for _, name := range names {
		for _, stages := range [][]Stage{nil, {{}, {5}, {7, 6}}} {
			if stages != nil && name != "5x4" {
				continue
			}
			n := knowing(t, name, stages...)
			n.Bias = 12.5
			fast := must.Get(n.Int16())(t)
			slow, plain := *fast, *fast.reader
			plain.fast = false
			slow.reader = &plain
			at := make([]SymIndices, len(n.Patterns))
			worst := float64(n.Features()) * float64(fast.int16.scale)
			different := 0
			games(soak.Pick(uint64(2), 6), func(b bitboard.Board) {
				v := fast.Value(b)
				if w := n.Value(b); math.Abs(float64(v-w)) > worst/2+0.01 {
					t.Fatalf("%s, %016x: %v, want %v", name, uint64(b), v, w)
				} else if v != w {
					different++
				}
				n.Indices(at, b)
				if s := slow.Value(b); s != v || fast.Sum(fast.Stage(b), at) != v {
					t.Fatalf("%s, %016x: %v, plainly %v", name, uint64(b), v, s)
				}
				for _, n := range []*Network{fast, &slow} {
					batch := n.NewBatch()
					batch.N, batch.Boards = 3, [4]bitboard.Board{b, b.Transpose(), b ^ 1}
					n.Evaluate(batch)
					for i := range batch.N {
						if v := fast.Value(batch.Boards[i]); batch.Values[i] != v {
							t.Fatalf("%s, %016x: %v in a batch, %v alone", name, uint64(batch.Boards[i]), batch.Values[i], v)
						}
					}
				}
			})
			if different == 0 {
				t.Errorf("%s: no value is rounded", name)
			}
			fast.Close()
			n.Close()
		}
	}
}

// A network whose weights are all zero has a 16-bit form too.
func TestShortOfNothing(t *testing.T) {
	n := network(t, bitboard.Size, "2x4")
	n.Bias = 7
	s := must.Get(n.Int16())(t)
	defer s.Close()
	must.Equal(t, s.Value(0x1234), 7, "value")
}
