package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

func TestMain(m *testing.M) { clitest.Main(m, clitest.CacheSignature) }

// The commands do what testdata/script says.
func TestScripts(t *testing.T) { clitest.Scripts(t) }

// succeeds runs a command line in this process, which must succeed, and returns its output.
func succeeds(t testing.TB, args ...string) (out string) {
	t.Helper()
	status, out, errOut := clitest.Run(t.Context(), strings.NewReader(""), args...)
	if status != 0 {
		t.Fatalf("%q: status %d, %s", args, status, errOut)
	}
	return out
}

// A stream of thousands is answered in order, for any number of workers.
func TestBestStream(t *testing.T) {
	var in strings.Builder
	const boards = 3000
	for i := range boards {
		fmt.Fprintf(&in, "%d,0,0/0,%d,0/2,0,4\n", 2<<(i%7), 2<<(i/7%9))
	}
	var first string
	for _, workers := range []string{"1", "2", "7"} {
		status, out, errOut := clitest.Run(t.Context(), strings.NewReader(in.String()), "best", "-", "-j", workers, "-p", "expectimax(plies=1)")
		if status != 0 || errOut != "" {
			t.Fatalf("status %d, %s", status, errOut)
		}
		if n := strings.Count(out, "\n"); n != boards {
			t.Fatalf("%d answers, want %d", n, boards)
		}
		if first == "" {
			first = out
		} else if out != first {
			t.Fatalf("%s workers answer differently", workers)
		}
	}
}

// inspect answers the rule vectors as the original's code did.
func TestInspectVectors(t *testing.T) {
	for _, size := range []string{"3x3", "4x4", "5x5", "6x6"} {
		data := must.Get(os.ReadFile("../rules/board/testdata/original-rules-" + size + ".jsonl"))(t)
		var in strings.Builder
		for line := range strings.Lines(string(data)) {
			var v struct{ Board board.Board }
			must.Do(t, json.Unmarshal([]byte(line), &v))
			fmt.Fprintln(&in, v.Board)
		}
		status, out, errOut := clitest.Run(t.Context(), strings.NewReader(in.String()), "inspect", "--json", "-")
		if status != 0 || errOut != "" {
			t.Fatalf("status %d, %s", status, errOut)
		}
		must.Equal(t, out == string(data), true, size, "inspect gives the vectors")
	}
}

type innerFlags struct {
	Path string `flag:"db" help:"the store, a <FILE>"`
}

type flagWord string

type allFlags struct {
	innerFlags
	games   int           `flag:"games,n" default:"100" range:"1:1000" help:"games of each player"`
	wait    time.Duration `flag:"wait" default:"10s" range:"1ms:1h"`
	share   float64       `flag:"share" range:"0:"`
	names   []string      `flag:"name"`
	own     flagWord      `flag:"own" default:"x"`
	quiet   bool          `flag:"quiet"`
	private int
	left    struct {
		out string `flag:"out"`
	} `flag:"-"`
}

// Tags of fields make flags with their defaults and limits.
func TestFlags(t *testing.T) {
	var o allFlags
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	usage.Flags(set, &o)
	if o.games != 100 || o.wait != 10*time.Second || o.own != "x" || set.Lookup("games").DefValue != "100" || set.Lookup("wait").DefValue != "10s" {
		t.Errorf("defaults: %+v", o)
	}
	if set.Lookup("private") != nil || set.Lookup("out") != nil || o.private != 0 || o.left.out != "" {
		t.Error("a field without a tag, or a struct that is left out, has a flag")
	}
	if name, text := pflag.UnquoteUsage(set.Lookup("db")); name != "FILE" || text != "the store, a FILE" {
		t.Errorf("%q %q", name, text)
	}
	must.Do(t, set.Parse(strings.Fields("-n 7 --wait 1ms --share 1e9 --name a,b --own y --quiet --db p")))
	if o.games != 7 || o.wait != time.Millisecond || o.share != 1e9 || len(o.names) != 2 || o.own != "y" || !o.quiet || o.Path != "p" {
		t.Errorf("%+v", o)
	}
	for args, want := range map[string]string{
		"-n 0":        "0: must be a whole number from 1 to 1000",
		"-n 1001":     "1001: must be a whole number from 1 to 1000",
		"-n x":        "x: must be a whole number from 1 to 1000",
		"--wait 2h":   "2h: must be a time from 1ms to 1h such as 200ms",
		"--share -1":  "-1: must be a number of at least 0",
		"--share NaN": "NaN: must be a number of at least 0",
	} {
		must.Contains(t, fmt.Sprint(set.Parse(strings.Fields(args))), want, args)
	}
}

// Bad input: status 2, one to three lines that name the culprit, nothing on stdout.
func TestRefusals(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		want string
		args []string
	}{
		{`no command is called "wacth": did you mean watch?`, []string{"wacth"}},
		{"afterstate: no flag is called --verison: did you mean --version?", []string{"--verison"}},
		{"watch has no flag --seeed: did you mean --seed?", []string{"watch", "--seeed", "1"}},
		{`--size: size "7x7": must be RxC`, []string{"watch", "--size", "7x7"}},
		{`--size: size "4": must be RxC`, []string{"watch", "--size", "4"}},
		{"--seed -1: must be a whole number from 0 to 2^64-1", []string{"watch", "--seed", "-1"}},
		{"--until 1000: must be a tile from 2 to 2^48 such as 2048", []string{"watch", "--until", "1000"}},
		{"speed -1", []string{"watch", "--speed", "-1"}},
		{`no spawn rule is called "advesary": did you mean adversary?`, []string{"watch", "--spawn", "advesary"}},
		{"p4=2: must be a number from 0 to 1", []string{"watch", "--spawn", "random(p4=2)"}},
		{"one argument too many", []string{"watch", "auto", "snake"}},
		{`no player is called "snek": did you mean snake?`, []string{"watch", "snek"}},
		{"did you mean depth?", []string{"watch", "snake(dept=1)"}},
		{"plies=0", []string{"watch", "expectimax(plies=0)"}},
		{"time=5", []string{"watch", "deepening(time=5)"}},
		{"column 7", []string{"watch", "snake("}},
		{"did you mean gradient?", []string{"watch", "minimax(eval=gradent)"}},
		{"no-such-file.json", []string{"watch", `minimax(eval=sum(file="no-such-file.json"))`}},
		{"without a beam", []string{"watch", "foresight(depth=30)"}},
		{"row 2 has 1 cell,", []string{"best", "2,2/2"}},
		{`"5" is not a tile`, []string{"inspect", "2,5/0,0"}},
		{"empty board", []string{"best", ""}},
		{"must be a whole number from 0 to 12", []string{"perft", "2,2/2,2", "x"}},
		{"missing a board", []string{"perft", "2,2/2,2"}},
		{"missing at least one player spec", []string{"arena"}},
		{"--workers 0: must be a whole number from 1 to 4096", []string{"arena", "random", "-j", "0"}},
		{"is a folder", []string{"arena", "random", "--csv", "."}},
		{`--games 99999999999999999999: must be a whole number`, []string{"arena", "random", "--games", "99999999999999999999"}},
		{`--score abc: must be a whole number`, []string{"best", "2,2/2,2", "--score", "abc"}},
		{"score -3", []string{"best", "2,2/2,2", "--score", "-3"}},
		{"greedy does not search a tree: must be a player that does, such as auto, expectimax, minimax or ntuple", []string{"tree", "-p", "greedy", "2,2/0,0"}},
		{"random does not search a tree", []string{"tree", "-p", "random", "2,2/0,0", "-o", "never.svg"}},
		{`format "png": must be svg or json`, []string{"tree", "-f", "png", "2,2/0,0"}},
		{"depth -1", []string{"tree", "-d", "-1", "2,2/0,0"}},
		{"width -1", []string{"tree", "-w", "-1", "2,2/0,0"}},
		{"--boards 0: must be a whole number from 1 to 5000", []string{"tree", "-n", "0", "2,2/0,0"}},
		{`"3" is not a tile`, []string{"tree", "2,3/0,0"}},
		{"is a folder", []string{"tree", "-o", ".", "2,2/0,0"}},
		{"foresight does not search a tree", []string{"tree", "-p", "foresight", "2,2/0,0"}},
		{"one argument too many", []string{"tree", "2,2/0,0", "4,4/0,0"}},
	} {
		status, out, errOut := clitest.Run(t.Context(), strings.NewReader(""), c.args...)
		if status != 2 || out != "" || strings.Count(errOut, "\n") > 3 || !strings.Contains(errOut, c.want) {
			t.Errorf("%q: status %d, want 2 and %q\n%s%s", c.args, status, c.want, out, errOut)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
