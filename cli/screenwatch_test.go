//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// Watching: pause, step, back, take over, hand back, and a record of it all.
func TestWatchSession(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "game.jsonl")
	s := clitest.Start(t, clitest.Options{}, "watch", "greedy", "--seed", "7", "--speed", "1", "--record", file)
	s.Sees(`greedy\s(?s:.*)4x4, seed 7(?s:.*)1 move/s(?s:.*)\d moves?`)
	s.Press(" ")
	s.Sees(`paused`)
	s.Press(strings.Repeat("b", 50)) // the moves that were made before the pause
	s.Sees(`\b0 moves`)
	s.Press("n", "n", "n")
	s.Sees(`\b3 moves`)
	s.Press("b")
	s.Sees(`\b2 moves(?s:.*)► (up|down|left|right) +█`)
	s.Press("t")
	s.Sees(`you are playing(?s:.*)hand back`)
	s.Press("left", "down", "left", "down")
	s.Sees(`\b[3-6] moves`)
	s.Press("t")
	s.Sees(`paused`) // as it was before the viewer took over
	s.Press(strings.Repeat("+", 9), " ")
	s.Sees(`no moves left`)
	s.Press("q")
	s.Ends(0)
	s.Sees(`game over: largest tile \d+, score \d+, \d+ moves`)
	s.Restored()
	if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, []byte(`"player":"greedy and a person from move 3 on"`)) {
		t.Errorf("%v, %s", err, data)
	}
	s = clitest.Start(t, clitest.Options{}, "watch", "--replay", file, "--speed", "0")
	s.Sees(`greedy and a person(?s:.*)no moves left(?s:.*)recorded`)
	s.Press("q")
	s.Ends(0)
}

// Ctrl-C keeps the record and gives the terminal back.
func TestWatchInterrupted(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "game.jsonl")
	s := clitest.Start(t, clitest.Options{}, "watch", "--seed", "1", "--record", file)
	s.Sees(`\b([5-9]|\d\d+) moves`)
	s.Press("ctrl+c")
	s.Ends(130)
	s.Sees(`stopped: largest tile \d+(?s:.*)interrupted`)
	s.Restored()
	if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, []byte(`"player":"auto"`)) {
		t.Errorf("%v, %s", err, data)
	}
}

// Without keys the screen is shown to the end of the game.
func TestWatchWithoutKeys(t *testing.T) {
	t.Parallel()
	s := clitest.Start(t, clitest.Options{NoKeys: true}, "watch", "greedy", "--seed", "7", "--speed", "0")
	s.Ends(0)
	s.Sees(`game over: largest tile`)
	s.Restored()
}

// A name in a record reaches neither the screen nor the window's title with its controls.
func TestDoorOfScreens(t *testing.T) {
	hostileFiles(t)
	file := must.Get(filepath.Abs("game.jsonl"))(t)
	s := clitest.Start(t, clitest.Options{Cols: 120, Rows: 30}, "watch", "--replay", file, "--speed", "0")
	s.Sees(`52;c`)
	s.Press("q")
	s.Ends(0)
	s.Sees(`(stopped|game over): largest tile`)
	s.Restored()
	out := s.Output()
	for _, bad := range []string{"\x1b]52", "\u009b", "\x7f", "\u202e"} {
		if strings.Contains(out, bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
	if title := `2048: \u001b]52;c`; !strings.Contains(out, title) {
		t.Errorf("the title is not %q", title)
	}
}

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
