package spec_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/player/spec"
)

func TestNearest(t *testing.T) {
	names := []string{"snake", "deepening", "alphabeta", "weighted-snake", "auto", "foresight", "minimax", "expectimax", "greedy", "random"}
	for word, want := range map[string]string{
		"snake":         "snake",
		"snak":          "snake", // a letter missing
		"snaake":        "snake", // one too many
		"smake":         "snake", // another one
		"sanke":         "snake", // two swapped
		"SNAKE":         "snake",
		"Alpha-Beta":    "alphabeta",
		"weightedsnake": "weighted-snake",
		"expectmax":     "expectimax",
		"minmax":        "minimax",
		"rnd":           "",
		"":              "",
		"xyzzy":         "",
		"a":             "",
		"ntuple":        "",
		"2048":          "",
	} {
		if got := spec.Nearest(word, names); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
	if got := spec.Nearest("snake", nil); got != "" {
		t.Errorf("nearest of none is %q", got)
	}
	if got := spec.Nearest("ply", []string{"p4", "plies"}); got != "" {
		t.Errorf("nearest to ply is %q: most of the word has changed", got)
	}
	// Among equally near ones the first.
	if got := spec.Nearest("bat", []string{"cat", "hat"}); got != "cat" {
		t.Errorf("nearest to bat is %q", got)
	}
}
