package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// payload is text that must not reach a terminal unescaped: OSC 52, which writes the clipboard,
// CSI in seven and in eight bits, DEL and a bidirectional control.
const payload = "\x1b]52;c;ZWNobyBoaQ==\x07\x1b[2J\u009b31m\x7f\u202ecaught"

// Safe fails where output has a control character.
func safe(t *testing.T, what, output string) {
	t.Helper()
	if !utf8.ValidString(output) {
		t.Errorf("%s: %q is not UTF-8", what, output)
	}
	for _, r := range output {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Errorf("%s: %U reaches the terminal in %q", what, r, output)
			return
		}
	}
}

// hostileFiles makes a record, a model, a run, a store and a bot that hold the payload.
func hostileFiles(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("XDG_DATA_HOME", dir)
	t.Chdir(dir)

	g := must.Get(game.New(game.Options{Size: board.Size{Rows: 2, Cols: 2}, Spawner: game.NewRandom(1, 0, game.P4)}))(t)
	for _, d := range []board.Direction{board.Left, board.Up, board.Right, board.Down} {
		_ = g.Move(d) // one of them moves
	}
	var line bytes.Buffer
	if err := record.Write(&line, record.Of(g, record.Meta{Spawn: record.Random, P4: game.P4, Seed: 1, Player: payload})); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	quoted, _ := json.Marshal(payload)
	write("game.jsonl", line.String())
	write("field.jsonl", `{"afterstate_record":1,`+string(quoted)+`:1}`)
	write("version.jsonl", `{"afterstate_record":`+string(quoted)+`}`)
	write("weights.json", `{`+string(quoted)+`:1}`)
	write("afterstate/runs/"+payload+"/options.json", "{}")
	write("afterstate/runs/taken/"+payload, "")

	l := must.Get(ntuple.ParseLayout(board.Size{Rows: 4, Cols: 4}, "01"))(t)
	n := must.Get(ntuple.New(l))(t)
	defer n.Close()
	n.Name = payload
	info := ntuple.Info{History: []ntuple.Training{{Games: 1, Options: payload}}, Measured: &ntuple.Measured{Player: payload, Games: 2}}
	must.Do(t, ntuple.Save("hostile.model", n, info))
	return dir
}

// hostileStore makes a store whose names, versions and forfeits hold the payload.
func hostileStore(t *testing.T, path string) {
	t.Helper()
	succeeds(t, "arena", "run", "sound", "greedy", "random", "--games", "3", "--size", "2x2", "--db", path)
	s := must.Get(store.Open(path))(t)
	defer s.Close()
	sound, err := s.Experiment(t.Context(), "sound")
	if err != nil {
		t.Fatal(err)
	}
	hostile := &arena.Plan{Name: "first" + payload, Setup: sound.Setup, Games: sound.Games}
	for _, p := range sound.Players {
		p.Versions = []string{payload}
		if p.Spec == "greedy" {
			p.Spec += payload
		}
		hostile.Players = append(hostile.Players, p)
	}
	must.Do(t, s.Create(t.Context(), hostile))
	if hostile, err = s.Experiment(t.Context(), hostile.Name); err != nil {
		t.Fatal(err)
	}
	for i := range sound.Players {
		for r, err := range s.AllRecorded(t.Context(), sound, &sound.Players[i]) {
			if err != nil {
				t.Fatal(err)
			}
			r.Forfeit = player.ForfeitError{Reason: payload, Detail: payload}
			must.Get(s.Keep(t.Context(), hostile, &hostile.Players[i], []arena.Recorded{*r}))(t)
		}
	}
	must.Do(t, s.Remove(t.Context(), sound))
}

// All commands escape control characters of untrusted text on stdout and stderr. Each command must show a part of the
// payload; otherwise the test does not reach the place where the text is shown.
func TestDoors(t *testing.T) {
	hostileFiles(t)
	bot := `sh -c "printf '` + `\\033]52;c;eA==\\007\\302\\23331m caught` + `' >&2; exit 3"`
	hostileStore(t, "x.db")
	name := "first" + payload
	for _, c := range []struct {
		in   string
		args []string
	}{
		{"", []string{"watch", "--replay", "game.jsonl"}},
		{"", []string{"watch", "--replay", "field.jsonl"}},
		{"", []string{"watch", "--replay", "version.jsonl"}},
		{"", []string{"watch", "--replay", payload}},
		{"", []string{"watch", "exec(cmd=" + quoteSpec(bot) + ")", "--size", "2x2"}},
		{"", []string{"arena", "exec(cmd=" + quoteSpec(bot) + ")", "greedy", "--games", "2", "--size", "2x2"}},
		{"", []string{"arena", "exec(cmd=" + quoteSpec(bot) + ")", "greedy", "--games", "2", "--size", "2x2", "--json"}},
		{"", []string{"arena", "list", "--db", "x.db"}},
		{"", []string{"arena", "list", "--db", "x.db", "--json"}},
		{"", []string{"arena", "show", name, "--db", "x.db"}},
		{"", []string{"arena", "show", name, "--db", "x.db", "--json"}},
		{"", []string{"arena", "compare", name + "/1", name + "/2", "--db", "x.db"}},
		{"", []string{"arena", "compare", name + "/1", name + "/2", "--db", "x.db", "--json"}},
		{"", []string{"arena", "report", name, "--db", "x.db", "-f", "md"}},
		{"", []string{"arena", "report", name, "--db", "x.db", "-f", "html"}},
		{"", []string{"arena", "export", name, "--db", "x.db", "-f", "csv"}},
		{"", []string{"arena", "export", name, "--db", "x.db", "-f", "records"}},
		{"", []string{"arena", "rm", payload, "--db", "x.db"}},
		{"", []string{"arena", "list", "--db", payload}},
		{"", []string{"watch", "--game", name + "/1/0", "--db", "x.db"}},
		{"", []string{"model", "info", "hostile.model"}},
		{"", []string{"model", "info", "hostile.model", "--json"}},
		{"", []string{"model", "info", payload}},
		{"", []string{"model", "quantize", "hostile.model", "-o", payload + ".model", "--games", "0"}},
		{"", []string{"train", "--resume", "zzz"}},
		{"", []string{"train", "2x4", "--name", "taken"}},
		{"", []string{"train", "2x4", "--name", payload}},
		{"", []string{"best", payload}},
		{"", []string{"best", "-p", payload, "2,4/0,0"}},
		{"", []string{"best", "-p", `expectimax(eval=sum(file="weights.json"))`, "2,4/0,0"}},
		{"2,4/0,0\n" + payload + "\n", []string{"best", "-p", "greedy", "-"}},
		{payload, []string{"inspect", "-"}},
		{"", []string{"tree", payload}},
		{"", []string{"perft", payload, "1"}},
		{"", []string{payload}},
		{"", []string{"watch", "--" + payload}},
		{"", []string{"watch", "--size", payload}},
		{"", []string{"arena", payload}},
		{"", []string{"serve", "--listen", payload}},
		{`{"jsonrpc":"2.0","id":"` + "\u009b\u202e\x7fcaught" + `","method":"caught"}` + "\n", []string{"rpc"}},
	} {
		status, out, errOut := clitest.Run(t.Context(), strings.NewReader(c.in), c.args...)
		what := strings.ToValidUTF8(strings.Join(c.args, " "), "?")
		safe(t, what, out)
		safe(t, what, errOut)
		if !strings.Contains(out+errOut, "]52") && !strings.Contains(out+errOut, "caught") {
			t.Errorf("%q: the payload is not shown: status %d\n%q\n%q", what, status, out, errOut)
		}
	}
}

// quoteSpec is text as a spec's value.
func quoteSpec(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// JSON keeps the text exactly, with all control characters escaped.
func TestDoorsOfJSON(t *testing.T) {
	hostileFiles(t)
	var info struct {
		Name     string
		History  []struct{ Options string }
		Measured struct{ Player string }
	}
	_, out, _ := clitest.Run(t.Context(), strings.NewReader(""), "model", "info", "hostile.model", "--json")
	if err := json.Unmarshal([]byte(out), &info); err != nil || info.Name != payload || info.History[0].Options != payload || info.Measured.Player != payload {
		t.Errorf("%v, %q", err, out)
	}
	var watched struct{ Player string }
	_, out, _ = clitest.Run(t.Context(), strings.NewReader(""), "watch", "--replay", "game.jsonl")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &watched); err != nil || watched.Player != payload {
		t.Errorf("%v, %q", err, out)
	}
	const id = "\u009b\u202e\x7f ►"
	var answer struct{ ID string }
	_, out, _ = clitest.Run(context.Background(), strings.NewReader(`{"jsonrpc":"2.0","id":"`+id+`","method":"players"}`), "rpc")
	if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.ID != id {
		t.Errorf("%v, %q", err, out)
	}
}
