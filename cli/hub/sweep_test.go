//go:build unix

package hub_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// Three workers of a hub share a sweep. Workers are killed in the middle of their parts, the scheduler too, and the hub; the same command resumes. Weights,
// learning rates, stored boards, metrics and decisions are those of one process.
func TestSweepKilled(t *testing.T) {
	soak.Full(t, "TestSweepAt trains a sweep without kills")
	l := newLab(t)
	file := filepath.Join(t.TempDir(), "rates.toml")
	writeFile(t, file, `network = "2x4"
games = 4000
report-every = 100
seeds = 2
restart-share = 0.2
restart-tile = 256
[options]
lambda = [0, 0.3, 0.6]
`)
	l.startHub()
	workers := []*process{l.worker(), l.worker(), l.worker()}
	begin := func() *process {
		return l.start("afterstate", "train", "sweep", file, "--name", "shared", "--nats", "hub", "-j", "0", "--checkpoint-every", "300ms")
	}
	run := begin()
	for i := range soak.Count(5, 15) {
		before := l.trained("shared")
		clitest.WaitFor(t, func() bool { return l.trained("shared") > before+6 || !run.running() })
		switch k := i % 5; k {
		case 1, 3:
			run.kill()
			run = begin()
		case 4:
			l.hub.kill()
			l.startHub()
		default:
			workers[k].kill()
			workers[k] = l.worker()
		}
	}
	run.ends(0)
	alone := l.do("train", "sweep", file, "--name", "alone", "-j", "2")
	if got, want := strings.Join(strings.Fields(strings.ReplaceAll(run.stdout(), "shared", "alone")), " "), strings.Join(strings.Fields(alone), " "); got != want {
		t.Errorf("the result is\n%s\nand in one process\n%s", run.stdout(), alone)
	}
	for config := 1; config <= 3; config++ {
		for seed := 1000; seed <= 1001; seed++ {
			name := fmt.Sprintf("%d-seed%d", config, seed)
			if a, b := l.learned("shared-"+name), l.learned("alone-"+name); !bytes.Equal(a, b) {
				t.Errorf("%s: the checkpoints of workers and of one process differ", name)
			}
			if a, b := l.metrics("shared-"+name), l.metrics("alone-"+name); !slices.Equal(a, b) {
				t.Errorf("%s: the metrics of workers\n%s\nof one process\n%s", name, strings.Join(a, "\n"), strings.Join(b, "\n"))
			}
		}
	}
}

// trained returns the number of intervals of the runs of a sweep.
func (l *lab) trained(name string) (intervals int) {
	files, _ := filepath.Glob(filepath.Join(l.data, "afterstate", "runs", name+"-*", "metrics.jsonl"))
	for _, file := range files {
		data, _ := os.ReadFile(file)
		intervals += bytes.Count(data, []byte("\n"))
	}
	return intervals
}

// learned returns the checkpoint of a run without its times: weights, learning rates, stored boards and history.
func (l *lab) learned(run string) []byte {
	l.Helper()
	path := filepath.Join(l.data, "afterstate", "runs", run, "checkpoint.model")
	m := must.Get(ntuple.Load(path))(l)
	defer m.Close()
	var all bytes.Buffer
	for _, e := range m.Extras {
		fmt.Fprintln(&all, e.Name, e.Index, e.Pieces)
	}
	var state struct {
		All     json.RawMessage
		Options map[string]any
	}
	must.Do(l, json.Unmarshal(m.Info.State, &state))
	delete(state.Options, "checkpoint_every")
	fmt.Fprintf(&all, "%08x %s %v %d parts", m.Network.Checksum(), state.All, state.Options, len(m.Info.History))
	return all.Bytes()
}

// metrics returns the metrics of a run without times.
func (l *lab) metrics(run string) (lines []string) {
	l.Helper()
	data := must.Get(os.ReadFile(filepath.Join(l.data, "afterstate", "runs", run, "metrics.jsonl")))(l)
	for line := range strings.Lines(string(data)) {
		same, _, _ := strings.Cut(line, `,"games_per_s"`)
		lines = append(lines, same)
	}
	return lines
}

// A worker that is started with the printed command trains a sweep, and this process plays with the networks.
func TestSweepAt(t *testing.T) {
	l := newLab(t)
	file := filepath.Join(t.TempDir(), "rates.toml")
	writeFile(t, file, "network = \"2x3\"\nsize = \"3x3\"\ngames = 200\nreport-every = 100\nseeds = 2\n[options]\nlambda = [0, 0.5]\n")
	run := l.start("afterstate", "train", "sweep", file, "--name", "shared", "--play", "10", "--workers-at", "127.0.0.1:0", "-j", "0")
	run.says("?cert=")
	worker := l.start("afterstate", "worker", between(t, run.stderr(), "afterstate worker '", "'"), "-j", "2")
	run.ends(0)
	worker.signal(syscall.SIGINT)
	worker.ends(0)
	alone := l.do("train", "sweep", file, "--name", "alone", "--play", "10")
	if got, want := strings.Join(strings.Fields(strings.ReplaceAll(run.stdout(), "shared", "alone")), " "), strings.Join(strings.Fields(alone), " "); got != want {
		t.Errorf("the result is\n%s\nand in one process\n%s", run.stdout(), alone)
	}
	if a, b := l.learned("shared-2-seed1001"), l.learned("alone-2-seed1001"); !bytes.Equal(a, b) {
		t.Error("the checkpoints of a worker and of one process differ")
	}
}

// Three workers of a hub play a ranking of ten players. Workers and the scheduler are killed, and the same command continues
// the ranking. It ends with the same ranks as in a single process.
func TestRankKilled(t *testing.T) {
	soak.Full(t, "TestRank ranks in one process")
	l := newLab(t)
	l.startHub()
	workers := []*process{l.worker(), l.worker(), l.worker()}
	words := func(name string, more ...string) []string {
		return append([]string{"arena", "rank", name, "random", "greedy", "snake(depth=0)", "snake(depth=1)", "snake(depth=2)", "perfect",
			"expectimax(eval=gradient,plies=1)", "expectimax(eval=gradient,plies=2)", "expectimax(eval=gradient,plies=3)", "weighted-snake",
			"--size", "2x3", "--games", "300", "--json"}, more...)
	}
	begin := func() *process { return l.start("afterstate", words("first", "--nats", "hub", "-j", "0")...) }
	run := begin()
	for i := range 3 {
		before := l.played("first")
		clitest.WaitFor(t, func() bool { return l.played("first") > before+200 || !run.running() })
		workers[i].kill()
		workers[i] = l.worker()
		run.kill()
		run = begin()
	}
	run.ends(0)
	ranks := func(text string) string {
		t.Helper()
		var table struct {
			Players []struct {
				Player string
				Best   int `json:"best_rank"`
				Worst  int `json:"worst_rank"`
			}
		}
		if err := json.Unmarshal([]byte(text), &table); err != nil || len(table.Players) != 10 {
			t.Fatalf("%s: %v", text, err)
		}
		var all []string
		for _, p := range table.Players {
			all = append(all, fmt.Sprintf("%s %d-%d", p.Player, p.Best, p.Worst))
		}
		slices.Sort(all) // the order of equal ranks depends on the number of games
		return strings.Join(all, "\n")
	}
	alone := l.do(words("alone")...)
	must.Equal(t, ranks(run.stdout()), ranks(alone), "ranks")
}
