//go:build unix

package hub_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// A ranking of ten players is played by three workers of a hub. Workers and the scheduler are killed, and the same command continues it: the
// ranks are those of one process alone.
func TestRankKilled(t *testing.T) {
	soak.Full(t, "TestRank ranks in one process")
	l := newLab(t)
	l.startHub()
	workers := []*process{l.worker(), l.worker(), l.worker()}
	words := func(name string, more ...string) []string {
		return append([]string{"arena", "rank", name, "random", "greedy", "snake(depth=0)", "snake(depth=1)", "snake(depth=2)", "perfect",
			"expectimax(eval=gradient,plies=1)", "expectimax(eval=gradient,plies=2)", "expectimax(eval=gradient,plies=3)", "weighted-snake",
			"--size", "2x3", "--games", "300", "--luck", "--json"}, more...)
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
	if got, want := ranks(run.stdout()), ranks(alone); got != want {
		t.Errorf("the ranks are\n%s\nand in one process\n%s", got, want)
	}
}
