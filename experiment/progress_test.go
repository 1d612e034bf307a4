package experiment

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// Progress counts, averages and foresees; games that were kept before count too.
func TestProgress(t *testing.T) {
	game := func(score int64) arena.Outcome { return arena.Outcome{Score: score, Elapsed: 2 * time.Second} }
	first, second := &arena.Player{Number: 1, Spec: "first"}, &arena.Player{Number: 2, Spec: "second"}
	var p Progress
	p.Player(first, []arena.Outcome{game(100), game(200)}, 10)
	p.Player(second, nil, 10)
	if _, ok := p.Left(4); ok {
		t.Error("it foresees how long a player without games takes")
	}
	p.Add(second, []arena.Recorded{{Outcome: game(50)}})
	if games, wanted := p.Count(); games != 3 || wanted != 20 {
		t.Errorf("%d of %d games", games, wanted)
	}
	if left, ok := p.Left(2); !ok || left != 17*time.Second { // 8 games and 9 of two seconds each
		t.Errorf("%v left, %v", left, ok)
	}
	var endless Progress // times are what workers say
	endless.Player(first, []arena.Outcome{{Elapsed: math.MaxInt64}, {Elapsed: math.MaxInt64}}, 10)
	if left, ok := endless.Left(1); !ok || left < 100*365*24*time.Hour {
		t.Errorf("%v left of endless games, %v", left, ok)
	}
	if got := p.Players[0].Score() + ", " + p.Players[1].Score(); got != "150 ± 635, 50 ± ?" {
		t.Error(got)
	}
}

// Reading from the store takes a tenth of the time of clients who ask all the time. A failure is no answer.
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
		if reads != 6 {
			t.Errorf("%d reads: must be 6", reads)
		}
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

// An experiment that is said to have ended has all its games.
func TestEndedHasAllGames(t *testing.T) {
	runner := NewRunner(RunnerOptions{})
	defer runner.Close()
	plan := &arena.Plan{Name: "first", Games: 3, Players: []arena.Player{{Number: 1, Spec: "greedy"}}}
	it := &running{kept: plan}
	runner.running["first"] = it
	info, err := runner.info(t.Context(), endingStore{runner: runner, it: it}, plan)
	if err != nil || !info.Running || info.Finished != 2 {
		t.Errorf("%+v, %v: must be running", info, err)
	}
}
