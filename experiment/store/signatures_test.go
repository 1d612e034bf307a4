package store

import (
	"github.com/afterstate2048/afterstate/experiment/arena"
	"path/filepath"
	"slices"
	"testing"
)

// Signatures are kept with versions, each pair once.
func TestPlayedNotesSignatures(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "x.db"))
	e := testExperiment("a", "greedy")
	if err := s.Create(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	for _, note := range [][2]string{{"1.0", ""}, {"1.1", "aa"}, {"1.1", ""}, {"1.1", "aa"}, {"1.1", "bb"}} {
		if err := s.RecordVersion(t.Context(), e, &e.Players[0], note[0], note[1]); err != nil {
			t.Fatal(err)
		}
	}
	again, err := s.Experiment(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []arena.Player{e.Players[0], again.Players[0]} {
		if !slices.Equal(p.Versions, []string{"1.0", "1.1", "1.1"}) || !slices.Equal(p.Signatures, []string{"", "aa", "bb"}) {
			t.Errorf("versions %q, signatures %q", p.Versions, p.Signatures)
		}
	}
}
