package store

import (
	"errors"
	"path/filepath"
	"testing"
)

// Specs of a store of version 3 get today's names. Damaged rows stay damaged, and rows that
// would be the same player stay two.
func TestThirdStoreVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	old, err := open(path, migrations[:3], "OFF")
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"INSERT INTO experiments VALUES (1, 'a', '2026-01-02T03:04:05Z', '3x3', 'adversary(eval=smooth)', 'adversary(eval=smooth)', '7', 0, 10, 4, 0)",
		"INSERT INTO experiments VALUES (2, 'b', '2026-01-02T03:04:05Z', '3x3', 'random', 'random', '7', 0, 10, 1, 0)",
		"UPDATE experiments SET sum = row_sum(" + experimentColumns + ")",
		"UPDATE contents SET experiments = 2, sum = row_sum(1, 2)",
		`INSERT INTO players VALUES (1, 1, 1, 'ntuple(model="a",cut=1)', 'ntuple(model="sha256:00",cut=1)', '1.0', 0, 0, 0, 0, 'aa'), (2, 1, 2, 'greedy', 'greedy', '1.0', 0, 0, 0, 0, ''),
			(3, 1, 3, 'expert(table=2MB)', 'expert(table=2MB)', '1.0', 0, 0, 0, 0, ''), (4, 1, 4, 'expert(tt=2MB)', 'expert(tt=2MB)', '1.0', 0, 0, 0, 0, ''),
			(5, 2, 1, 'expert(cut=1)', 'expert(cut=1)', '1.0', 0, 0, 0, 0, '')`,
		"UPDATE players SET sum = row_sum(" + playerColumns + ")",
		"UPDATE players SET versions = '1.1' WHERE id = 5",
	} {
		if _, err := old.writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path)
	e, err := s.Experiment(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if e.Setup.Spawn != "adversary(eval=smoothness)" || e.Setup.SpawnIdentity != e.Setup.Spawn {
		t.Errorf("%+v", e.Setup)
	}
	for i, want := range [][2]string{
		{`ntuple(model="a",min_prob=1)`, `ntuple(model="sha256:00",min_prob=1)`}, {"greedy", "greedy"},
		{"expert(table=2MB)", "expert(table=2MB)"}, {"expert(tt=2MB)", "expert(tt=2MB)"},
	} {
		if p := e.Players[i]; p.Spec != want[0] || p.Identity != want[1] {
			t.Errorf("%s, %s, want %q", p.Spec, p.Identity, want)
		}
	}
	if _, err := s.Experiment(t.Context(), "b"); !errors.Is(err, ErrDamaged) {
		t.Errorf("a row that was changed before: %v", err)
	}
}
