package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/live"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/tui"
)

// onScreen shows the game on the terminal until the viewer quits.
func (w *watching) onScreen(cmd *cobra.Command) error {
	ctx, stop := live.UntilHangup(cmd.Context())
	defer stop()
	b := w.game.Board()
	about := b.Size().String()
	if w.seeded() {
		about += fmt.Sprintf(", seed %d", w.meta.Seed)
	}
	if w.meta.Game > 0 {
		about += fmt.Sprintf(", game %d", w.meta.Game)
	}
	if w.meta.Spawn != record.Random {
		about += ", " + w.meta.Spawn
	}
	byHand, err := tui.Watch(ctx, terminal(cmd), tui.WatchOptions{
		Game: w.game, Driver: w.driver, Name: w.spec, About: about,
		Until: int64(w.until), Speed: w.speed, Animate: !w.still,
	})
	if byHand > 0 { // the record must not attribute manual moves to the player
		w.meta.Player += fmt.Sprintf(" and a person from move %d on", byHand)
	}
	return err
}

// terminal returns the terminal for a command's screen.
func terminal(cmd *cobra.Command) tui.Terminal {
	in, _ := live.FileOf(cmd.InOrStdin())
	out, _ := live.FileOf(cmd.OutOrStdout())
	return tui.Terminal{In: in, Out: out}
}
