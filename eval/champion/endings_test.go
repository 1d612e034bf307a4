package champion

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// The embedded ending network is small, has its training history, and wins endings at one ply.
func TestEndings(t *testing.T) {
	if !Endings().Embedded() {
		if Main().Embedded() {
			t.Error("there is a network and no ending network")
		}
		return // the build for the race detector
	}
	file, err := Endings().File()
	if err != nil || len(file) > 3_000_000 {
		t.Fatalf("%d bytes, %v", len(file), err)
	}
	if h, err := Endings().Info(); err != nil || len(h.History) == 0 || h.Measured == nil {
		t.Errorf("it does not say how it was made: %+v, %v", h, err)
	}
	soak.Full(t, "decodes the network and plays 200 games; TestEndings of player/catalog plays it")
	n := must.Get(quant.DequantizeSparse(file))(t)
	defer n.Close()
	if n.Walls == 0 || n.Walls > 4 || n.Bias != 0 {
		t.Errorf("%d walls, bias %v", n.Walls, n.Bias)
	}
	if v := n.Value(bitboard.Board(endings.Tile)); math.Abs(float64(v)-1) > 0.01 {
		t.Errorf("a 32768 is worth %v, must be 1: a search would avoid it", v)
	}
	games := must.Get(learn.Play(t.Context(), learn.PlayOptions{Network: n, Seed: 1, Games: 200}))(t)
	won := 0
	for _, g := range games {
		if g.Final.Largest() >= endings.Tile {
			won++
		}
	}
	if won < 70 {
		t.Errorf("%d of %d games made a 32768", won, len(games))
	}
}
