package store

import (
	"context"
	"errors"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"path/filepath"
	"strings"
	"testing"
)

// Nothing of a removed experiment comes back under the name of another one: its players'
// IDs are not used again, and its games cannot be kept any more.
func TestRemovedWhilePlayed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s, other := opened(t, path), opened(t, path)
	d := testExperiment("d", "greedy")
	must.Do(t, s.Create(t.Context(), d))
	must.Get(s.Keep(t.Context(), d, &d.Players[0], hundred(d, 0)))(t)
	there, stop := s.UntilRemoved(t.Context(), d)
	defer stop()
	same := must.Get(other.Experiment(t.Context(), "d"))(t)
	must.Do(t, other.Remove(t.Context(), same))
	want := "experiment d was removed"
	gone := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, arena.ErrRemoved) || err.Error() != want {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
	}
	check := func() {
		t.Helper()
		_, err := s.Keep(t.Context(), d, &d.Players[0], hundred(d, 100))
		gone("keep", err)
		_, err = s.Games(t.Context(), d, &d.Players[0])
		gone("games", err)
		_, err = s.Count(t.Context(), d)
		gone("count", err)
		_, err = s.Recorded(t.Context(), d, &d.Players[0], 0)
		gone("recorded", err)
		for _, err := range s.AllRecorded(t.Context(), d, &d.Players[0]) {
			gone("all recorded", err)
		}
		gone("extend", s.Extend(t.Context(), d, 1000, testExperiment("", "random").Players))
		gone("played", s.RecordVersion(t.Context(), d, &d.Players[0], "a new one", ""))
	}
	check()
	<-there.Done()
	gone("the watch", context.Cause(there))
	e := testExperiment("d", "random")
	must.Do(t, other.Create(t.Context(), e))
	if e.ID == d.ID || e.Players[0].ID == d.Players[0].ID {
		t.Errorf("IDs are used again: experiment %d, player %d", e.ID, e.Players[0].ID)
	}
	d.Players[0].Versions = d.Players[0].Versions[:1]
	check()
	if games, err := s.Games(t.Context(), e, &e.Players[0]); err != nil || len(games) != 0 {
		t.Errorf("the new experiment has %d games, %v", len(games), err)
	}
	if err := other.Remove(t.Context(), same); err != nil { // twice
		t.Error(err)
	}
	if _, err := s.Experiment(t.Context(), "d"); err != nil {
		t.Errorf("the new experiment: %v", err)
	}
}

// The database itself refuses rows that belong to nobody.
func TestForeignKeys(t *testing.T) {
	s, e := begun(t, filepath.Join(t.TempDir(), "x.db"), "greedy")
	must.Get(s.Keep(t.Context(), e, &e.Players[0], hundred(e, 0)))(t)
	for _, statement := range []string{
		"INSERT INTO games (id, score, tile, moves, elapsed_us) VALUES (77 << 32, 0, 1, 1, 1)",
		"INSERT INTO traces VALUES (77 << 32, x'00')",
		"INSERT INTO forfeits VALUES (77 << 32, 'a', 'b')",
		"INSERT INTO players (experiment, number, spec, identity, versions, foresees, time_limited, kept, signatures) VALUES (77, 1, '', '', '', 0, 0, 0, '')",
		"DELETE FROM players",
		"DELETE FROM experiments",
	} {
		if _, err := s.db.Exec(statement); err == nil || !strings.Contains(err.Error(), "FOREIGN KEY") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	must.Do(t, s.Remove(t.Context(), e))
	for _, table := range []string{"experiments", "players", "games", "traces", "forfeits"} {
		var left int
		if err := s.db.QueryRow("SELECT count(*) FROM " + table).Scan(&left); err != nil || left > 0 {
			t.Errorf("%s has %d rows, %v", table, left, err)
		}
	}
}
