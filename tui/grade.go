package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
)

// grades shows the class of each of the user's moves, by the judge of reviews. It judges every legal move of a board
// before the user has moved.
type grades struct {
	judge  *review.Judge
	on     bool
	at     eval.Position      // position last sent to the judge
	moves  []review.Judgement // the judged legal moves of that position; nil until the judge has answered
	err    error
	cancel context.CancelFunc // cancels the current request; nil before the first

	tally review.Tally // sums over the counted moves; a move made again after an undo does not count
	turn  int          // the highest move number that was counted
	slip  int          // tally.Moves after the last counted move that was worse than good; the streak begins there
}

// gradesMsg is the judge's answer for a position.
type gradesMsg struct {
	at    eval.Position
	moves []review.Judgement
	err   error
}

// ask returns a command that judges the legal moves of a position, or nil if that was requested already.
func (g *grades) ask(at eval.Position) tea.Cmd {
	if at == g.at {
		return nil
	}
	g.stop()
	ctx, cancel := context.WithCancel(context.Background())
	g.at, g.moves, g.err, g.cancel = at, nil, nil, cancel
	return func() tea.Msg {
		moves, err := g.judge.Review(ctx, review.Choices(at), review.Options{Threads: 1})
		return gradesMsg{at, moves, err}
	}
}

// stop cancels the current request.
func (g *grades) stop() {
	if g.cancel != nil {
		g.cancel()
	}
}

// grade counts the user's move with this number, and returns its class as text.
func (g *grades) grade(number int, d board.Direction) string {
	if !g.on {
		return ""
	}
	counts := number > g.turn
	g.turn = max(g.turn, number)
	i := slices.IndexFunc(g.moves, func(m review.Judgement) bool { return m.Played == d })
	switch {
	case g.err != nil:
		return "Not graded: " + g.err.Error()
	case i < 0:
		return "Not graded: the judge has not answered yet."
	}
	move := &g.moves[i]
	text := move.Grade.String()
	if counts {
		g.tally.Add(move)
		if move.Loss > player.GoodLimit || move.Lost {
			g.slip = g.tally.Moves
		}
	} else if move.Loss > 0 {
		text += fmt.Sprintf(", better: %v", move.Best)
	}
	return fmt.Sprintf("%s. Accuracy %s, streak %d.", text, numfmt.Share(g.tally.Accuracy()), g.tally.Moves-g.slip)
}
