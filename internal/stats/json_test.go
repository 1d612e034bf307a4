package stats_test

import (
	"encoding/json"
	"testing"

	"github.com/afterstate2048/afterstate/internal/stats"
)

// Figures and intervals have eight significant digits in JSON, are null where there are no data, and come back.
func TestJSON(t *testing.T) {
	type both struct {
		Figure   stats.Figure
		Interval stats.Interval
	}
	mean, unknown := stats.Mean(nil)
	for want, x := range map[string]both{
		`{"Figure":0.33333333,"Interval":[-1,0.66666667]}`: {1. / 3, stats.Interval{Low: -1, High: 2. / 3}},
		`{"Figure":null,"Interval":null}`:                  {stats.Figure(mean), unknown},
	} {
		text, err := json.Marshal(x)
		if err != nil || string(text) != want {
			t.Errorf("%s, %v, want %s", text, err, want)
		}
		var back both
		if err := json.Unmarshal(text, &back); err != nil || back.Interval.Known() != x.Interval.Known() {
			t.Errorf("%s came back as %v, %v", text, back, err)
		}
		if again, err := json.Marshal(back); err != nil || string(again) != want {
			t.Errorf("%s came back as %s, %v", want, again, err)
		}
	}
}
