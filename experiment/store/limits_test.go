package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// A full disk is an error. Games stored before remain readable, and writing works again once there is space.
func TestFull(t *testing.T) {
	s, e := begun(t, filepath.Join(t.TempDir(), "x.db"), "greedy")
	must.Get(s.writer.ExecContext(t.Context(), "PRAGMA max_page_count = 20"))(t)
	kept := uint64(0)
	var err error
	for ; err == nil && kept < 100_000; kept += 100 {
		_, err = s.Keep(t.Context(), e, &e.Players[0], hundred(e, kept))
	}
	kept -= 100
	want := s.path + " cannot grow: the disk is full. Finished games are stored; free space and resume"
	if !errors.Is(err, ErrFull) || err.Error() != want {
		t.Fatalf("after %d games: %v, want %s", kept, err, want)
	}
	for range 2 {
		games, err := s.Games(t.Context(), e, &e.Players[0])
		if err != nil || uint64(len(games)) != kept {
			t.Errorf("%d games are kept, want %d; %v", len(games), kept, err)
		}
		must.Get(s.writer.ExecContext(t.Context(), "PRAGMA max_page_count = 2000"))(t)
		must.Get(s.Keep(t.Context(), e, &e.Players[0], hundred(e, kept)))(t)
		kept += 100
	}
}

func hundred(e *arena.Plan, from uint64) (games []arena.Recorded) {
	for i := range uint64(100) {
		games = append(games, made(e.Setup.Seed, from+i, false))
	}
	return games
}

// A writer that blocks the store for too long is reported.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s, other := opened(t, path), opened(t, path)
	e := testExperiment("a", "greedy")
	must.Do(t, s.Create(t.Context(), e))
	must.Get(other.writer.ExecContext(t.Context(), "BEGIN IMMEDIATE"))(t)
	must.Get(s.writer.ExecContext(t.Context(), "PRAGMA busy_timeout = 50"))(t)
	_, err := s.Keep(t.Context(), e, &e.Players[0], hundred(e, 0))
	want := path + " is locked: another program has been writing to it for 10s. Try again when that program has ended"
	if !errors.Is(err, ErrLocked) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if games, err := s.Games(t.Context(), e, &e.Players[0]); err != nil || len(games) != 0 {
		t.Errorf("%d games, %v: reading needs no lock", len(games), err)
	}
	must.Get(other.writer.ExecContext(t.Context(), "ROLLBACK"))(t)
	if _, err := s.Keep(t.Context(), e, &e.Players[0], hundred(e, 0)); err != nil {
		t.Error(err)
	}
}

// A file that lacks pages is an error that names it.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	e := testExperiment("a", "greedy")
	must.Do(t, s.Create(t.Context(), e))
	for from := range uint64(10) {
		must.Get(s.Keep(t.Context(), e, &e.Players[0], hundred(e, 100*from)))(t)
	}
	must.Do(t, s.Close())
	must.Do(t, os.Truncate(path, 5*32768))
	if s, err = Open(path); err == nil {
		_, err = s.Games(t.Context(), e, &e.Players[0])
	}
	if !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("a truncated file: %v", err)
	}
}

// size is the size of the database in bytes.
func (s *Store) size(t *testing.T) int64 {
	t.Helper()
	must.Get(s.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)"))(t)
	return must.Get(os.Stat(s.path))(t).Size()
}

// Removing an experiment frees its disk space.
func TestRemoveGivesRoomBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s := opened(t, path)
	small, large := testExperiment("small", "greedy"), testExperiment("large", "greedy")
	must.Do(t, errors.Join(s.Create(t.Context(), small), s.Create(t.Context(), large)))
	before := s.size(t)
	for from := uint64(0); from < 3000; from += 100 {
		must.Get(s.Keep(t.Context(), large, &large.Players[0], hundred(large, from)))(t)
	}
	must.Get(s.Keep(t.Context(), small, &small.Players[0], hundred(small, 0)))(t)
	full := s.size(t)
	must.Do(t, s.Remove(t.Context(), large))
	if after := s.size(t); after > before+(full-before)/10 {
		t.Errorf("%d bytes before, %d with the games, %d after they were removed", before, full, after)
	}
	if _, err := s.Experiment(t.Context(), "large"); !errors.Is(err, arena.ErrUnknown) {
		t.Errorf("a removed experiment: %v", err)
	}
	if games, err := s.Games(t.Context(), small, &small.Players[0]); err != nil || len(games) != 100 {
		t.Errorf("the other experiment has %d games, %v", len(games), err)
	}
}

// Games take at most 0.4 bytes a move and 60 bytes a game, however long they are; an
// empty store takes some pages.
func TestRoomOfGames(t *testing.T) {
	lengths := []int{30, 260, 1900, 2100, 7000, 15_000, 25_000, 40_000, 60_000}
	if !soak.Wanted() {
		lengths = []int{260, 2100, 40_000}
	}
	for _, moves := range lengths {
		path := filepath.Join(t.TempDir(), "x.db")
		s := must.Get(open(path, "OFF"))(t)
		e := testExperiment("a", "greedy", "random", "snake")
		must.Do(t, s.Create(t.Context(), e))
		empty := s.size(t)
		games, all := max(200, 1_000_000/moves), 0
		chance := rand.New(rand.NewPCG(uint64(moves), 1))
		for first := 0; first < games; first += 50 {
			var some []arena.Recorded
			for i := range 50 {
				n := moves/2 + chance.IntN(moves)
				all += n
				g := arena.Recorded{Outcome: arena.Outcome{Index: uint64(first + i), Score: int64(20 * n), Largest: 11, Moves: n, Elapsed: time.Duration(n) * 10 * time.Microsecond}}
				g.Trace = make([]byte, (n+3)/4)
				some = append(some, g)
			}
			// Players take turns, so that rows come in between others.
			must.Get(s.Keep(t.Context(), e, &e.Players[first/50%3], some))(t)
		}
		games = (games + 49) / 50 * 50
		took := s.size(t) - empty
		t.Logf("%d games of some %d moves: %.3f bytes a move, or 0.25 and %.1f bytes a game; empty %d", games, moves,
			float64(took)/float64(all), (float64(took)-0.25*float64(all))/float64(games), empty)
		if maximum := 0.4*float64(all) + 60*float64(games) + 65536; float64(took) > maximum {
			t.Errorf("%d games of about %d moves take %d bytes, want at most %.0f", games, moves, took, maximum)
		}
		must.Do(t, s.Close())
	}
}

// Games of a removed experiment never appear in a new one with the same name: its players' IDs
// are not used again, and its games can no longer be stored.
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

// The database itself refuses games without a player, and players without an experiment.
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
		_, err := s.db.Exec(statement)
		must.Contains(t, fmt.Sprint(err), "FOREIGN KEY", statement)
	}
	must.Do(t, s.Remove(t.Context(), e))
	for _, table := range []string{"experiments", "players", "games", "traces", "forfeits"} {
		var left int
		if err := s.db.QueryRow("SELECT count(*) FROM " + table).Scan(&left); err != nil || left > 0 {
			t.Errorf("%s has %d rows, %v", table, left, err)
		}
	}
}
