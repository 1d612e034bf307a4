package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/search"
)

// inLines plays without a terminal: to the end, to --until, or until the context
// ends, which is an error.
func (w *watching) inLines(cmd *cobra.Command) error {
	ctx := cmd.Context()
	view := &lines{out: cmd.OutOrStdout(), every: w.moves}
	if err := view.show(w.game); err != nil {
		return err
	}
	for !w.reached() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if more, err := w.step(ctx); err != nil || !more {
			return err
		}
		if err := view.show(w.game); err != nil {
			return err
		}
	}
	return nil
}

// step makes the next move; more is false at the end.
func (w *watching) step(ctx context.Context) (more bool, err error) {
	if w.player == nil {
		return w.game.Redo(), nil
	}
	d, err := w.player.Decide(ctx, search.Query{Position: eval.Position{Board: w.game.Board(), Score: w.game.Score()}})
	if err != nil || !d.OK {
		return false, err
	}
	if err := w.game.Move(d.Move); err != nil {
		return false, fmt.Errorf("%s, move %d: %w", w.spec, w.game.Moves()+1, err)
	}
	return true, nil
}

func (w *watching) reached() bool {
	b := w.game.Board()
	return w.until != 0 && board.Tile(b.Largest()) >= int64(w.until)
}

// lines tells how a game goes on, a line for each new largest tile.
type lines struct {
	out   io.Writer
	every bool // a line for each move
	most  uint8
}

func (l *lines) show(g *game.Game) error {
	b := g.Board()
	if most := b.Largest(); !l.every && most <= l.most && g.Moves() > 0 {
		return nil
	} else if most > l.most {
		l.most = most
	}
	_, err := fmt.Fprintf(l.out, "move %d  score %d  tile %d  %v\n", g.Moves(), g.Score(), board.Tile(l.most), b)
	return err
}
