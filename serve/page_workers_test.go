//go:build browser || pictures

package serve

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
)

// stubHub is a hub whose workers are what a test says; cli/hub has the tests with real ones. Without any it does not answer.
type stubHub struct {
	experiment.Hub // nothing else is asked
	list           atomic.Pointer[protocol.WorkerList]
}

func (*stubHub) Experiments(context.Context) (map[string]protocol.SharedExperiment, error) {
	return nil, nil
}

func (h *stubHub) Overview(context.Context) (*protocol.WorkerList, error) {
	list := h.list.Load()
	if list == nil {
		return nil, errors.New("no connection")
	}
	copied := *list
	return &copied, nil
}

// withHub is a runner with a hub that has workers in every state.
func withHub(t *testing.T) (*experiment.Runner, *stubHub) {
	t.Helper()
	h := new(stubHub)
	h.list.Store(&protocol.WorkerList{Server: "nats://10.0.0.1:4222", Workers: []protocol.Worker{
		{ID: "1", Name: "rack-1", Host: "rack-1", Cores: 16, Version: "0.1.0", State: protocol.WorkerPlaying, Games: 51200, GamesPerS: 212.4,
			Playing: []protocol.PlayedJobs{
				{Experiment: "experiment-1", Player: "greedy", Cores: 12},
				{Experiment: "experiment-1", Player: "snake(depth=2)", Cores: 4},
			}},
		{ID: "2", Name: "rack-2", Host: "rack-9", Cores: 8, Version: "0.0.9", State: protocol.WorkerWaiting},
		{ID: "3", Name: "rack-3", Cores: 8, Version: "0.1.0", State: protocol.WorkerPaused, Games: 12000, Trouble: "no space left on the disk"},
	}, Queues: []protocol.ExperimentQueue{
		{SharedExperiment: protocol.SharedExperiment{Name: "experiment-1", Scheduler: "rack-0, process 4242", Players: []string{"greedy", "snake"}, Games: 100000, Finished: 63200}, Jobs: 48},
		{SharedExperiment: protocol.SharedExperiment{Name: "experiment-2", Scheduler: "rack-9, process 7", Players: []string{"random"}}, Jobs: 30},
	}})
	runner := NewRunner(experiment.RunnerOptions{
		Open:     func(bool) (experiment.Store, error) { return nil, nil },
		Config:   experiment.Config{Capabilities: catalog.Capabilities{Networks: catalog.NoNetworks}},
		Machines: func() *experiment.Machines { return &experiment.Machines{Hub: h, Address: "nats://10.0.0.1:4222"} },
	})
	t.Cleanup(runner.Close)
	return runner, h
}

// The workers of a hub are shown with what they play and what they handed back, and follow it; a server without a hub says how to start one.
func testWorkers(t *testing.T, in pages, sc screen) {
	runner, h := withHub(t)
	s := newSite(t, Options{Runner: runner})
	rows := func(region string) string {
		return fmt.Sprintf(`[...document.querySelectorAll('[aria-label=%s] tbody tr')].map(e => e.innerText.replace(/\s+/g, ' '))`, region)
	}
	b := open(t, in, s, sc, "#experiments")
	b.click("Workers on other machines")
	b.until(rows("Workers") + `.length === 3`)
	for _, text := range []string{
		"rack-1 plays experiment-1: greedy on 12 cores experiment-1: snake(depth=2) on 4 cores 212 51,200 16 0.1.0",
		"rack-2 rack-9 waits for games 0 0 8 0.0.9", "rack-3 pauses for a minute",
	} {
		b.until(fmt.Sprintf(`%s.some(row => row.startsWith(%q))`, rows("Workers"), text))
	}
	for _, text := range []string{"16 of 32", "no space left on the disk"} {
		b.until(fmt.Sprintf(`document.querySelector('main').innerText.includes(%q)`, text))
	}
	b.until(rows("Queue") + `.join('; ') === 'experiment-1 63,200 of 200,000 48 rack-0, process 4242; experiment-2 0 30 rack-9, process 7'`)
	b.narrow()
	b.shot("workers")
	all := h.list.Load()
	h.list.Store(&protocol.WorkerList{Server: all.Server, Workers: []protocol.Worker{}, Queues: []protocol.ExperimentQueue{}})
	b.until(`document.querySelector('main').innerText.includes('No workers yet.') && document.querySelector('main').innerText.includes('No experiment is being played by workers')`)
	h.list.Store(nil)
	b.until(`document.querySelector('[role=alert]')?.innerText === 'The hub at nats://10.0.0.1:4222 does not answer: no connection'`)
	h.list.Store(all)
	b.until(rows("Workers") + `.length === 3 && !document.querySelector('[role=alert]')`)
	b.click("Experiments")
	b.until(`location.hash === '#experiments' && document.querySelector('input[type=number]')`)
	b.clean()
	b = open(t, in, in.experiments(t), sc, "#workers")
	b.until(`document.querySelector('main').innerText.includes('This server has no hub') && document.querySelector('main').innerText.includes('afterstate serve --nats hub')`)
	b.shot("workers-none")
	b.clean()
}
