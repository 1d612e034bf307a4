//go:build unix

package cli_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

// A game is followed on a terminal: advice at once, two keys a move, undo, paste, the board at the end.
func TestAssistSession(t *testing.T) {
	t.Parallel()
	s := clitest.Start(t, clitest.Options{}, "assist", "--player", "expectimax(eval=gradient,plies=2)")
	s.Sees(`Where are the first tiles\?(?s:.*)\bb\b +c +e +f\b`)
	s.Press("b", "C")
	s.Sees(`Best move: (up|right|down|left)(?s:.*)► (up|down|left|right) +█+(?s:.*)2 plies`)
	s.Press("c")
	s.Sees(`c again: a 4(?s:.*)2 plies`)
	s.Press("left")
	s.Sees(`\b4 +c +e +f\b(?s:.*)Where is the new tile\?|Where is the new tile\?(?s:.*)\b4 +c +e +f\b`)
	s.Press("u")
	s.Sees(`Best move: `)
	s.Press("\x1b[200~2 4 8\r16 32 64\r. . 2\x1b[201~")
	s.Sees(`Best move: (?s:.*)3x3, largest tile 64`)
	s.Press("enter")
	s.Sees(`Where is the new tile\?`)
	s.Press("?")
	s.Sees(`edit; or paste a board`)
	s.Press("q", "q")
	s.Ends(0)
	s.Sees(`(?m)^[0-9]+,[0-9]+,[0-9]+/[0-9,]+/[0-9,]+$`)
	s.Restored()
}

// Where text cannot be placed, boards are drawn and words are read.
func TestAssistDumb(t *testing.T) {
	t.Parallel()
	s := clitest.Start(t, clitest.Options{Env: []string{"TERM=dumb"}}, "assist", "--player", "greedy", "2,4/2,0")
	s.Sees(` 2 +4\n +2 +\.\nbest: up, right blunder -\d+ %, down best`)
	s.Press("hm\r")
	s.Sees(`error: "hm": must be up, right, down, left, best, undo, quit`)
	s.Press("best 2@b2\r")
	s.Sees(` 4 +4\n +\. +2\nbest: right, `)
	s.Press("quit\r")
	s.Ends(0)
	s.Restored()
}
