//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

const protocolFile = "../docs/protocol.md"

// fences returns the code blocks of a language, as lines.
func fences(t *testing.T, text, language string) (lines []string) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(text, -1) {
		lines = append(lines, strings.Split(strings.TrimSuffix(m[1], "\n"), "\n")...)
	}
	if len(lines) == 0 {
		t.Fatalf("no block of %s", language)
	}
	return lines
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	return string(data)
}

// untimed returns lines without values that differ between runs or versions.
func untimed(s string) string {
	return regexp.MustCompile(`"(elapsed_ms|version)":("[^"]*"|[0-9.e-]+)`).ReplaceAllString(s, `"$1":*`)
}

// Afterstate answers the requests in docs/protocol.md as the page shows.
// UPDATE=1 rewrites the answers.
func TestProtocolRequests(t *testing.T) {
	doc := readFile(t, protocolFile)
	lines := fences(t, doc, "rpc")
	var in strings.Builder
	var last string // bye is in the middle of the page, but ends the session
	for i := 0; i < len(lines); i += 2 {
		request, isRequest := strings.CutPrefix(lines[i], "--> ")
		if !isRequest || i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "<-- ") {
			t.Fatalf("%q is not a request with an answer", lines[i])
		}
		if strings.Contains(request, `"bye"`) {
			last = request
			continue
		}
		in.WriteString(request + "\n")
	}
	status, out, errOut := clitest.Run(t.Context(), strings.NewReader(in.String()+last+"\n"+last), "rpc", "--player", "greedy")
	if status != 0 || errOut != "" {
		t.Fatalf("status %d, %s", status, errOut)
	}
	answers := strings.Split(strings.TrimSpace(out), "\n")
	bye := answers[len(answers)-1]
	for i := 0; i < len(lines); i += 2 {
		answer := bye
		if !strings.Contains(lines[i], `"bye"`) {
			answer, answers = answers[0], answers[1:]
		}
		want := "<-- " + answer
		if untimed(lines[i+1]) == untimed(want) {
			continue
		}
		if !must.Updating() {
			t.Errorf("%s\nthe page says %s\nthe answer is %s", lines[i], lines[i+1], want)
		}
		doc = strings.Replace(doc, lines[i]+"\n"+lines[i+1]+"\n", lines[i]+"\n"+want+"\n", 1)
	}
	must.Equal(t, len(answers), 1, "answers that are left, bye included")
	if must.Updating() {
		must.Do(t, os.WriteFile(protocolFile, []byte(doc), 0o644))
	}
}

// The bot in docs/protocol.md is the example bot, and receives and sends the messages that the page
// shows.
func TestProtocolBot(t *testing.T) {
	testenv.Interpreter(t, "python3")
	doc, bot := readFile(t, protocolFile), readFile(t, "../examples/bot/bot.py")
	_, code, _ := strings.Cut(bot, "\n") // without its first line, a comment
	if diff := cmp.Diff(strings.TrimSpace(code), strings.Join(fences(t, doc, "python"), "\n")); diff != "" {
		t.Errorf("the page's bot is not the example:\n%s", diff)
	}
	path := must.Get(filepath.Abs("../examples/bot/bot.py"))(t)
	dir := t.TempDir()
	spec := `exec(cmd="sh -c 'tee ` + dir + `/heard | python3 ` + path + ` | tee ` + dir + `/said'")`
	var heard, sent []string
	clitest.WaitFor(t, func() bool { // a bot that a busy machine pauses is killed before it answers bye
		succeeds(t, "arena", spec, "--size", "2x2", "--seed", "1", "--games", "1")
		heard = strings.Split(readFile(t, dir+"/heard"), "\n")
		sent = strings.Split(readFile(t, dir+"/said"), "\n")
		return len(heard) == len(sent)
	})
	var talk strings.Builder
	for i := range heard {
		talk.WriteString("--> " + heard[i] + "\n<-- " + sent[i] + "\n")
	}
	lines := fences(t, doc, "bot")
	for i := 0; i < len(lines); i += 2 {
		must.Contains(t, talk.String(), lines[i]+"\n"+lines[i+1]+"\n", "the talk")
	}
}

// rpc gets its player ready, here another bot, before it answers a hello with a size.
func TestRpcPreparesOnHello(t *testing.T) {
	testenv.Interpreter(t, "python3")
	path := must.Get(filepath.Abs("../examples/bot/bot.py"))(t)
	for hello, want := range map[string]string{
		`{"size":"3x4"}`: `{"jsonrpc":"2.0","id":1,"method":"hello","params":{"name":"afterstate","protocol":1,"size":"3x4"}}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"bye"}` + "\n",
		`{}`:             "",
	} {
		heard := filepath.Join(t.TempDir(), "heard")
		spec := `exec(cmd="sh -c 'tee ` + heard + ` | python3 ` + path + `'")`
		in := `{"jsonrpc":"2.0","id":1,"method":"hello","params":` + hello + "}\n" + `{"jsonrpc":"2.0","id":2,"method":"bye"}` + "\n"
		status, out, errOut := clitest.Run(t.Context(), strings.NewReader(in), "rpc", "--player", spec)
		if status != 0 || errOut != "" || strings.Count(out, `"result":`) != 2 {
			t.Errorf("hello %s: status %d, %s%s", hello, status, out, errOut)
		}
		got, err := os.ReadFile(heard)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("hello %s: the bot receives %q, %v, want %q", hello, got, err, want)
		}
	}
}

// exampleGames holds the games of the example bots.
const exampleGames = "0,236,32,37\n1,272,32,45\n2,248,32,40\n3,456,64,59\n4,456,64,59"

// The example bots are short, and play the same games. The quick suite starts the one in Python.
func TestExampleBots(t *testing.T) {
	for _, file := range []string{"bot.py", "bot.js", "main.go"} {
		n := 0
		for line := range strings.Lines(readFile(t, "../examples/bot/"+file)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "//") {
				n++
			}
		}
		if n >= 20 {
			t.Errorf("%s has %d lines of code, want less than 20", file, n)
		}
	}
	started := map[string]string{"bot.py": testenv.Interpreter(t, "python3") + " ../examples/bot/bot.py"}
	if soak.Wanted() {
		dir := t.TempDir()
		if out, err := exec.Command("go", "build", "-o", dir+"/bot", "../examples/bot").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		started["main.go"] = dir + "/bot"
		started["bot.js"] = testenv.Interpreter(t, "node") + " ../examples/bot/bot.js"
	}
	for file, command := range started {
		t.Run(file, func(t *testing.T) {
			if diff := cmp.Diff(exampleGames, games(t, `exec(cmd="`+command+`")`)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// games returns one line for each game of a player: index, score, tile and moves.
func games(t *testing.T, spec string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "games.csv")
	out := succeeds(t, "arena", spec, "--games", "5", "--seed", "3", "--size", "3x3", "--json", "--csv", file)
	if strings.Contains(out, "forfeits") {
		t.Errorf("%s: %s", spec, out)
	}
	data := readFile(t, file)
	var rows []string
	for _, m := range regexp.MustCompile(`(?m),3,(\d+,\d+,\d+,\d+),[0-9.]+,,3x3,random$`).FindAllStringSubmatch(data, -1) {
		rows = append(rows, m[1])
	}
	return strings.Join(rows, "\n")
}

// Through the protocol, deterministic and random players play the same games as without it.
func TestSameGamesThroughRpc(t *testing.T) {
	for _, spec := range []string{"random", "greedy", "snake(depth=0)", "minimax(eval=sum(empty=2,smoothness=1),depth=1)", "expectimax(eval=gradient,plies=1)"} {
		if !soak.Wanted() && spec != "random" && spec != "snake(depth=0)" {
			continue
		}
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			through := `exec(cmd="` + clitest.Program(t) + ` rpc --player ` + spec + `",time=10s)`
			if diff := cmp.Diff(games(t, spec), games(t, through)); diff != "" {
				t.Errorf("(-itself +through the protocol)\n%s", diff)
			}
		})
	}
}

// best shows a bot's move, and no process is left.
func TestBestWithABot(t *testing.T) {
	path := clitest.Program(t)
	spec := `exec(cmd="` + path + ` rpc --player greedy")`
	boards := strings.Repeat("2,2,4/0,0,2/0,0,0\n2,4/4,2\n", 50)
	status, out, errOut := clitest.Run(t.Context(), strings.NewReader(boards), "best", "--player", spec, "--json", "-", "-j", "2")
	if status != 0 || errOut != "" {
		t.Fatalf("status %d, %s", status, errOut)
	}
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var d struct {
			Move   *string
			Player string
			Source string
		}
		must.Do(t, json.Unmarshal([]byte(line), &d))
		if (d.Move != nil) != (i%2 == 0) || i%2 == 0 && *d.Move != "right" || d.Player != spec || d.Source != "bot" {
			t.Errorf("%s", line)
		}
	}
	// An invalid board ends the command while bots are still answering.
	status, _, errOut = clitest.Run(t.Context(), strings.NewReader(boards+"what?\n"), "best", "--player", spec, "-", "-j", "2")
	if status != 2 || !strings.Contains(errOut, "line 101") {
		t.Errorf("status %d, %s", status, errOut)
	}
	if left := processesOf(path); len(left) > 0 {
		t.Errorf("left: %s", left)
	}
	broken := `exec(cmd="sh -c 'echo boom >&2; exit 7'")`
	status, _, errOut = clitest.Run(t.Context(), nil, "best", "--player", broken, "2,2/0,0")
	if status != 1 || errOut != "afterstate: "+broken+": the program ended without an answer: exit status 7; stderr: boom\n" {
		t.Errorf("status %d, %s", status, errOut)
	}
}

// best shows the values, the depth and the nodes of a bot's answer, and tree draws the tree in it.
func TestBotsOwnValuesAndTree(t *testing.T) {
	python := testenv.Interpreter(t, "python3")
	const position = "2,4,8/0,2,4/0,0,2"
	spec := `exec(cmd="` + python + ` ../examples/bot/search.py")`
	var d protocol.Decision
	must.Do(t, json.Unmarshal([]byte(succeeds(t, "best", "--player", spec, "--json", position)), &d))
	if down := d.Moves.Down; d.Plies != 2 || d.Nodes != 58 || d.Source != "bot" || *down.Value != 52 || *down.Loss != 0 || d.Moves.Up.Value != nil {
		t.Errorf("%+v", d)
	}
	must.Contains(t, succeeds(t, "best", "--player", spec, position), "> down               52\n  left               52\n", "best")
	var tree protocol.Tree
	must.Do(t, json.Unmarshal([]byte(succeeds(t, "tree", "--player", spec, "--width", "0", "--format", "json", position)), &tree))
	if root := tree.Tree; *tree.Move != board.Down || tree.Boards != 59 || tree.Plies != 2 || *root.Value != 52 || len(root.Children) != 2 || !root.Children[0].Chosen {
		t.Errorf("%+v", tree)
	}
	spec = `exec(cmd="` + python + ` ../examples/bot/bot.py")`
	status, _, errOut := clitest.Run(t.Context(), nil, "tree", "--player", spec, position)
	if status != 1 || errOut != "afterstate: "+spec+": the answer to best_move on "+position+" has no member tree\n" {
		t.Errorf("status %d, %s", status, errOut)
	}
}

// processesOf returns the processes that have a path among their arguments.
func processesOf(path string) (found []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		data, err := os.ReadFile(f)
		if pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && pid != os.Getpid() && strings.Contains(string(data), path) {
			found = append(found, strings.ReplaceAll(string(data), "\x00", " "))
		}
	}
	return found
}
