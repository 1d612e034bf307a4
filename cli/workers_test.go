package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/protocol"
)

// The list says what each worker does, what failed, and what waits.
func TestStatesOfWorkers(t *testing.T) {
	var out strings.Builder
	err := writeWorkers(&out, &protocol.WorkerList{Workers: []protocol.Worker{
		{Name: "busy", Host: "rack", Cores: 2, Version: "1", Games: 1200, GamesPerS: 3, HeardS: 2, State: protocol.WorkerPlaying, SinceS: 125,
			Playing: []protocol.PlayedChunks{{Experiment: "first", Player: "greedy", Cores: 2}}, Failures: []protocol.WorkerFailure{
				{Kind: protocol.FailedRefused, Experiment: "first", Player: "my bot 1", Reason: "no bot.py"},
				{Kind: protocol.FailedForfeits, Experiment: "first", Player: "exec", Count: 1, Reason: "it ended"},
				{Kind: protocol.FailedChunks, Experiment: "first", Player: "greedy", Count: 3, Reason: "no room"},
				{Kind: protocol.FailedLeases, Experiment: "first", Player: "greedy", Count: 2},
			}},
		{Name: "idle", Cores: 1, Version: "1", State: protocol.WorkerWaiting, SinceS: 7.4},
		{Name: "dead", Cores: 1, Version: "1", HeardS: 60, State: protocol.WorkerLost, Playing: []protocol.PlayedChunks{{Cores: 1}}},
		{Name: "fake", Cores: 1, Version: "1", State: protocol.WorkerRejected, Failures: []protocol.WorkerFailure{{Kind: protocol.FailedRejected, Reason: "a false score"}}},
	}, Queues: []protocol.ExperimentQueue{
		{RemoteExperiment: protocol.RemoteExperiment{Name: "first", Finished: 1200, Scheduler: "rack, process 7"}, Waiting: 4, Leased: 3, Redelivered: 1, Results: 2},
		{RemoteExperiment: protocol.RemoteExperiment{Name: "old"}, Waiting: 9},
	}})
	want := `name  host  cores  version  games  games/s  last heard  state
busy  rack      2  1        1,200        3      2s ago  playing on 2 for 2m5s
idle            1  1            0        0      0s ago  waiting for 7s
dead            1  1            0        0    1m0s ago  lost
fake            1  1            0        0      0s ago  rejected

what failed:
busy: cannot play my bot 1 of first: no bot.py
busy: 1 game forfeited by exec of first: it ended
busy: 3 chunks given up of greedy of first: no room
busy: 2 chunks lost of greedy of first: nothing was heard for too long
fake: rejected: a false score

experiment  games  waiting  handed out  again  to store  scheduler
first       1,200        4           3      1         2  rack, process 7
old             0        9           0      0         0  none: stopped
`
	if diff := cmp.Diff(want, out.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
