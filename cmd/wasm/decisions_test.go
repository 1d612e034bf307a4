//go:build browser

package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/serve/session"
)

// engine is the engine that runs in Node.
type engine struct {
	t    testing.TB
	in   io.Writer
	out  *bufio.Reader
	next int
	pid  int // of Node
}

const network = "network.model"

// start builds the engine of the site and starts it with the site's network, as on a device with or without memory
// for complete tables.
func start(t testing.TB, roomy bool) *engine {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "engine.wasm")
	if out, err := exec.Command("go", "run", "../site", "-champion=false", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	root := must.Get(exec.Command("go", "env", "GOROOT").Output())(t)
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")
	args := []string{"--stack-size=8192", filepath.Join("testdata", "run.js"), script, file, network}
	if roomy {
		args = append(args, "roomy")
	}
	node := exec.CommandContext(t.Context(), "node", args...)
	node.Stderr = os.Stderr
	in := must.Get(node.StdinPipe())(t)
	out := must.Get(node.StdoutPipe())(t)
	must.Do(t, node.Start())
	t.Cleanup(func() { _ = node.Process.Kill(); _ = node.Wait() })
	return &engine{t: t, pid: node.Process.Pid, in: in, out: bufio.NewReaderSize(out, 1<<20)}
}

// ask sends a request and returns its result.
func (e *engine) ask(method string, params any) json.RawMessage {
	e.t.Helper()
	e.next++
	line, err := protocol.AppendRequest(nil, int64(e.next), method, params)
	if err != nil {
		e.t.Fatal(err)
	}
	var r struct {
		Result json.RawMessage `json:"result"`
		Error  *protocol.Error `json:"error"`
	}
	if err := json.Unmarshal([]byte(e.send(line)), &r); err != nil {
		e.t.Fatal(err)
	}
	if r.Error != nil {
		e.t.Fatalf("%s %+v: %v", method, params, r.Error)
	}
	return r.Result
}

// send sends a message and returns the response to it. It passes over notifications.
func (e *engine) send(message []byte) string {
	e.t.Helper()
	if _, err := e.in.Write(message); err != nil {
		e.t.Fatal(err)
	}
	for {
		text, err := e.out.ReadBytes('\n')
		if err != nil {
			e.t.Fatal(err)
		}
		var notification struct {
			Method string `json:"method"`
		}
		if err := json.Unmarshal(text, &notification); err != nil {
			e.t.Fatalf("%v: %s", err, text)
		}
		if notification.Method == "" {
			return string(text)
		}
	}
}

// The answers of every method stay the same in the browser's engine; see cli/frozen.
func TestAnswers(t *testing.T) {
	e := start(t, true)
	clitest.Golden(t, "answers.txt", clitest.Answers(t, func(message string) string { return e.send([]byte(message + "\n")) }))
}

// with returns capabilities with a network.
func with(n *ntuple.Network) catalog.Capabilities {
	return catalog.Capabilities{Networks: func(string, bool) (models.Source, error) {
		return models.Source{Load: func() (*ntuple.Network, error) { return n, nil }}, nil
	}}
}

// capabilities returns capabilities with the network of the site, in this process.
func capabilities(t testing.TB) catalog.Capabilities {
	t.Helper()
	file := must.Get(os.ReadFile(network))(t)
	n := must.Get(quant.DequantizeSparse(file))(t)
	t.Cleanup(n.Close)
	return with(n)
}

// positions returns every few positions of games that a player plays.
func positions(t *testing.T, size board.Size, spec string, caps catalog.Capabilities, seed uint64, each, maximum int) (all []board.Board) {
	t.Helper()
	m := maker(t, spec, caps)
	for number := uint64(0); len(all) < maximum; number++ {
		g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(seed, number, game.P4)}))(t)
		d := player.Driver{Player: m.New(), Game: g}
		d.Start(seed, number, g)
		for moved := true; moved && len(all) < maximum; {
			moved = must.Get(d.Move(t.Context()))(t)
			if moved && !g.Over() && g.Moves()%each == 0 {
				all = append(all, g.Board())
			}
		}
	}
	return all
}

// The engine chooses the same moves as the program, with the same values: positions of whole games,
// players with and without a network.
func TestDecisions(t *testing.T) {
	e := start(t, false)
	caps := capabilities(t)
	host := must.Get(session.NewHost(session.Options{Name: "afterstate", Version: "test", Player: maker(t, "greedy", caps), Capabilities: caps}))(t)
	defer host.Close()
	client := host.NewClient(nil)
	defer client.Close()
	compared := 0
	for _, c := range []struct {
		size   board.Size
		spec   string
		boards int
	}{
		{board.Size{Rows: 4, Cols: 4}, "champion", 300}, {board.Size{Rows: 4, Cols: 4}, "ntuple(plies=1)", 200}, {board.Size{Rows: 4, Cols: 4}, "expert(nodes=20000)", 150},
		{board.Size{Rows: 4, Cols: 4}, "alphabeta", 50}, {board.Size{Rows: 4, Cols: 4}, "snake", 100}, {board.Size{Rows: 3, Cols: 4}, "auto", 60}, {board.Size{Rows: 5, Cols: 5}, "weighted-snake(plies=2)", 60},
		{board.Size{Rows: 2, Cols: 3}, "perfect", 60}, {board.Size{Rows: 4, Cols: 4}, "minimax(depth=3)", 30},
	} {
		by := "snake(depth=0)"
		if c.size == (board.Size{Rows: 2, Cols: 3}) {
			by = "random"
		}
		for _, b := range positions(t, c.size, by, caps, 3, 7, c.boards) {
			params := protocol.Analyze{Board: b, Player: c.spec}
			text := must.Get(json.Marshal(params))(t)
			result := must.Get(client.Call(t.Context(), "analyze", text))(t)
			want := must.Get(json.Marshal(result))(t)
			if got := e.ask("analyze", params); timeless(t, got) != timeless(t, want) {
				t.Fatalf("%s on %v:\n%s\nwant\n%s", c.spec, b, got, want)
			}
			compared++
		}
	}
	if compared < 1000 {
		t.Errorf("%d positions were compared", compared)
	}
}

// The engine plays the same games as the program, move by move.
func TestGames(t *testing.T) {
	e := start(t, true)
	q := protocol.StartExperiment{Name: "same", Players: []string{"champion", "greedy", "random", "snake(depth=0)"}, Games: 2, Size: board.Size{Rows: 4, Cols: 4}, Seed: 5, Until: 512}
	here := runner(t, capabilities(t))
	must.Get(here.Start(t.Context(), &q))(t)
	e.ask("experiments.start", q)
	for running := true; running; time.Sleep(20 * time.Millisecond) {
		var there protocol.ExperimentResults
		must.Do(t, json.Unmarshal(e.ask("experiments.show", protocol.ExperimentRef{Name: "same"}), &there))
		x := must.Get(here.Show(t.Context(), "same"))(t)
		if running = x.Running || there.Running; !running && (x.Error != "" || there.Error != "") {
			t.Fatalf("%q, %q", x.Error, there.Error)
		}
	}
	for player := range q.Players {
		find := protocol.FindRecords{ExperimentRef: protocol.ExperimentRef{Name: "same"}, Player: player + 1}
		want := must.Get(here.Records(t.Context(), &find))(t)
		var got protocol.ExperimentRecords
		must.Do(t, json.Unmarshal(e.ask("experiments.records", find), &got))
		if strings.Count(want.Records, "\n") != q.Games || got != *want {
			t.Errorf("%s plays\n%s\nwant\n%s", q.Players[player], got.Records, want.Records)
		}
	}
}

// timeless removes the time of a decision.
func timeless(t *testing.T, decision []byte) string {
	t.Helper()
	var d map[string]any
	must.Do(t, json.Unmarshal(decision, &d))
	if d["move"] == nil {
		t.Errorf("no move: %s", decision)
	}
	delete(d, "elapsed_ms")
	return fmt.Sprint(d)
}
