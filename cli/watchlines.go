package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// inLines plays without a terminal: to the end, to --until, or until the context ends, which is an
// error.
func (w *watching) inLines(cmd *cobra.Command) error {
	announceLoading(cmd)
	ctx := cmd.Context()
	view := &lines{out: cmd.OutOrStdout(), every: w.moves}
	if err := view.show(w.game); err != nil {
		return err
	}
	for {
		more, err := w.step(ctx)
		if err != nil || !more {
			return err
		}
		if err := view.show(w.game); err != nil {
			return err
		}
	}
}

// step makes the next move; more is false at the end.
func (w *watching) step(ctx context.Context) (more bool, err error) {
	if w.driver != nil {
		return w.driver.Move(ctx)
	}
	b := w.game.Board()
	if w.until != 0 && board.Tile(b.Largest()) >= int64(w.until) {
		return false, nil
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return w.game.Redo(), nil
}

// lines prints the progress of a game, one line for each new largest tile.
type lines struct {
	out   io.Writer
	every bool // print a line for each move
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
