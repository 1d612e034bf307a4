package store

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// Discarded games are gone from rows and counts, and can be kept again.
func TestDiscard(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "x.db"))
	e := testExperiment("a", "greedy", "random")
	if err := s.Create(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	const total = 5000
	var all []arena.Recorded
	for i := range uint64(total) {
		all = append(all, made(e.Setup.Seed, i, false))
		all[i].Trace = nil
	}
	p := &e.Players[0]
	if _, err := s.Keep(t.Context(), e, p, all); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Keep(t.Context(), e, &e.Players[1], all[:100]); err != nil {
		t.Fatal(err)
	}
	read := func() (numbers []uint64) {
		t.Helper()
		games, err := s.Games(t.Context(), e, p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range games {
			numbers = append(numbers, games[i].Index)
		}
		return numbers
	}
	if n := len(read()); n != total {
		t.Fatalf("%d games", n)
	}
	ranges := []arena.Range{{First: 10, Games: 3}, {First: 4091, Games: 20}, {First: total, Games: 100}}
	if removed, err := s.Discard(t.Context(), e, p, ranges); err != nil || removed != 23 {
		t.Fatalf("removed %d, %v", removed, err)
	}
	for range 2 {
		got := read()
		if len(got) != total-23 || slices.ContainsFunc(got, func(i uint64) bool { return arena.InRanges(ranges, i) }) {
			t.Errorf("%d games are left, want %d without those", len(got), total-23)
		}
	}
	if removed, err := s.Discard(t.Context(), e, p, ranges); err != nil || removed != 0 {
		t.Errorf("removed %d again, %v", removed, err)
	}
	if fresh, err := s.Keep(t.Context(), e, p, all); err != nil || fresh != 23 || len(read()) != total {
		t.Errorf("%d are new, %v", fresh, err)
	}
	if games, err := s.Games(t.Context(), e, &e.Players[1]); err != nil || len(games) != 100 {
		t.Errorf("the other player has %d games, %v", len(games), err)
	}
}
