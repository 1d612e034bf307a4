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

// A closed terminal ends the program, with SIGHUP or by a failed read, and the game is saved.
func TestLostTerminal(t *testing.T) {
	soak.Full(t, "starts programs on terminals; package tui has a terminal whose reads fail")
	t.Parallel()
	for _, detached := range []bool{false, true} {
		dir := t.TempDir()
		s := clitest.Start(t, clitest.Options{Env: []string{"XDG_STATE_HOME=" + dir}, Detached: detached}, "play", "--seed", "7")
		s.Sees(`seed 7`)
		s.Press("left", "down", "left", "down")
		s.Sees(`\b[2-4] moves`)
		s.HangUp()
		if _, err := os.Stat(filepath.Join(dir, "afterstate", "game-4x4-seed7.json")); err != nil {
			t.Errorf("detached %v: %v", detached, err)
		}

		file := filepath.Join(dir, "game.jsonl")
		s = clitest.Start(t, clitest.Options{Detached: detached}, "watch", "--seed", "1", "--record", file)
		s.Sees(`\b([5-9]|\d\d+) moves`)
		s.HangUp()
		if _, err := os.Stat(file); err != nil {
			t.Errorf("detached %v: %v", detached, err)
		}
	}
}

// Ctrl-Z stops the program with the terminal as it was, and fg gives the keys back.
func TestSuspend(t *testing.T) {
	soak.Full(t, "starts programs on terminals; TestPlaySession and TestWatchSession restore theirs")
	const shell = `set -m; "$0" "$@"; echo; echo job stopped; read _; fg >&2; echo shell ends`
	for _, args := range [][]string{{"play", "--seed", "7"}, {"watch", "greedy", "--seed", "7", "--speed", "1"}} {
		s := clitest.Start(t, clitest.Options{Shell: shell}, args...)
		s.Sees(`4x4, seed 7(?s:.*)0 moves`)
		s.Press("\x1a")
		s.Sees(`job stopped`)
		s.Restored()
		s.Press("\n")
		s.Sees(`4x4, seed 7`)
		if args[0] == "play" {
			s.Press("left", "s", "l", "k", "down")
			s.Sees(`\b5 moves`)
		} else {
			s.Press(" ")
			s.Sees(`paused`)
		}
		s.Press("q")
		s.Sees(`shell ends`)
		s.Ends(0)
		s.Restored()
	}
}

// Where no shell could continue the program, it does not stop.
func TestSuspendWithoutShell(t *testing.T) {
	soak.Full(t, "starts programs on terminals; TestPlaySession restores its terminal")
	s := clitest.Start(t, clitest.Options{}, "play", "--seed", "7")
	s.Sees(`4x4, seed 7(?s:.*)0 moves`)
	entered := strings.Count(s.Output(), "\x1b[?1049h")
	s.Press("\x1a")
	// Keys sent while the program leaves and re-enters the alternate screen may be lost.
	clitest.WaitFor(t, func() bool { return strings.Count(s.Output(), "\x1b[?1049h") > entered })
	s.Press("left")
	s.Sees(`\b1 move`)
	s.Press("q")
	s.Ends(0)
	s.Restored()
}
