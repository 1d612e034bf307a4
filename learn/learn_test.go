package learn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// The 4x6 network by plain TD at 0.1 learns as fast as published measurements: mean scores of the
// 1st, 2nd, 9th and 10th thousand games of 7.1 k, 10.7 k, 20.6 k, 21.8 k.
func TestAnchor(t *testing.T) {
	type anchor struct {
		thousand  int
		low, high float64
	}
	want := []anchor{{1, 6600, 8400}, {2, 9900, 12000}, {9, 19500, 23000}, {10, 20300, 24000}}
	games := soak.Pick(uint64(1000), uint64(soak.Count(2000, 10_000)))
	if testing.Short() {
		games = 1000
	}
	want = slices.DeleteFunc(want, func(w anchor) bool { return uint64(w.thousand) > games/1000 })
	means := train(t, Options{Network: network(t, size4, "4x6"), Games: games})
	for _, w := range want {
		if got := means[w.thousand-1]; got < w.low || got > w.high {
			t.Errorf("thousand %d: mean %.0f, want %.0f to %.0f", w.thousand, got, w.low, w.high)
		}
	}
}

// Four threads learn as much per game as one, from the first game on. If errors were computed from
// values read before the steps of other threads, the mean score would be a third. In this test the threads
// alternate move by move from the same openings, which is the worst case, and deterministic.
func TestThreads(t *testing.T) {
	games := soak.Pick(uint64(450), uint64(soak.Count(900, 3000)))
	for _, o := range []Options{{}, {Coherent: true}, {Coherent: true, Lambda: 0.5}} {
		one, four := o, o
		one.Network, four.Network = network(t, size4, "5x4"), network(t, size4, "5x4")
		a, b := inTurns(trainer(t, one), 1, games), inTurns(trainer(t, four), 4, games)
		t.Logf("coherent %v, lambda %v: a mean of %.0f with one thread, %.0f with four", o.Coherent, o.Lambda, a, b)
		if b < 0.6*a {
			t.Errorf("coherent %v, lambda %v: after %d games a mean of %.0f with one thread, %.0f with four", o.Coherent, o.Lambda, games, a, b)
		}
	}
}

// inTurns plays games with workers of one trainer that alternate after every move. It returns the
// mean score of the last third of the games.
func inTurns(tr *Trainer, workers int, games uint64) float64 {
	begun, counted, sum := uint64(0), 0, 0.0
	var turns []func() (struct{}, bool)
	for range workers {
		w := gamesIn(tr).thread()
		turn, stop := iter.Pull(func(yield func(struct{}) bool) {
			w.trace = func(bitboard.Board) { yield(struct{}{}) }
			for begun < games {
				index := begun
				begun++
				if o := gamesIn(tr).game(w, index); index >= games*2/3 {
					counted++
					sum += float64(o.Score)
				}
			}
		})
		defer stop()
		turns = append(turns, turn)
	}
	for len(turns) > 0 {
		turns = slices.DeleteFunc(turns, func(turn func() (struct{}, bool)) bool { _, on := turn(); return !on })
	}
	return sum / float64(counted)
}

// The race detector finds no races except intended ones, in Go code too.
func TestRaces(t *testing.T) {
	for _, coherent := range []bool{false, true} {
		n := network(t, size4, "2x4", ntuple.Stage{}, ntuple.Stage{6})
		n.DisableKernel()
		tr := trainer(t, Options{
			Network: n, Coherent: coherent, Threads: 3, WarmupGames: 1, Games: 90, ReportEvery: 10, Lambda: 0.5, RestartShare: 0.5, RestartTile: 32,
			Checkpoint: filepath.Join(t.TempDir(), "run"),
		})
		tr.o.CheckpointEvery = Duration(time.Millisecond)
		runs(t, tr)
	}
}

// On 3x3 the optimum is 5468.
func TestSmallBoard(t *testing.T) {
	means := train(t, Options{Network: network(t, size3, "3x4"), Coherent: true, Games: 3000})
	if got := means[2]; got < 2000 || got > 5468 {
		t.Errorf("mean %.0f", got)
	}
}

// An optimistic start plays worse at first: it explores.
func TestOptimism(t *testing.T) {
	n := network(t, size4, "5x4")
	n.Bias = 100_000
	hopeful := train(t, Options{Network: n, Games: 300, ReportEvery: 300})
	sober := train(t, Options{Network: network(t, size4, "5x4"), Games: 300, ReportEvery: 300})
	if hopeful[0] > 0.8*sober[0] {
		t.Errorf("mean %.0f, without optimism %.0f", hopeful[0], sober[0])
	}
}

// A trainer that was stopped and resumed ends with the same weights, sums, counts and
// positions.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	o := func(games uint64, file string) Options {
		return Options{
			Network: network(t, size4, "2x4", ntuple.Stage{}, ntuple.Stage{8}), Coherent: true, Games: games, ReportEvery: 70,
			Lambda: 0.5, RestartShare: 0.3, RestartTile: 128, Checkpoint: filepath.Join(dir, file), Seed: 9,
		}
	}
	whole := trainer(t, o(400, "whole"))
	must.Do(t, whole.Run(context.Background()))
	half := trainer(t, o(150, "part"))
	must.Do(t, half.Run(context.Background()))
	var reports []Interval
	rest := must.Get(Resume(filepath.Join(dir, "part"), Options{Games: 400, Report: func(i Interval) { reports = append(reports, i) }}, nil))(t)
	defer rest.Network().Close()
	defer rest.Close()
	must.Do(t, rest.Run(context.Background()))
	if rest.Games() != 400 || weights(rest) != weights(whole) || rest.all != whole.all {
		t.Errorf("resumed: %d games, %+v, want %+v", rest.Games(), rest.all, whole.all)
	}
	if reports[0].From != 140 || reports[0].To != 210 || reports[0].Fresh.Games+reports[0].Restarted.Games != 70 {
		t.Errorf("the first interval after resuming is %+v", reports[0])
	}
	if len(gamesIn(rest).all()) == 0 || whole.all.Games == 0 {
		t.Errorf("%d positions, %+v", len(gamesIn(rest).all()), whole.all)
	}
}

// With several threads, frequent checkpoints and a stop in the middle, the last checkpoint has all
// counted games.
func TestCheckpoints(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tr := trainer(t, Options{
		Network: network(t, size4, "2x4"), Coherent: true, Threads: 3, WarmupGames: 1, ReportEvery: 50, Checkpoint: file,
		Report: func(i Interval) {
			if i.To >= 200 {
				cancel()
			}
		},
	})
	tr.o.CheckpointEvery = Duration(time.Millisecond)
	must.Do(t, tr.Run(ctx))
	rest := must.Get(Resume(file, Options{Games: 1}, nil))(t)
	defer rest.Network().Close()
	defer rest.Close()
	if rest.Games() != tr.Games() || rest.Games() < 200 || weights(rest) != weights(tr) {
		t.Errorf("%d games saved of %d", rest.Games(), tr.Games())
	}
	files, _ := os.ReadDir(filepath.Dir(file))
	if len(files) != 2 { // with its times
		t.Errorf("left behind: %v", files)
	}
}

func TestErrors(t *testing.T) {
	n := network(t, size4, "2x4")
	for want, o := range map[string]Options{
		"needs a network": {},
		"rate 3":          {Network: n, Rate: 3},
		"rate NaN":        {Network: n, Rate: nan()},
	} {
		_, err := New(o)
		must.Contains(t, fmt.Sprint(err), want)
	}
	file := filepath.Join(t.TempDir(), "model")
	must.Do(t, ntuple.Save(file, n, ntuple.Info{}))
	if _, err := Resume(file, Options{}, nil); !errors.Is(err, ErrNoState) {
		t.Error(err)
	}
	tr := trainer(t, Options{Network: n, Games: 1, Checkpoint: filepath.Join(t.TempDir(), "no", "such")})
	if err := tr.Run(context.Background()); err == nil {
		t.Error("a checkpoint that cannot be written is no error")
	}
}

func nan() float64 { var zero float64; return zero / zero }

// Fewer games than WarmupGames end the other threads too.
func TestFewGames(t *testing.T) {
	tr := trainer(t, Options{Network: network(t, size4, "2x4"), Coherent: true, Threads: 3, Games: 2})
	if err := tr.Run(t.Context()); err != nil || tr.Games() != 2 {
		t.Errorf("%d games, %v", tr.Games(), err)
	}
}
