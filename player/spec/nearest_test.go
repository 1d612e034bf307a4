package spec_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
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
		must.Equal(t, spec.Nearest(word, names), want, "nearest to", word)
	}
	must.Equal(t, spec.Nearest("snake", nil), "", "nearest of none")
	must.Equal(t, spec.Nearest("ply", []string{"p4", "plies"}), "", "nearest to ply")
	// Among equally near ones the first.
	must.Equal(t, spec.Nearest("bat", []string{"cat", "hat"}), "cat", "nearest to bat")
}
