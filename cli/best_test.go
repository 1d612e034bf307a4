package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/advice/explain"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// The line on a terminal has the games and the best chance so far; other outputs get nothing.
func TestGamesProgress(t *testing.T) {
	m := must.Get(catalog.Parse("greedy", catalog.Capabilities{}))(t)
	b := must.Get(board.Parse("2,4,2/4,2,4/2,4,4"))(t)
	var out strings.Builder
	p := newGamesProgress(&out)
	o := explain.Options{Tiles: []uint8{3}, Games: 8, Progress: p.show}
	must.Get(explain.Explain(t.Context(), m, search.NewQuery(b, 0), o))(t)
	if p.End(); out.Len() > 0 {
		t.Errorf("%q without a terminal", &out)
	}
	p.Draw()
	if want := regexp.MustCompile(`8 games after each move, so far (up|right|down|left) makes 8 in 100\.0 % \[67\.6, 100\.0\], \d+\.\d s\n$`); !want.MatchString(out.String()) {
		t.Errorf("the line is %q", &out)
	}
}

// The list says what each worker does, what it handed back, and what waits.
func TestStatesOfWorkers(t *testing.T) {
	var out strings.Builder
	err := writeWorkers(&out, &protocol.WorkerList{Workers: []protocol.Worker{
		{Name: "busy", Host: "rack", Cores: 2, Version: "1", Games: 1200, GamesPerS: 3, State: protocol.WorkerPlaying,
			Playing: []protocol.PlayedJobs{{Experiment: "first", Player: "greedy", Cores: 2}}},
		{Name: "full", Cores: 1, Version: "1", State: protocol.WorkerPaused, Trouble: "no space left on device"},
		{Name: "idle", Cores: 1, Version: "1", State: protocol.WorkerWaiting},
	}, Queues: []protocol.ExperimentQueue{
		{RemoteExperiment: protocol.RemoteExperiment{Name: "first", Finished: 1200, Scheduler: "rack, process 7"}, Jobs: 4},
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
