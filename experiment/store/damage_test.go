package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// sameGames returns an error unless every way to read a player's games gives the first count games
// of made.
func sameGames(ctx context.Context, s *Store, e *arena.Plan, p *arena.Player, count int) error {
	games, err := s.Games(ctx, e, p)
	if err != nil {
		return err
	}
	if len(games) != count {
		return fmt.Errorf("%s has %d games, want %d", p.Spec, len(games), count)
	}
	for i, g := range games {
		want := made(e.Setup.Seed, uint64(i), false).Outcome
		if g != want {
			return fmt.Errorf("%s: game %d came back as %+v", p.Spec, i, g)
		}
	}
	n := uint64(0)
	for r, err := range s.AllRecorded(ctx, e, p) {
		if err != nil {
			return err
		}
		want := made(e.Setup.Seed, n, false)
		if r.Outcome != want.Outcome || string(r.Trace) != string(want.Trace) {
			return fmt.Errorf("%s: game %d was recorded as %+v", p.Spec, n, r.Outcome)
		}
		n++
	}
	if n != uint64(count) {
		return fmt.Errorf("%s has %d recorded games, want %d", p.Spec, n, count)
	}
	return nil
}

// Whatever column of whatever row is changed behind the store's back, it is found, named,
// and can be left out.
func TestChangedRows(t *testing.T) {
	for _, c := range []struct {
		change  string
		figures bool // detected in the figures
		trace   bool // detected in the record of the game
	}{
		{"UPDATE games SET score = score + 4 WHERE id = %d", true, true},
		{"UPDATE games SET tile = tile + 256 WHERE id = %d", true, true},
		{"UPDATE games SET moves = moves - 1 WHERE id = %d", true, true},
		{"UPDATE games SET elapsed_us = 1 WHERE id = %d", true, true},
		{"INSERT INTO forfeits VALUES (%d, 'a fault', '')", true, true},
		{"UPDATE games SET sum = sum + (1 << 32) WHERE id = %d", true, true},
		{"UPDATE games SET sum = sum + 1 WHERE id = %d", false, true},
		{"UPDATE games SET trace = CAST(substr(trace, 2) || x'01' AS BLOB) WHERE id = %d", false, true},
		{"PRAGMA foreign_keys = OFF; UPDATE games SET id = id + 1000 WHERE id = %d", true, true},
	} {
		s := opened(t, filepath.Join(t.TempDir(), "x.db"))
		e := testExperiment("a", "greedy")
		games := hundred(e, 0)
		for i := range games {
			games[i].Trace, games[i].Forfeit.Reason, games[i].Forfeit.Detail = []byte{1, 2, 3}, "", ""
		}
		if err := s.Create(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		p := &e.Players[0]
		if _, err := s.Keep(t.Context(), e, p, games); err != nil {
			t.Fatal(err)
		}
		if _, err := s.db.Exec(fmt.Sprintf(c.change, gameID(p.ID, 7))); err != nil {
			t.Fatalf("%s: %v", c.change, err)
		}
		_, err := s.Games(t.Context(), e, p)
		var damage *arena.DamageError
		if found := errors.As(err, &damage) && errors.Is(err, arena.ErrDamaged) && damage.Game%1000 == 7; found != c.figures || !found && err != nil {
			t.Errorf("%s: figures: %v", c.change, err)
		}
		leftOut := 0
		s.LeftOut = func(_ *arena.Player, games int) { leftOut += games }
		sound, err := s.Games(t.Context(), e, p)
		s.LeftOut = nil
		if want := map[bool]int{true: 1}[c.figures]; err != nil || leftOut != want || len(sound) != 100-want {
			t.Errorf("%s: %d sound games, %d left out, %v", c.change, len(sound), leftOut, err)
		}
		whole, damaged := 0, 0
		for r, err := range s.AllRecorded(t.Context(), e, p) {
			if errors.As(err, &damage) {
				damaged++
			} else if err != nil || r.Score != games[r.Index].Score {
				t.Errorf("%s: %v", c.change, err)
			} else {
				whole++
			}
		}
		if want := map[bool]int{true: 1}[c.trace]; damaged != want || whole != 100-want {
			t.Errorf("%s: %d whole records and %d damaged ones", c.change, whole, damaged)
		}
	}
}

// Games, players and experiments that vanish are found.
func TestMissingRows(t *testing.T) {
	for _, change := range []string{
		"DELETE FROM games WHERE id & 0xffffffff = 7",
		"DELETE FROM traces WHERE rowid = (SELECT min(id) FROM traces)",
		"DELETE FROM players WHERE number = 2",
		"DELETE FROM experiments WHERE name = 'b'",
		"UPDATE experiments SET seed = '5' WHERE name = 'a'",
		"UPDATE experiments SET name = 'c' WHERE name = 'a'",
		"UPDATE players SET spec = 'greedier' WHERE number = 1",
		"UPDATE players SET kept = 10",
		"UPDATE contents SET experiments = 1",
		"DELETE FROM contents",
	} {
		path := filepath.Join(t.TempDir(), "x.db")
		s := opened(t, path)
		for _, name := range []string{"a", "b"} {
			e := testExperiment(name, "greedy", "random")
			if err := s.Create(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Keep(t.Context(), e, &e.Players[0], hundred(e, 0)); err != nil {
				t.Fatal(err)
			}
		}
		if err := readStore(path, 100, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := s.db.Exec("PRAGMA foreign_keys = OFF; " + change); err != nil {
			t.Fatal(err)
		}
		if err := readStore(path, 100, 0); !errors.Is(err, arena.ErrDamaged) {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// readStore reads all of a store with experiments a and b. It returns an error if the
// players greedy and random do not have the given numbers of games, or if a game is wrong.
func readStore(path string, greedy, random int) error {
	s, err := OpenExisting(path)
	if err != nil {
		return err
	}
	defer s.Close()
	ctx := context.Background()
	all, err := s.Experiments(ctx)
	if err != nil {
		return err
	}
	if len(all) != 2 {
		return fmt.Errorf("%d experiments", len(all))
	}
	for i := range all {
		e, want := &all[i], testExperiment([]string{"a", "b"}[i], "greedy", "random")
		if e.Name != want.Name || e.Setup != want.Setup || e.Games != want.Games || len(e.Players) != len(want.Players) {
			return fmt.Errorf("another experiment came back: %+v", e)
		}
		counts, err := s.Count(ctx, e)
		if err != nil {
			return err
		}
		for k := range e.Players {
			p, want := &e.Players[k], &want.Players[k]
			if p.Number != k+1 || p.Spec != want.Spec || p.Identity != want.Identity || fmt.Sprint(p.Versions) != fmt.Sprint(want.Versions) || p.Foresees || p.TimeLimited {
				return fmt.Errorf("another player came back: %+v", p)
			}
			games := []int{greedy, random}[k]
			if counts[k] != games {
				return fmt.Errorf("%d games of %s, want %d", counts[k], p.Spec, games)
			}
			if err := sameGames(ctx, s, e, p, games); err != nil {
				return err
			}
		}
	}
	return nil
}

// smallStore is the file of a store with long and short records, and forfeits.
func smallStore(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.db")
	s, err := open(path, "OFF")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		e := testExperiment(name, "greedy", "random")
		if err := s.Create(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		var few []arena.Recorded
		for i := range uint64(8) {
			few = append(few, made(e.Setup.Seed, i, false))
		}
		for i := range e.Players {
			if _, err := s.Keep(t.Context(), e, &e.Players[i], few[:8-4*i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := readStore(path, 8, 4); err != nil {
		t.Fatal(err)
	}
	return data
}

// However a store's file is damaged, reading it gives the right games or an error: every
// four bytes of the input change a byte, and cut is where the file ends.
func FuzzDamagedStore(f *testing.F) {
	whole := smallStore(f)
	const page = 32768
	f.Add([]byte{}, uint32(0))
	f.Add([]byte{}, uint32(len(whole)/2))
	f.Add([]byte{}, uint32(page))
	f.Add([]byte{}, uint32(len(whole)-1))
	for at := 0; at < len(whole); at += page {
		f.Add([]byte{byte(at), byte(at >> 8), byte(at >> 16), 0xff}, uint32(0))        // the kind of a page
		f.Add([]byte{byte(at + 4), byte((at + 4) >> 8), byte(at >> 16), 1}, uint32(0)) // its rows
		f.Add([]byte{byte(at + 9), byte((at + 9) >> 8), byte(at >> 16), 4}, uint32(0)) // where one is
		end := at + page - 40
		f.Add([]byte{byte(end), byte(end >> 8), byte(end >> 16), 4}, uint32(0)) // its contents
	}
	f.Add([]byte{63, 0, 0, 3}, uint32(0)) // the version of the schema
	f.Add([]byte{63, 0, 0, 2}, uint32(0))
	f.Fuzz(func(t *testing.T, changes []byte, cut uint32) {
		data := append([]byte(nil), whole...)
		for ; len(changes) >= 4; changes = changes[4:] {
			at := int(changes[0]) | int(changes[1])<<8 | int(changes[2])<<16
			data[at%len(data)] ^= changes[3]
		}
		if cut := int(cut) % len(data); cut > 0 { // an empty file becomes an empty store
			data = data[:cut]
		}
		path := filepath.Join(t.TempDir(), "x.db")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		err := readStore(path, 8, 4)
		if err != nil && !errors.As(err, new(*storeError)) && !errors.As(err, new(*arena.DamageError)) {
			t.Fatalf("wrong, or an error that says too little: %v", err)
		}
	})
}
