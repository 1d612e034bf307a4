package soak

import (
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		soak string
		want int
	}{{"", 2}, {"0", 2}, {"1", 300}} {
		t.Setenv("SOAK", c.soak)
		must.Equal(t, Count(2, 300), c.want, "SOAK=", c.soak)
	}
}

func TestFull(t *testing.T) {
	for _, c := range []struct {
		full, soak string
		runs       bool
	}{{"", "", false}, {"0", "0", false}, {"1", "", true}, {"", "1", true}} {
		t.Setenv("FULL", c.full)
		t.Setenv("SOAK", c.soak)
		ran := false
		t.Run("inner", func(t *testing.T) {
			Full(&quiet{TB: t}, "a test")
			ran = true
		})
		must.Equal(t, Pick(false, true), c.runs, "FULL=", c.full, "SOAK=", c.soak, "Pick")
		must.Equal(t, ran, c.runs, "FULL=", c.full, "SOAK=", c.soak, "ran")
	}
}

// quiet skips without a message, so that these skips are not mistaken for tests that did not run.
type quiet struct{ testing.TB }

func (q *quiet) Skipf(string, ...any) { q.TB.SkipNow() }
