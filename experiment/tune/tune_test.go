package tune_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/experiment/tune"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
)

// small is a run of a second: three generations of four candidates.
var small = tune.Options{
	Player: "expectimax(eval=lines(edge=3),plies=1,death_value=0)", Size: board.Size{Rows: 3, Cols: 3},
	Seed: 7, Games: 4, Population: 4, Generations: 3, Workers: 2,
}

func tuner(t *testing.T, o tune.Options) *tune.Tuner {
	t.Helper()
	return must.Get(tune.New(o, catalog.Capabilities{}))(t)
}

// run returns the result of a whole run and its trials.
func run(t *testing.T, o tune.Options, earlier []tune.Trial) (tune.Result, []tune.Trial) {
	t.Helper()
	all := earlier[:len(earlier):len(earlier)]
	r, err := tuner(t, o).Run(context.Background(), earlier, func(trial tune.Trial) error {
		all = append(all, trial)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, all
}

func TestRun(t *testing.T) {
	r, trials := run(t, small, nil)
	if len(trials) != 12 || r.Generations != 3 {
		t.Fatalf("%d trials, %d generations", len(trials), r.Generations)
	}
	seen := map[eval.LineWeights]bool{}
	mean := 0.0
	for i, trial := range trials {
		if trial.Generation != i/4+1 || trial.Candidate != i%4+1 || trial.MeanScore <= 0 || seen[trial.Weights] {
			t.Errorf("trial %d is %+v", i, trial)
		}
		seen[trial.Weights] = true
		if trial.Generation == 3 {
			mean += trial.MeanScore / 4
		}
	}
	if r.MeanScore != mean {
		t.Errorf("mean score %v, want %v", r.MeanScore, mean)
	}
	// The spec of the result plays with these weights.
	m := must.Get(catalog.Parse(r.Player, catalog.Capabilities{}))(t)
	if _, e := m.Evaluator(small.Size); e.(*eval.Lines).Weights != r.Weights {
		t.Errorf("%s plays with %+v, want %+v", r.Player, e.(*eval.Lines).Weights, r.Weights)
	}
}

// A run interrupted at any point continues to the same result.
func TestRunGoesOn(t *testing.T) {
	want, all := run(t, small, nil)
	one := small
	one.Workers = 1
	if got, _ := run(t, one, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("with one worker %+v, want %+v", got, want)
	}
	for _, kept := range []int{1, 4, 7, 12} {
		got, trials := run(t, small, all[:kept])
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(trials, all) {
			t.Errorf("after %d trials: %+v, want %+v", kept, got, want)
		}
	}
	other := small
	other.Seed++
	if _, err := tuner(t, other).Run(context.Background(), all, nil); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("another run's trials: %v", err)
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	r, err := tuner(t, small).Run(ctx, nil, func(tune.Trial) error {
		if n++; n == 6 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 6 || r.Generations != 1 {
		t.Errorf("%v after %d trials, %d generations", err, n, r.Generations)
	}
	full := errors.New("disk full")
	if _, err := tuner(t, small).Run(context.Background(), nil, func(tune.Trial) error { return full }); !errors.Is(err, full) {
		t.Errorf("a trial that cannot be kept: %v", err)
	}
}

// Tuning improves bad weights: the start gives empty cells little weight and rewards roughness.
func TestRunClimbs(t *testing.T) {
	o := small
	o.Player = "expectimax(eval=lines(disorder=0,merges=0,power_sum=0,empty=10,roughness=-40),plies=1,death_value=0)"
	o.Games, o.Population, o.Generations = 30, 10, 12
	_, trials := run(t, o, nil)
	mean := func(trials []tune.Trial) (sum float64) {
		for _, trial := range trials {
			sum += trial.MeanScore / float64(len(trials))
		}
		return sum
	}
	if first, last := mean(trials[:10]), mean(trials[len(trials)-20:]); last < 1.2*first {
		t.Errorf("first generation %.0f, last two %.0f", first, last)
	}
}

func TestNewRefuses(t *testing.T) {
	for spec, want := range map[string]string{
		"snaek":                             "did you mean snake?",
		"greedy":                            "has no weights to tune: must be a player with eval=lines",
		"snake":                             "has no weights to tune",
		"expectimax(eval=lines,time=100ms)": "limited by time",
	} {
		o := small
		o.Player = spec
		if _, err := tune.New(o, catalog.Capabilities{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
}

// Candidates are parsed with the same capabilities as the start.
func TestCandidatesHaveTheUsersCapabilities(t *testing.T) {
	o := small
	o.Player, o.Generations = "expectimax(eval=lines(edge=3),plies=1,death_value=0,tt=65MB,threads=3)", 1
	if _, err := tune.New(o, catalog.Capabilities{}); err == nil {
		t.Error("a table of 65 MB is accepted without the capability for it")
	}
	tn := must.Get(tune.New(o, catalog.Capabilities{Trusted: true}))(t)
	stop := errors.New("one is enough")
	if _, err := tn.Run(context.Background(), nil, func(tune.Trial) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("candidate 1: %v", err)
	}
}

// record writes a run's log and returns its path and trials.
func record(t *testing.T) (string, []tune.Trial) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	tn := tuner(t, small)
	log, earlier, err := tune.OpenLog(path, tn.Options())
	if err != nil || len(earlier) != 0 {
		t.Fatal(earlier, err)
	}
	defer log.Close()
	var all []tune.Trial
	if _, err := tn.Run(context.Background(), nil, func(trial tune.Trial) error {
		all = append(all, trial)
		return log.Add(trial)
	}); err != nil {
		t.Fatal(err)
	}
	return path, all
}

// A file truncated anywhere, as after a crash, still has its complete trials, and new ones are
// appended after them.
func TestLogSurvivesCuts(t *testing.T) {
	path, all := record(t)
	data := must.Get(os.ReadFile(path))(t)
	options := tuner(t, small).Options()
	for cut := 0; cut <= len(data); cut += 97 {
		must.Do(t, os.WriteFile(path, data[:cut], 0o600))
		log, trials, err := tune.OpenLog(path, options)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if want := max(strings.Count(string(data[:cut]), "\n")-1, 0); len(trials) != want || want > 0 && !reflect.DeepEqual(trials, all[:want]) {
			t.Fatalf("cut at %d: %d trials, want %d", cut, len(trials), want)
		}
		if len(trials) < len(all) {
			must.Do(t, log.Add(all[len(trials)]))
		}
		log.Close()
		log, again, err := tune.OpenLog(path, options)
		if err != nil || len(again) != min(len(trials)+1, len(all)) {
			t.Fatalf("cut at %d: %d trials after one more, %v", cut, len(again), err)
		}
		log.Close()
	}
}

func TestLogRefuses(t *testing.T) {
	path, _ := record(t)
	o := tuner(t, small).Options()
	o.Games++
	if _, _, err := tune.OpenLog(path, o); err == nil || !strings.Contains(err.Error(), "no log of this run") {
		t.Errorf("another run's log: %v", err)
	}
	o.Games--
	o.Generations, o.Workers = 9, 9
	if log, _, err := tune.OpenLog(path, o); err != nil {
		t.Errorf("more generations and workers: %v", err)
	} else {
		log.Close()
	}
	header, _ := json.Marshal(o)
	for name, content := range map[string]string{
		"no log":        "my shopping list\nmilk\n",
		"one line":      "milk",
		"other json":    `{"milk": 1}` + "\n",
		"json, no end":  `{"milk": 1}`,
		"damaged trial": string(header) + "\n" + `{"generation": "one"}` + "\n",
	} {
		file := filepath.Join(t.TempDir(), "x")
		must.Do(t, os.WriteFile(file, []byte(content), 0o600))
		if _, _, err := tune.OpenLog(file, o); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := os.ReadFile(file); string(left) != content {
			t.Errorf("%s: the file was changed to %q", name, left)
		}
	}
	if _, _, err := tune.OpenLog(t.TempDir(), o); err == nil {
		t.Error("a folder is a log")
	}
}
