package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/time/rate"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/serve/session"
)

// logged is what goes to the log while a test runs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func logs(t testing.TB) *logged {
	t.Helper()
	before, l := log.Writer(), new(logged)
	log.SetOutput(l)
	t.Cleanup(func() { log.SetOutput(before) })
	return l
}

// A player that panics costs its request an internal error. The server lives and its log
// contains the method and the stack.
func TestPanics(t *testing.T) {
	l := logs(t)
	boom := fakes(func(context.Context, search.Query) error { panic("lost its mind") })
	late := fakes(func(context.Context, search.Query) error { return nil })
	late.NewRollout = boom.New // in rollouts, which explain plays in goroutines of their own
	for name, maker := range map[string]catalog.Maker{"in its thoughts": boom, "in rollouts": late} {
		c := start(t, Options{Options: session.Options{Player: maker}})
		for _, x := range []struct{ method, params string }{
			{protocol.MethodBestMove, `{"board":"2,2/0,4"}`},
			{"analyze", `{"board":"2,2/0,4"}`},
			{"explain", `{"board":"2,2/0,4"}`},
		} {
			if name == "in rollouts" && x.method != "explain" {
				continue
			}
			want := fmt.Sprintf(`-32603 %q: internal error, see the server's log`, x.method)
			for door, got := range map[string]string{"HTTP": c.ask(x.method, x.params), "WebSocket": c.dial().ask(x.method, x.params)} {
				if got != want {
					t.Errorf("%s %s over %s: %s", x.method, name, door, got)
				}
			}
			if text := l.String(); !strings.Contains(text, fmt.Sprintf("%q: panic: lost its mind\n", x.method)) || !strings.Contains(text, "session.(*Client).Reply") {
				t.Errorf("%s %s: the log has %q", x.method, name, text)
			}
		}
		c.healthy()
	}
	c := start(t, Options{Options: session.Options{Player: boom}})
	watching := c.dial()
	watching.watch(`{"seed":1}`)
	if f := watching.await("a complaint", func(f *protocol.Frame) bool { return f.Error != "" }); f.Error != "the player failed by an internal error, see the server's log" || f.Running {
		t.Errorf("%+v", f)
	}
	if !strings.Contains(l.String(), "a player that thinks about ") {
		t.Errorf("the log has %q", l)
	}
	c.healthy()
}

// networks are one of no weights for 4x4 and a run whose file is broken.
func networks(folder string) catalog.Capabilities {
	return catalog.Capabilities{Networks: func(name string, _ bool) (models.Source, error) {
		switch name {
		case "":
			size := board.Size{Rows: 4, Cols: 4}
			network := models.Shared{Open: func() (*ntuple.Network, error) {
				l, err := ntuple.Named(size, "2x4")
				if err != nil {
					return nil, err
				}
				return ntuple.New(l)
			}}
			return models.Source{Size: func() (board.Size, bool) { return size, true }, Load: network.Load, Loaded: network.Loaded}, nil
		case "broken":
			return models.Source{Load: func() (*ntuple.Network, error) {
				return nil, fmt.Errorf("%s is a part of a model", filepath.Join(folder, "broken", "checkpoint.model"))
			}}, nil
		case "gone":
			return models.Source{}, &fs.PathError{Op: "stat", Path: filepath.Join(folder, "gone", "checkpoint.model"), Err: fs.ErrNotExist}
		}
		return models.Source{}, fmt.Errorf("no run is called %s in %s", name, folder)
	}}
}

// A player without a network for a size is refused as a param wherever it is named.
func TestSizesWithoutNetwork(t *testing.T) {
	caps := networks("")
	runner := runnerWith(t, 1, caps)
	c := start(t, Options{Options: session.Options{Capabilities: caps}, Runner: runner})
	const record = `{\"afterstate_record\":1,\"size\":\"2x2\",\"spawn\":\"random\",\"p4\":0.1,\"seed\":1,\"game\":0,\"player\":\"greedy\",\"move_count\":11,\"moves\":\"EAEB\",\"board\":[[8,16],[2,4]],\"score\":60}`
	for _, spec := range []string{"champion", "ntuple", "ntuple(plies=2,impl=generic)"} {
		for _, x := range []struct{ method, params string }{
			{protocol.MethodBestMove, `{"board":"2,2/0,4","player":%q}`},
			{"analyze", `{"board":"2,2/0,4","player":%q}`},
			{"explain", `{"board":"2,2/0,4","player":%q}`},
			{"tree", `{"board":"2,2/0,4","player":%q}`},
			{"watch.start", `{"size":"2x2","player":%q}`},
			{"review.values", `{"record":"` + record + `","player":%q}`},
			{"experiments.start", `{"size":"2x2","games":1,"players":["greedy",%q]}`},
		} {
			params := fmt.Sprintf(x.params, spec)
			for door, got := range map[string]string{"HTTP": c.ask(x.method, params), "WebSocket": c.dial().ask(x.method, params)} {
				if !strings.HasPrefix(got, "-32602 "+x.method+": ") || !strings.HasSuffix(got, "the network is for 4x4 boards, this one is 2x2") {
					t.Errorf("%s %s over %s: %s", x.method, params, door, got)
				}
			}
		}
		if got := c.ask(protocol.MethodBestMove, fmt.Sprintf(`{"board":"2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0","player":%q}`, spec)); !strings.HasPrefix(got, `{"move":`) {
			t.Errorf("%s on 4x4: %s", spec, got)
		}
	}
}

// No answer names a folder of this machine that the client did not name, and the log does.
func TestNoPaths(t *testing.T) {
	l := logs(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	caps := networks(folder)
	broken := NewRunner(experiment.RunnerOptions{Config: experiment.Config{Capabilities: caps}, Open: func(bool) (experiment.Store, error) {
		return store.Open(filepath.Join(file, "experiments.db"))
	}})
	t.Cleanup(broken.Close)
	c := start(t, Options{Options: session.Options{Capabilities: caps}, Runner: broken, Runs: file})
	none := func(what, got, want string) {
		t.Helper()
		if strings.Contains(got, folder) || !strings.Contains(got, want) {
			t.Errorf("%s: %s\n want %q without the folder", what, got, want)
		}
	}
	for _, x := range []struct{ method, params, want string }{
		{protocol.MethodBestMove, `{"board":"2,2/0,4","player":"ntuple(model=broken)"}`, "-32603 checkpoint.model is a part"},
		{protocol.MethodBestMove, `{"board":"2,2/0,4","player":"ntuple(model=gone)"}`, "-32602 best_move: player: ntuple: model=gone: stat checkpoint.model: "},
		{protocol.MethodBestMove, `{"board":"2,2/0,4","player":"ntuple(model=x)"}`, "no run is called x in "},
		{"watch.start", `{"player":"ntuple(model=x)"}`, "no run is called x in "},
		{"training.list", ``, "-32603 "},
		{"experiments.list", ``, "-32602 experiments.list: "},
		{"experiments.show", `{"name":"x"}`, "-32602 experiments.show: "},
		{"experiments.start", `{"players":["greedy"],"games":1}`, "-32602 experiments.start: "},
		{"experiments.stop", `{"name":"x"}`, "-32602 experiments.stop: "},
		{"experiments.remove", `{"name":"x"}`, "-32602 experiments.remove: "},
	} {
		none(x.method+" over HTTP", c.ask(x.method, x.params), x.want)
		none(x.method+" over WebSocket", c.dial().ask(x.method, x.params), x.want)
	}
	watching := c.dial()
	watching.watch(`{"player":"ntuple(model=broken)"}`)
	none("a frame", watching.await("a complaint", func(f *protocol.Frame) bool { return f.Error != "" }).Error, "checkpoint.model is a part")
	if !strings.Contains(l.String(), folder) {
		t.Errorf("the log has %q", l)
	}
	// What the client named itself is no secret.
	if got := c.ask(protocol.MethodBestMove, `{"board":"2,2/0,4","player":"expectimax(eval=sum(file=\"/etc/passwd\"))"}`); !strings.Contains(got, `file="/etc/passwd"`) {
		t.Error(got)
	}
}

// Experiments that were begun on this machine may name files, which clients do not see.
func TestNoPathsOfExperiments(t *testing.T) {
	folder, path := filepath.Join(t.TempDir(), "secret"), filepath.Join(t.TempDir(), "x.db")
	s, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	size := board.Size{Rows: 3, Cols: 3}
	e := &arena.Plan{Name: "mine", Games: 1, Setup: arena.Setup{Size: size, Spawn: `adversary(eval=sum(file="/srv/secret/w.json"))`, SpawnIdentity: "x"}, Players: []arena.Player{
		{Spec: `ntuple(model="/srv/secret/best.model")`, Identity: "a", Versions: []string{"1"}},
		{Spec: `exec(cmd="python3 /srv/secret/bot.py")`, Identity: "b", Versions: []string{"1"}},
	}}
	failing := &arena.Plan{Name: "failing", Games: 1, Setup: arena.Setup{Size: size, Spawn: "random", SpawnIdentity: "random"}, Players: []arena.Player{
		{Spec: "ntuple(model=broken)", Identity: "ntuple(model=broken)", Versions: []string{"1.2.3"}},
	}}
	if err := errors.Join(s.Create(t.Context(), e), s.Create(t.Context(), failing)); err != nil {
		t.Fatal(err)
	}
	runner := runnerOf(path, "1.2.3", 1, networks(folder))
	t.Cleanup(runner.Close)
	if _, err := runner.Start(t.Context(), &protocol.StartExperiment{Name: "failing"}); err != nil {
		t.Fatal(err)
	}
	runner.Wait()
	c := start(t, Options{Runner: runner})
	shown := func(method, params string, want ...string) {
		t.Helper()
		got := c.ask(method, params)
		for _, w := range want {
			if strings.Contains(got, "secret") || !strings.Contains(got, w) {
				t.Errorf("%s: %s", method, got)
			}
		}
	}
	specs := []string{`ntuple(model=\"best.model\")`, `exec(cmd=\"python3 bot.py\")`}
	const trouble = "checkpoint.model is a part of a model"
	shown("experiments.list", "", append(specs, trouble)...)
	shown("experiments.show", `{"name":"mine"}`, specs...)
	shown("experiments.show", `{"name":"failing"}`, trouble)
}

// What clients bring about fills no disk.
func TestCalmLog(t *testing.T) {
	l := logs(t)
	logger := log.New(throttled{rate.NewLimiter(0, linesPerMinute)}, "", 0)
	for range 10 * linesPerMinute {
		logger.Print("again")
	}
	if n := strings.Count(l.String(), "\n"); n != linesPerMinute {
		t.Errorf("%d lines: want %d", n, linesPerMinute)
	}
}
