package solve

import (
	"context"
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

func problem(t testing.TB, size string) Problem {
	t.Helper()
	s := must.Get(board.ParseSize(size))(t)
	return Problem{Size: s, P4: 0.1}
}

func solved(t testing.TB, p Problem) *Table {
	t.Helper()
	table := must.Get(Solve(context.Background(), p, Options{}))(t)
	t.Cleanup(table.Close)
	return table
}

// raw returns the bytes of a table.
func raw(t testing.TB, table *Table) []byte {
	t.Helper()
	return must.Get(table.m.bytes(0, table.Bytes()))(t)
}

// The values of FIELD, which others have published for optimal play.
func TestPublishedValues(t *testing.T) {
	for _, c := range []struct {
		size   string
		goal   int64
		states int64
		start  string
	}{
		{"2x2", 0, 110, "66.964149457101"},
		{"2x2", 8, 0, "1.000000000000"},
		{"2x2", 16, 0, "0.962511253750"},
		{"2x2", 32, 0, "0.082887289072"},
		{"2x3", 0, 21752, "480.258271775958"},
		{"3x2", 0, 21752, "480.258271775958"},
		{"2x3", 64, 0, "0.939263692431"},
		{"2x3", 128, 0, "0.056992160496"},
	} {
		p := problem(t, c.size)
		p.Goal = c.goal
		table := solved(t, p)
		must.Equal(t, fmt.Sprintf("%.12f", table.Start), c.start, c.size, "goal", c.goal)
		if c.states != 0 && table.Boards != c.states {
			t.Errorf("%s: %d boards, want %d", c.size, table.Boards, c.states)
		}
	}
}
