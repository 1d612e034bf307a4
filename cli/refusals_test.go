package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

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
		{"greedy searches no tree; must be one of champion, master, expert, snake, deepening, alphabeta, weighted-snake, auto, best, foresight, minimax, expectimax, ntuple", []string{"tree", "-p", "greedy", "2,2/0,0"}},
		{"random searches no tree", []string{"tree", "-p", "random", "2,2/0,0", "-o", "never.svg"}},
		{"searches no tree", []string{"tree", "-p", `exec(cmd="true")`, "2,2/0,0"}},
		{`format "png": must be svg, dot or json`, []string{"tree", "-f", "png", "2,2/0,0"}},
		{"depth -1", []string{"tree", "-d", "-1", "2,2/0,0"}},
		{"width -1", []string{"tree", "-w", "-1", "2,2/0,0"}},
		{"--boards 0: must be a whole number from 1 to 5000", []string{"tree", "-n", "0", "2,2/0,0"}},
		{`"3" is not a tile`, []string{"tree", "2,3/0,0"}},
		{"empty board", []string{"tree", "-"}},
		{"is a folder", []string{"tree", "-o", ".", "2,2/0,0"}},
		{"too large to keep its tree", []string{"tree", "-p", "foresight(depth=10000,beam=100000)", "--seed", "1", "--score", "0", "2,2/0,0"}},
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
