package jetstream

import (
	"testing"
	"time"

	"afterstate/arena"
)

// Experiments get equal time of a worker, whatever the length of their chunks, and one that begins later
// does not catch up.
func TestFairness(t *testing.T) {
	length := map[string]time.Duration{"long": time.Minute, "short": time.Second, "late": 10 * time.Second}
	c := &Client{o: Options{Lease: time.Minute}}
	w := c.worker(WorkerOptions{Info: WorkerInfo{Cores: 1}})
	w.open = []arena.QueueInfo{{ID: "long"}, {ID: "short"}}
	got := map[string]time.Duration{}
	play := func(until time.Duration) {
		for total := time.Duration(0); total < until; {
			x := w.byTime()[0]
			w.spent[x.ID] += length[x.ID]
			w.chunks[x.ID]++
			got[x.ID] += length[x.ID]
			total += length[x.ID]
		}
	}
	play(2 * time.Hour)
	if d := got["long"] - got["short"]; d.Abs() > length["long"] {
		t.Errorf("time %v", got)
	}
	w.open = append(w.open, arena.QueueInfo{ID: "late"})
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
	w := c.worker(WorkerOptions{Info: WorkerInfo{Cores: 8}})
	w.open = []arena.QueueInfo{{ID: "a"}, {ID: "b"}}
	count := map[string]int{}
	for i := range uint64(8) {
		x := w.byTime()[0]
		count[x.ID]++
		l := &lease{chunk: arena.Chunk{First: i, Games: 1}, experiment: &x, taken: time.Now()}
		w.held[l.chunk.ID()] = l
	}
	if count["a"] != 4 || count["b"] != 4 {
		t.Errorf("cores %v", count)
	}
}
