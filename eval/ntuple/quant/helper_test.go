package quant

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// info is metadata with every field; a quantized file leaves out the trainer's state.
var info = ntuple.Info{
	History:  []ntuple.Training{{Games: 5, Moves: 700, Options: "rate=0.1"}},
	Measured: &ntuple.Measured{Player: "ntuple", Games: 3, Mean: 2000, CI95: [2]float64{1000, 3000}},
	State:    json.RawMessage(`{"here":1}`),
}

// prologue is the number of bytes before a header.
const prologue = 16

// layout is a named one for 4x4 boards.
func layout(t testing.TB, name string, stages ...ntuple.Stage) ntuple.Layout {
	t.Helper()
	l := must.Get(ntuple.Named(bitboard.Size, name))(t)
	l.Stages = stages
	return l
}

// learned returns a network like a trained one: later stages differ little from the first,
// and few weights are important.
func learned(t testing.TB, l ntuple.Layout) *ntuple.Network {
	t.Helper()
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	r := rand.New(rand.NewPCG(4, 5))
	for p := range n.Patterns {
		for i := range n.Table(0, p) {
			if i%7 < 3 {
				n.Table(0, p)[i] = float32(r.NormFloat64() * 100)
			}
		}
		for s := 1; s < n.StageCount(); s++ {
			for i := range n.Table(s, p) {
				switch {
				case i%7 == s && i%5 < 3:
					n.Table(s, p)[i] = weight(n, s-1, p, i) + float32(r.NormFloat64()*10)
				case i%7 > 5:
					n.Table(s, p)[i] = float32(r.NormFloat64() * 100)
				}
			}
		}
	}
	return n
}

// weight returns the value of a weight in a stage, inherited if the stage has not learned it.
func weight(n *ntuple.Network, stage, pattern, i int) float32 {
	for s := stage; s >= 0; s-- {
		if w := n.Table(s, pattern)[i]; w != 0 {
			return w
		}
	}
	return 0
}

func same(a, b *ntuple.Network) bool {
	return a.Equal(&b.Layout) && a.Bias == b.Bias && a.Checksum() == b.Checksum()
}

// decoded is a network that was decoded, with its metadata.
type decoded struct {
	*ntuple.Network
	Info ntuple.Info
	Bits int
	Loss Loss
}

func dequantized(t testing.TB, file []byte) decoded {
	t.Helper()
	h := must.Get(ReadSummary(bytes.NewReader(file)))(t)
	n := must.Get(Dequantize(file))(t)
	t.Cleanup(n.Close)
	return decoded{n, h.Info, h.Bits, h.Loss}
}

// requantized quantizes a network and reads it back.
func requantized(t testing.TB, n *ntuple.Network, o Options) (file []byte, m decoded) {
	t.Helper()
	file, loss, err := Quantize(n, info, o)
	must.Do(t, err)
	m = dequantized(t, file)
	must.Equal(t, loss, m.Loss, "told")
	return file, m
}
