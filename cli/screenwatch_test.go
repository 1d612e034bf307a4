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
)

// A watched game can be paused, stepped forward and back, and recorded.
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
	s.Press(strings.Repeat("+", 9), " ")
	s.Sees(`no moves left`)
	s.Press("q")
	s.Ends(0)
	s.Sees(`game over: largest tile \d+, score \d+, \d+ moves`)
	s.Restored()
	if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, []byte(`"player":"greedy"`)) {
		t.Errorf("%v, %s", err, data)
	}
	s = clitest.Start(t, clitest.Options{}, "watch", "--replay", file, "--speed", "0")
	s.Sees(`greedy(?s:.*)no moves left(?s:.*)recorded`)
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

// If stdin is not a terminal, the screen is shown until the game ends.
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
	must.Contains(t, out, `2048: \u001b]52;c`, "the title")
}
