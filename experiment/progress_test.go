package experiment

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
)

// Clients that ask all the time keep the store busy for at most a tenth of the time. Failures are not cached.
func TestAnswersAreCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runner := NewRunner(RunnerOptions{})
		defer runner.Close()
		reads := 0
		ask := func() (int, error) {
			return cached(runner, "all", func() (int, error) {
				time.Sleep(2 * time.Second)
				if reads++; reads == 1 {
					return 0, errors.New("the store is busy")
				}
				return reads, nil
			})
		}
		if _, err := ask(); err == nil {
			t.Error("no failure")
		}
		for end := time.Now().Add(100 * time.Second); time.Now().Before(end); time.Sleep(time.Second / 4) {
			if n, err := ask(); n != reads || err != nil {
				t.Fatalf("%d after %d reads, %v", n, reads, err)
			}
		}
		must.Equal(t, reads, 6, "reads")
	})
}

// endingStore counts games right before the last game is stored and the experiment ends.
type endingStore struct {
	Store
	runner *Runner
	it     *running
}

func (s endingStore) Count(context.Context, *arena.Plan) ([]int, error) {
	s.runner.ended("first", s.it, nil)
	return []int{2}, nil
}

// An experiment that is reported as ended has all its games.
func TestEndedHasAllGames(t *testing.T) {
	runner := NewRunner(RunnerOptions{})
	defer runner.Close()
	plan := &arena.Plan{Name: "first", Games: 3, Players: []arena.Player{{Number: 1, Spec: "greedy"}}}
	it := &running{plan: plan}
	runner.running["first"] = it
	info, err := runner.info(t.Context(), endingStore{runner: runner, it: it}, plan)
	if err != nil || !info.Running || info.Finished != 2 {
		t.Errorf("%+v, %v: must be running", info, err)
	}
}
