package experiment_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
)

// Players and games are found by EXPERIMENT/PLAYER/NUMBER; what is not there is a RefusalError
// that says what is.
func TestLookup(t *testing.T) {
	s := open(t)
	if _, err := experiment.Lookup(t.Context(), s, "first"); err == nil || !strings.HasSuffix(err.Error(), ": there are none") {
		t.Error(err)
	}
	x := begin(t, config(experiment.Program{Version: "1"}), s, 3, "greedy", "random")
	must.Do(t, x.Play(t.Context(), experiment.PlayOptions{}))
	for text, want := range map[string]string{"first/greedy/2": "first/greedy", "first/2/0": "first/random"} {
		m, g, err := experiment.LookupGame(t.Context(), s, text)
		if err != nil || m.String() != want || g.Moves == 0 || !strings.HasSuffix(text, string(rune('0'+g.Index))) {
			t.Errorf("%s is %v, %+v, %v", text, m, g, err)
		}
	}
	for text, want := range map[string]string{
		"frist/1/0":      "did you mean first?",
		"first/3/0":      "first has no player 3: must be 1 (greedy), 2 (random)",
		"first/0":        "first has 2 players: give one of them, as in first/1: 1 (greedy), 2 (random)",
		"first/greedy/x": `game "first/greedy/x": must be EXPERIMENT/PLAYER/NUMBER such as first/greedy/0`,
		"7":              `game "7": must be EXPERIMENT/PLAYER/NUMBER`,
	} {
		_, _, err := experiment.LookupGame(t.Context(), s, text)
		var r *experiment.RefusalError
		if !errors.As(err, &r) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, _, err := experiment.LookupGame(t.Context(), s, "first/1/3"); !errors.Is(err, arena.ErrUnknown) {
		t.Errorf("a game that was not played: %v", err)
	}
}
