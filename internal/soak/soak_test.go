package soak

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		soak string
		want int
	}{{"", 2}, {"0", 2}, {"1", 300}} {
		t.Setenv("SOAK", c.soak)
		if got := Count(2, 300); got != c.want {
			t.Errorf("SOAK=%q: %d, want %d", c.soak, got, c.want)
		}
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
		if got := Pick(false, true); got != c.runs {
			t.Errorf("FULL=%q SOAK=%q: Pick takes the full one: %v, want %v", c.full, c.soak, got, c.runs)
		}
		if ran != c.runs {
			t.Errorf("FULL=%q SOAK=%q: ran %v, want %v", c.full, c.soak, ran, c.runs)
		}
	}
}

// quiet skips without a word, so that the skips of this test are not taken for gaps.
type quiet struct{ testing.TB }

func (q *quiet) Skipf(string, ...any) { q.TB.SkipNow() }
