package must

import "testing"

// reports counts the errors that a test reports.
type reports int

func (*reports) Helper()                 {}
func (*reports) Fatal(...any)            {}
func (r *reports) Errorf(string, ...any) { *r++ }

// A wanted result is not reported, and another result is reported once.
func TestReports(t *testing.T) {
	for what, c := range map[string]struct {
		check func(t T)
		want  reports
	}{
		"equal":       {func(t T) { Equal(t, 1, 1) }, 0},
		"different":   {func(t T) { Equal(t, 1, 2) }, 1},
		"contained":   {func(t T) { Contains(t, "abc", "b") }, 0},
		"not in text": {func(t T) { Contains(t, "abc", "d") }, 1},
	} {
		var got reports
		if c.check(&got); got != c.want {
			t.Errorf("%s: %d reports, want %d", what, got, c.want)
		}
	}
}
