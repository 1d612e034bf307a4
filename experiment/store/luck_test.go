package store

import (
	"errors"
	"maps"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
)

// The luck of games is kept beside them, one for each hash of values. It goes with its game.
func TestLuck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s, e := begun(t, path, "greedy", "random")
	p := &e.Players[0]
	must.Get(s.Keep(t.Context(), e, p, hundred(e, 0)))(t)
	keep := func(hash string, luck map[uint64]float64) {
		t.Helper()
		must.Do(t, s.KeepLuck(t.Context(), e, p, hash, luck))
	}
	check := func(s *Store, p *arena.Player, hash string, want map[uint64]float64) {
		t.Helper()
		if got, err := s.Luck(t.Context(), e, p, hash); err != nil || !maps.Equal(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	keep("one", map[uint64]float64{0: -12.5, 7: 1e6 + 0.125, 5000: 1}) // there is no game 5000
	keep("other", map[uint64]float64{7: 3})
	keep("other", map[uint64]float64{7: 4, 8: 0})
	check(s, p, "one", map[uint64]float64{0: -12.5, 7: 1e6 + 0.125})
	check(s, p, "other", map[uint64]float64{7: 4, 8: 0})
	check(s, p, "none", map[uint64]float64{})
	check(s, &e.Players[1], "one", map[uint64]float64{})
	none := testExperiment("b", "greedy")
	must.Do(t, s.Create(t.Context(), none))
	for e, want := range map[*arena.Plan]string{e: "one", none: ""} {
		if got, err := s.LuckValues(t.Context(), e); err != nil || got != want {
			t.Errorf("most luck is in values %q, %v, want %q", got, err, want)
		}
	}

	r := must.Get(openReadOnly(path, errors.New("the disk is read-only")))(t)
	defer r.Close()
	if err := r.KeepLuck(t.Context(), e, p, "one", map[uint64]float64{1: 1}); err != nil {
		t.Errorf("a store that may only be read: %v", err)
	}
	check(r, p, "one", map[uint64]float64{0: -12.5, 7: 1e6 + 0.125})
	check(r, p, "other", map[uint64]float64{7: 4, 8: 0})
}
