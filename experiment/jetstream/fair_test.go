package jetstream

import (
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
)

// laneOfEach returns the lanes of experiments that have one.
func laneOfEach(ids ...string) (all []openLane) {
	for _, id := range ids {
		all = append(all, lanesOf(&arena.QueueInfo{ID: id, Lanes: []arena.Lane{{Name: common}}})...)
	}
	return all
}

// Experiments get equal time of a worker, whatever the length of their chunks, and one that begins later
// does not catch up.
func TestFairness(t *testing.T) {
	length := map[string]time.Duration{"long": time.Minute, "short": time.Second, "late": 10 * time.Second}
	c := &Client{o: Options{Lease: time.Minute}}
	w := c.newWorkerConn(WorkerOptions{Info: protocol.Worker{Cores: 1}})
	w.open = laneOfEach("long", "short")
	got := map[string]time.Duration{}
	play := func(until time.Duration) {
		for total := time.Duration(0); total < until; {
			x := w.byTime()[0]
			id := x.experiment.ID
			w.spent[x.key()] += length[id]
			got[id] += length[id]
			total += length[id]
		}
	}
	play(2 * time.Hour)
	if d := got["long"] - got["short"]; d.Abs() > length["long"] {
		t.Errorf("time %v", got)
	}
	w.open = append(w.open, laneOfEach("late")...)
	w.welcome(w.open)
	clear(got)
	play(3 * time.Hour)
	for id, spent := range got {
		if (spent - time.Hour).Abs() > 2*length["long"] {
			t.Errorf("%s had %v of 3 hours", id, spent)
		}
	}
	if len(got) != 3 {
		t.Errorf("time %v", got)
	}
}

// Cores that ask at the same time spread over the experiments.
func TestFairnessOfCores(t *testing.T) {
	c := &Client{o: Options{Lease: time.Minute}}
	w := c.newWorkerConn(WorkerOptions{Info: protocol.Worker{Cores: 8}})
	w.open = laneOfEach("a", "b")
	count := map[string]int{}
	for i := range uint64(8) {
		x := w.byTime()[0]
		count[x.experiment.ID]++
		l := &lease{chunk: arena.Chunk{First: i, Games: 1}, lane: x, taken: time.Now()}
		w.held[l.chunk.ID()] = l
	}
	if count["a"] != 4 || count["b"] != 4 {
		t.Errorf("cores %v", count)
	}
}

// The time of an experiment's lanes counts together, and its lanes take turns.
func TestFairnessOfLanes(t *testing.T) {
	c := &Client{o: Options{Lease: time.Minute}}
	w := c.newWorkerConn(WorkerOptions{Info: protocol.Worker{Cores: 1}})
	w.open = append(laneOfEach("a"), lanesOf(&arena.QueueInfo{ID: "b", Lanes: []arena.Lane{{Name: common}, {Name: "program1"}, {Name: "program2"}}})...)
	got := map[string]int{}
	for range 60 {
		l := w.byTime()[0]
		w.spent[l.key()] += time.Second
		got[l.key()]++
	}
	if got["a-common"] != 30 || got["b-common"] != 10 || got["b-program1"] != 10 || got["b-program2"] != 10 {
		t.Errorf("chunks %v", got)
	}
}
