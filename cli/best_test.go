package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/protocol"
)

// The list says what each worker does, what it handed back, and what waits.
func TestStatesOfWorkers(t *testing.T) {
	var out strings.Builder
	err := writeWorkers(&out, &protocol.WorkerList{Workers: []protocol.Worker{
		{Name: "busy", Host: "rack", Cores: 2, Version: "1", Games: 1200, GamesPerS: 3, State: protocol.WorkerPlaying,
			Playing: []protocol.PlayedJobs{{Experiment: "first", Player: "greedy", Cores: 2}}},
		{Name: "full", Cores: 1, Version: "1", State: protocol.WorkerPaused, Trouble: "no space left on device"},
		{Name: "idle", Cores: 1, Version: "1", State: protocol.WorkerWaiting},
	}, Queues: []protocol.ExperimentQueue{
		{SharedExperiment: protocol.SharedExperiment{Name: "first", Finished: 1200, Scheduler: "rack, process 7"}, Jobs: 4},
	}})
	want := `name  host  cores  version  games  games/s  state
busy  rack      2  1        1,200        3  playing on 2
full            1  1            0        0  paused
idle            1  1            0        0  waiting

handed back:
full: no space left on device

experiment  games  jobs  scheduler
first       1,200     4  rack, process 7
`
	if diff := cmp.Diff(want, out.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
