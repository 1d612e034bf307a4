package arena

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/internal/must"
)

// putQueue counts the chunks that are put, by player.
type putQueue struct {
	Queue
	put map[string]int
}

func (q putQueue) Put(_ context.Context, c Chunk) error {
	q.put[c.Identity]++
	return nil
}

// Players that few workers or none can play leave the queue to the others: each worker that can play has two chunks,
// and two wait for one that can play the rest.
func TestRoom(t *testing.T) {
	for name, c := range map[string]struct {
		can, want map[string]int
	}{
		"all play all":     {map[string]int{"a": 10, "b": 10}, map[string]int{"a": 10, "b": 10}},
		"one plays b":      {map[string]int{"a": 10, "b": 1}, map[string]int{"a": 18, "b": 2}},
		"one plays b, c":   {map[string]int{"a": 10, "b": 1, "c": 1}, map[string]int{"a": 18, "b": 1, "c": 1}},
		"nobody plays b":   {map[string]int{"a": 10, "b": 0}, map[string]int{"a": 20, "b": 2}},
		"nobody plays any": {map[string]int{"a": 0, "b": 0}, map[string]int{"a": 1, "b": 1}},
	} {
		q := putQueue{put: map[string]int{}}
		s := &Scheduler{Queue: q, Plan: &Planner{MaxGames: 1}, Capacity: func(identity string) int {
			if identity == "" {
				return 10
			}
			return c.can[identity]
		}}
		for _, identity := range []string{"a", "b", "c"} {
			if _, ok := c.can[identity]; ok {
				s.Plan.Add(Chunk{Identity: identity}, []Range{{0, 100}}, 0, 0)
			}
		}
		s.inFlight, s.queued = map[string]*chunkInFlight{}, map[string]int{}
		must.Do(t, s.fill(t.Context()))
		if diff := cmp.Diff(c.want, q.put); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
