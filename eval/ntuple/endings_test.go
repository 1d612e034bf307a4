package ntuple_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

func endingLayout(t *testing.T, fewest int) ntuple.Layout {
	t.Helper()
	l, err := ntuple.Named(bitboard.Size, "2x4")
	if err == nil {
		l, err = ntuple.EndingLayout(l, fewest)
	}
	must.Do(t, err)
	return l
}

// An ending network has a stage for each number of walls, reads boards by their views and declares chances.
func TestEndingNetwork(t *testing.T) {
	l := endingLayout(t, 3)
	n := must.Get(ntuple.New(l))(t)
	defer n.Close()
	must.Equal(t, (ntuple.Evaluator{Network: n}).Unit(), eval.Chance, "unit")
	r := rand.NewPCG(1, 1)
	for i := range 1000 {
		b := endings.Start(3+i%4, r)
		view, walls := endings.Of(b)
		of := len(n.Stages[n.Stage(view)])
		for of > 0 && n.Stages[n.Stage(view)][of-1] != endings.Wall {
			of--
		}
		if of == 0 {
			of = endings.Complete
		}
		if n.DowngradeBoard(b) != view || of != walls {
			t.Fatalf("%v: view %016x, stage %d", b.Board(), uint64(n.DowngradeBoard(b)), n.Stage(view))
		}
	}
}

// The stage of an ending follows from the largest small tiles, relative to the goal.
func TestEndingStages(t *testing.T) {
	const six, five = bitboard.Board(0xedcba9) << 40, bitboard.Board(0xedcba) << 44
	n := must.Get(ntuple.New(endingLayout(t, 5)))(t)
	defer n.Close()
	for b, small := range map[bitboard.Board][]uint8{
		six: {}, six | 0x666: {}, six | 0x77: {7}, six | 0x81: {8}, six | 0x86: {8}, six | 0x87: {8, 7}, six | 0x6078: {8, 7, 6}, six | 0x88: {8, 7},
		five | 0x66: {}, five | 0x8: {8}, five | 0x678: {8, 7, 6},
	} {
		view, walls := endings.Of(b)
		if got := n.Stages[n.Stage(view)]; !slices.Equal(got[:walls], slices.Repeat([]uint8{endings.Wall}, walls)) || !slices.Equal(got[walls:], small) {
			t.Errorf("%016x: stage %d, want %d walls and %d", uint64(b), got, walls, small)
		}
	}
}

func TestFamilies(t *testing.T) {
	l := endingLayout(t, 4)
	if got, want := l.Families(), []ntuple.Family{{First: 0, Count: 1}, {First: 1, Count: 5}, {First: 6, Count: 5}, {First: 11, Count: 5}}; !slices.Equal(got, want) {
		t.Errorf("of an ending network: %v, want %v", got, want)
	}
	l.Walls, l.Stages = 0, []ntuple.Stage{{}, {4}, {6}}
	if got := l.Families(); !slices.Equal(got, []ntuple.Family{{First: 0, Count: 3}}) {
		t.Errorf("of three stages: %v", got)
	}
	l.Stages = nil
	if got := l.Families(); !slices.Equal(got, []ntuple.Family{{First: 0, Count: 1}}) {
		t.Errorf("of none: %v", got)
	}
}

// FoldBias and Int16 keep the values of boards whose weights are all known, and the value of a 32768; unknown weights
// add nothing.
func TestFoldBias(t *testing.T) {
	n := must.Get(ntuple.New(endingLayout(t, 6)))(t)
	defer n.Close()
	n.Bias = 1
	r := rand.NewPCG(2, 1)
	known := endings.Start(6, r)
	at := make([]ntuple.SymIndices, len(n.Patterns))
	n.Indices(at, known)
	n.Add(n.Stage(endings.View(known)), at, -0.02)
	before := n.Value(known)
	short := must.Get(n.Int16())(t)
	defer short.Close()
	n.FoldBias()
	n.FoldBias() // of a network that was quantized before: nothing is left to move
	made, unknown := bitboard.Board(endings.Tile), bitboard.Board(0x9aedcb)<<16
	for form, folded := range map[string]*ntuple.Network{"folded": n, "in 16 bits": short} {
		if after := folded.Value(known); math.Abs(float64(after-before)) > 2e-4 || before >= 1 {
			t.Errorf("%s, a known board: %v, then %v", form, before, after)
		}
		if v := folded.Value(made); math.Abs(float64(v)-1) > 2e-4 {
			t.Errorf("%s, a 32768 is worth %v, want 1", form, v)
		}
		if v := folded.Value(unknown); v >= 0.9 {
			t.Errorf("%s, an unknown board is worth %v", form, v)
		}
	}
}

func TestEndingLayoutErrors(t *testing.T) {
	l := endingLayout(t, 4)
	for what, change := range map[string]func(*ntuple.Layout){
		"stages": func(l *ntuple.Layout) { l.Stages = l.Stages[1:] },
		"walls":  func(l *ntuple.Layout) { l.Walls = 7 },
		"order":  func(l *ntuple.Layout) { l.Stages[2], l.Stages[3] = l.Stages[3], l.Stages[2] },
		"goal":   func(l *ntuple.Layout) { l.Stages[2] = append(l.Stages[1], endings.Goal(4)) },
	} {
		bad := l
		bad.Stages = slices.Clone(l.Stages)
		if change(&bad); bad.Validate() == nil || !strings.Contains(bad.Validate().Error(), "ending network") && what != "stages" {
			t.Errorf("%s: %v", what, bad.Validate())
		}
	}
	for _, fewest := range []int{0, 7} {
		_, err := ntuple.EndingLayout(l, fewest)
		must.Contains(t, fmt.Sprint(err), "1 to 6", fewest, "walls")
	}
}
