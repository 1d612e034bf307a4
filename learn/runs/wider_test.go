package runs

import (
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// sourceOf returns the network of a run that has ended as the source of another.
func sourceOf(t *testing.T, r *Run) *Source {
	t.Helper()
	if finished, err := r.Train(t.Context(), nil); !finished || err != nil {
		t.Fatal(finished, err)
	}
	return &Source{Network: r.Trainer().Network(), History: r.Trainer().History()}
}

// A network with more patterns than its source values every board as the source does when it
// begins, in every order of the patterns and in every stage. Its training changes the new weights.
func TestWiderNetwork(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	o := small(t)
	o.Layout.Stages = []ntuple.Stage{{}, {6}}
	source := sourceOf(t, begin(t, f, "narrow", o))
	for name, patterns := range map[string]string{"appended": "0123 4567 0145", "mixed": "1256 4567 0145 0123"} {
		layout := must.Get(ntuple.ParseLayout(bitboard.Size, patterns))(t)
		layout.Stages = []ntuple.Stage{{}, {5}, {6}}
		wide := o
		wide.Layout, wide.From = layout, "narrow"
		r := must.Get(f.Begin(name, wide, source))(t)
		t.Cleanup(r.Close)
		n := r.Trainer().Network()
		places, _ := n.Locate(source.Patterns)
		for stage, s := range source.Stages {
			at := n.StageIndex(s)
			for k, p := range places {
				if got, want := n.Table(at, p), source.Table(stage, k); !slices.Equal(got, want) {
					t.Errorf("%s: stage %d, pattern %v differs from the source's", name, stage, source.Patterns[k])
				}
			}
		}
		added, missing := n.Locate(mustPatterns(t, "0145"))
		if missing != nil || !allZero(n.Table(0, added[0])) {
			t.Errorf("%s: the added pattern 0145 does not begin at zero", name)
		}
		if finished, err := r.Train(t.Context(), nil); !finished || err != nil {
			t.Fatal(finished, err)
		}
		if allZero(n.Table(0, added[0])) {
			t.Errorf("%s: training leaves the added pattern 0145 at zero", name)
		}
	}
}

// A network that lacks a pattern of its source is refused. If the source has a pattern twice, so must the network.
func TestNarrowerNetwork(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	o := small(t)
	o.Layout.Patterns = mustPatterns(t, "0123 4567 0123")
	source := sourceOf(t, begin(t, f, "source", o))
	for patterns, want := range map[string]string{
		"0123 0145 0123": "the network lacks the pattern 4567 of source: must have all its patterns, 0123 4567 0123, and may have others",
		"0123 4567 0145": "the network lacks the pattern 0123 of source: must have all its patterns, 0123 4567 0123, and may have others",
		"7654 0123 0123": "the network lacks the pattern 4567 of source: must have all its patterns, 0123 4567 0123, and may have others",
	} {
		o := small(t)
		o.Layout.Patterns, o.From = mustPatterns(t, patterns), "source"
		_, err := f.Begin("other", o, source)
		wantInput(t, err, want)
	}
	o.From = "source"
	o.Layout.Size.Rows, o.Layout.Size.Cols = 3, 4
	_, err := f.Begin("other", o, source)
	wantInput(t, err, "source is a network for 4x4 boards, but the size is 3x4")
}

func mustPatterns(t *testing.T, text string) []ntuple.Pattern {
	t.Helper()
	l := must.Get(ntuple.ParseLayout(bitboard.Size, text))(t)
	return l.Patterns
}

func allZero(a []float32) bool {
	return !slices.ContainsFunc(a, func(x float32) bool { return x != 0 })
}
