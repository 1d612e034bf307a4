package store

import (
	"errors"
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
	for _, p := range []Player{e.Players[0], again.Players[0]} {
		if !slices.Equal(p.Versions, []string{"1.0", "1.1", "1.1"}) || !slices.Equal(p.Signatures, []string{"", "aa", "bb"}) {
			t.Errorf("versions %q, signatures %q", p.Versions, p.Signatures)
		}
	}
}

// A store of version 2 knows no signatures. Its rows stay what they were, damaged ones
// included.
func TestSecondStoreVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	old, err := open(path, migrations[:2], "OFF")
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"INSERT INTO experiments VALUES (1, 'a', '2026-01-02T03:04:05Z', '3x3', 'random', 'random', '7', 0, 10, 2, 0)",
		"UPDATE experiments SET sum = row_sum(" + experimentColumns + ")",
		"UPDATE contents SET experiments = 1, sum = row_sum(1, 1)",
		"INSERT INTO players VALUES (1, 1, 1, 'greedy', 'greedy', '1.0,1.1', 0, 0, 0, 0), (2, 1, 2, 'random', 'random', '1.0', 0, 0, 0, 0)",
		"UPDATE players SET sum = row_sum(id, experiment, number, spec, identity, versions, foresees, time_limited, kept)",
	} {
		if _, err := old.writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Experiment(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if p := e.Players[0]; len(e.Players) != 2 || !slices.Equal(p.Versions, []string{"1.0", "1.1"}) || !slices.Equal(p.Signatures, []string{"", ""}) {
		t.Errorf("%+v", e.Players)
	}
	if _, err := s.writer.ExecContext(t.Context(), `PRAGMA user_version = 2; ALTER TABLE players DROP COLUMN signatures;
		UPDATE players SET sum = row_sum(id, experiment, number, spec, identity, versions, foresees, time_limited, kept);
		UPDATE players SET versions = '1.2' WHERE id = 2`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Experiment(t.Context(), "a"); !errors.Is(err, ErrDamaged) {
		t.Errorf("a row that was changed before: %v", err)
	}
}
