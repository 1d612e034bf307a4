//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// On a terminal best and watch ask whether to solve a size, and use the table after a yes. Games for a
// small goal are short, so that its table is made at once.
func TestOfferOnTerminal(t *testing.T) {
	soak.Full(t, "starts programs on terminals; TestScripts/solve has the hint without one")
	t.Parallel()
	cache := t.TempDir()
	folder := filepath.Join(cache, "afterstate", "solved")
	run := func(args ...string) *clitest.Session {
		return clitest.Start(t, clitest.Options{Cols: 120, Rows: 30, Env: []string{"XDG_CACHE_HOME=" + cache}}, args...)
	}
	const board = "0,0,2,0/0,2,0,0"

	// No is the default, and auto searches then.
	s := run("best", board)
	s.Sees(`Solve 2x4 once for exact values \(about 1 s, \d+ MB\)\? \[y/N\]`)
	s.Press("enter")
	s.Ends(0)
	s.Sees(`search`)
	if _, err := os.Stat(folder); err == nil {
		t.Error("it is solved after a no")
	}

	// Ctrl-C ends the command.
	s = run("watch", "perfect(goal=16)", "--size", "2x4")
	s.Sees(`Solve 2x4 once`)
	s.Press("ctrl+c")
	s.Ends(130)
	s.Restored()

	s = run("best", "--player", "perfect(goal=16)", board)
	s.Sees(`Solve 2x4 once`)
	s.Press("y", "enter")
	s.Ends(0)
	s.Sees(`2x4 is solved, in \d+\.\d s(?s:.*)exact`)

	// It asks no more. Keys that follow the answer belong to the screen.
	s = run("best", "--player", "perfect(goal=16)", board)
	s.Ends(0)
	if text := s.Sees(`perfect\(goal=16\): exact, .* values are chances to make the goal`); strings.Contains(text, "[y/N]") {
		t.Errorf("it asks again:\n%s", text)
	}
	s = run("watch", "perfect(goal=32)", "--size", "2x4", "--speed", "0", "--until", "32")
	s.Sees(`Solve 2x4 once`)
	s.Press("yes", "enter")
	s.Sees(`2x4, seed \d+`)
	s.Press("q")
	s.Ends(0)
	s.Restored()
	if files, err := os.ReadDir(folder); err != nil || len(files) != 2 {
		t.Errorf("%v, %v; must be two tables", files, err)
	}
}
