//go:build unix

package cli_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// A game at the keyboard: moves, undo, a hint, quit, and resuming the game.
func TestPlaySession(t *testing.T) {
	t.Parallel()
	state := "XDG_STATE_HOME=" + t.TempDir()
	s := clitest.Start(t, clitest.Options{Env: []string{state}}, "play", "--seed", "7", "--hint", "expectimax(eval=gradient,plies=2)")
	s.Sees(`4x4, seed 7(?s:.*)0 moves`)
	s.Press("left", "s", "l", "k", "down")
	s.Sees(`\b5 moves`)
	s.Press("u")
	s.Sees(`\b4 moves(?s:.*)Undone`)
	s.Press("r", " ")
	s.Sees(`► (up|down|left|right) +█+(?s:.*)2 plies`)
	s.Press("n")
	s.Sees(`Start another game\?`)
	s.Press("n", "?")
	s.Sees(`WASD, HJKL`)
	s.Press("q", "q")
	s.Ends(0)
	s.Sees(`to be continued: score \d+, best \d+, largest tile \d+, 5 moves`)
	s.Restored()

	s = clitest.Start(t, clitest.Options{Env: []string{state}}, "play", "--seed", "7")
	s.Sees(`\b5 moves(?s:.*)where you left\s+it`)
	s.Press(strings.Repeat("u", 5))
	s.Sees(`\b0 moves`)
	s.Press("n", "y")
	s.Sees(`seed 7, game 1`)
	s.Press("q")
	s.Ends(0)
}

// The window may be resized; if it is too small, the screen shows the size that it needs.
func TestResize(t *testing.T) {
	soak.Full(t, "starts a program on a terminal; package tui draws in windows of all sizes")
	t.Parallel()
	s := clitest.Start(t, clitest.Options{}, "play", "--size", "6x6", "--no-animation")
	s.Sees(`6x6, seed \d+`)
	s.Resize(16, 60)
	s.Sees(`window of 43x17; this one has\s+60x16`)
	s.Press("left", "down")
	s.Resize(60, 200)
	s.Sees(`6x6, seed \d+(.*\n){44,}.*▀▀▀`)
	s.Resize(18, 50)
	s.Sees(`score \d+  best \d+`)
	s.Press("ctrl+c")
	s.Ends(130)
	s.Restored()
}

var coloured = regexp.MustCompile(`\x1b\[[0-9;:]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])\b[0-9;:]*m`)

// The screen uses as many colours as the terminal has, and none if NO_COLOR is set.
func TestColourSessions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env      string
		ground   string
		want     string
		not      string
		coloured bool
	}{
		{"COLORTERM=truecolor", "rgb:ffff/ffff/ffff", "48;2;243;237;215", "48;5;", true}, // a 2
		{"COLORTERM=truecolor", "rgb:ffff/ffff/ffff", "48;2;230;226;216", "48;5;", true}, // an empty cell, light
		{"COLORTERM=truecolor", "rgb:0000/0000/0000", "48;2;42;46;55", "48;2;230;226;216", true},
		{"COLORTERM=", "", "48;5;230", "48;2;", true},
		{"NO_COLOR=1", "", "┼", "░", false},
		{"NO_COLOR=yes", "", "┼", "░", false},
	} {
		if !soak.Wanted() && c.ground == "" && c.coloured {
			continue // package tui tests the palettes
		}
		s := clitest.Start(t, clitest.Options{Env: []string{c.env}, Ground: c.ground}, "play", "--seed", "7")
		s.Sees(`seed 7`)
		clitest.WaitFor(t, func() bool { return strings.Contains(s.Output(), c.want) })
		s.Press("left", "q")
		s.Ends(0)
		s.Restored()
		out := s.Output()
		if !strings.Contains(out, c.want) || strings.Contains(out, c.not) || coloured.MatchString(out) != c.coloured {
			t.Errorf("%s %s: %q %v, %q %v, coloured %v", c.env, c.ground, c.want, strings.Contains(out, c.want), c.not, strings.Contains(out, c.not), coloured.MatchString(out))
		}
	}
}

// Two terminals with the same saved game do not overwrite each other's games, even if one is killed.
func TestTwoPlaySessions(t *testing.T) {
	soak.Full(t, "starts programs on terminals; TestPlaySession goes on with a kept game")
	state := "XDG_STATE_HOME=" + t.TempDir()
	first := clitest.Start(t, clitest.Options{Env: []string{state}}, "play", "--seed", "7")
	first.Sees(`4x4, seed 7(?s:.*)0 moves`)
	first.Press("left", "s", "l", "k", "down")
	first.Sees(`\b5 moves`)
	second := clitest.Start(t, clitest.Options{Env: []string{state}}, "play", "--seed", "7")
	second.Sees(`\b0 moves(?s:.*)Your\s+first\s+game\s+is\s+open\s+in\s+another\s+terminal;\s+this\s+is\s+game\s+2`)
	second.Press("left", "s")
	second.Sees(`\b2 moves`)
	first.Press("q")
	first.Ends(0)
	second.Press("q")
	second.Ends(0)
	first = clitest.Start(t, clitest.Options{Env: []string{state}}, "play", "--seed", "7")
	first.Sees(`\b5 moves(?s:.*)where you left\s+it`)
	second = clitest.Start(t, clitest.Options{Env: []string{state}}, "play", "--seed", "7")
	second.Sees(`\b2 moves(?s:.*)where you left\s+it(?s:.*)game\s+2`)
	first.Kill()
	third := clitest.Start(t, clitest.Options{Env: []string{state}}, "play", "--seed", "7")
	third.Sees(`\b5 moves(?s:.*)where you left\s+it`)
	third.Press("q")
	third.Ends(0)
	second.Press("q")
	second.Ends(0)
}

// A terminal without cursor positioning, or with TERM unset, gets plain lines.
func TestDumbTerminals(t *testing.T) {
	for _, env := range []string{"TERM=dumb", "TERM="} {
		s := clitest.Start(t, clitest.Options{Env: []string{env}}, "play", "--seed", "7", "--hint", "greedy")
		s.Sees(`score 0, best 0, 0 moves\nmove:`)
		s.Press("left up\r")
		s.Sees(`score \d+, best \d+, [12] moves?\nmove:`)
		s.Press("hint\r")
		s.Sees(`► (up|down|left|right)  (up|right|down|left) (best|good|blunder)`)
		s.Press("jump\r")
		s.Sees(`"jump" is not a move: must be up, down,`)
		s.Press("undo new\r")
		s.Sees(`Start another game\? yes or no:`)
		s.Press("no quit\r")
		s.Ends(0)
		s.Sees(`to be continued: score \d+`)
		s.Restored()
		if out := s.Output(); strings.Contains(out, "\x1b") {
			t.Errorf("%s: %q", env, out)
		}
		s = clitest.Start(t, clitest.Options{Env: []string{env}}, "watch", "greedy", "--size", "2x2", "--seed", "1")
		s.Ends(0)
		s.Sees(`move 0  score 0(?s:.*)game over: largest tile`)
		if out := s.Output(); strings.Contains(out, "\x1b") {
			t.Errorf("%s: %q", env, out)
		}
	}
}
