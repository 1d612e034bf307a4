package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

// The list says what each worker does, what it does not play, and which ones are lost.
func TestStatesOfWorkers(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	refused := map[string]arena.Refusal{"x-program1": {Experiment: "first", Players: []string{"my bot 1"}, Reason: "no bot.py"}}
	var out strings.Builder
	err := writeWorkers(&out, []jetstream.WorkerInfo{
		{Name: "busy", Cores: 2, Version: "1", Games: 1200, GamesPerSecond: 3, LastHeard: now.Add(-2 * time.Second), Playing: []string{"a", "b"}, Refused: refused},
		{Name: "idle", Cores: 1, Version: "1", LastHeard: now.Add(time.Second)}, // by another clock
		{Name: "dead", Cores: 1, Version: "1", LastHeard: now.Add(-time.Minute), Playing: []string{"a"}, Lost: true},
	}, now)
	want := `name  cores  version  games  games/s  last heard  state
busy      2  1        1,200        3      2s ago  playing on 2; cannot play my bot 1 of first: no bot.py
idle      1  1            0        0      0s ago  waiting
dead      1  1            0        0    1m0s ago  lost
`
	if diff := cmp.Diff(want, out.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
