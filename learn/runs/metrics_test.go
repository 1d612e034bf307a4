package runs

import (
	"encoding/json"
	"testing"

	"github.com/afterstate2048/afterstate/learn"
)

// Metrics go from the largest tile that all games made to the largest of all, and
// always have 2048.
func TestReached(t *testing.T) {
	for want, tally := range map[string]learn.Tally{
		`{"2048":0}`:                             {},
		`{"8":1,"16":0.5,"2048":0}`:              {Games: 4, Largest: [64]uint64{3: 2, 4: 2}},
		`{"2048":1,"4096":0.75,"8192":0.25}`:     {Games: 4, Largest: [64]uint64{11: 1, 12: 2, 13: 1}},
		`{"2048":1,"32768":1}`:                   {Games: 1, Largest: [64]uint64{15: 1}},
		`{"1024":1,"2048":0.3333,"4096":0.1667}`: {Games: 10000, Largest: [64]uint64{10: 6666 + 1, 11: 1666, 12: 1667}},
	} {
		got, err := json.Marshal(reached(&tally))
		if err != nil || string(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
