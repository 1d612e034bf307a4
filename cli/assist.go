package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/serve/session"
	"github.com/afterstate2048/afterstate/tui"
)

// adviceFlags are the flags of commands that advise in games elsewhere.
type adviceFlags struct {
	player string        `flag:"player,p" default:"auto" help:"player <SPEC>; see afterstate players"`
	time   time.Duration `flag:"time" default:"10s" range:"1ms:1h" help:"time limit of one decision"`
}

type assistFlags struct {
	adviceFlags
	image imageFlags
	size  flags.Size `flag:"size,s" default:"4x4" help:"at the beginning of a game, "`
}

func newAssist() *cobra.Command {
	cmd := usage.Command(&cobra.Command{
		Use:   "assist [BOARD]",
		Short: "Follow a game that you play elsewhere, with the best move at once",
		Long: `Follow a game that you play elsewhere, on a phone or a page: assist shows the best
move, you enter the move and the new tile, and the next best move is there at once.

Enter or space makes the best move, arrows, WASD or HJKL another one. Then each empty
cell shows a key: press it for a new 2, and again, or with Shift, for a 4. u undoes as
much as you like. Paste a board to continue from it, or press tab to type one, or cells
such as 64@b3. q quits and prints the board, from which assist can continue.

Without BOARD the game begins: the board is empty, and the first two tiles are due.

` + oneBoardHelp + `

` + imageHelp + `

If the player can have exact values of the size but it is not solved, assist asks on a terminal
whether to solve it first, which takes seconds (see solve).

Without a terminal assist is a line protocol. A line on stdin has one or more words:
up, right, down, left, best (the best move), 2@b3 (a new 2 in column b, row 3 from the
top), undo, quit. Or it is a board, or edit and cells. Two lines on stdout answer it,
the board and what is next; the first two come before any input:

  best: left, up good -0.4 %, down lost    the best move, then what the others are worth
  tile: enter the new tile, such as 2@b3   a tile is due before the next move
  over: no legal move
  error: what is wrong                     the words before it have their effect

The exit status is 2 if there was an error.`,
		Example: `afterstate assist
afterstate assist --image screenshot.png
afterstate assist --player "expectimax(eval=gradient,plies=3)" 2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2
printf 'best 2@c2\ndown 4@a1\n' | afterstate assist --player snake 2,4,8/0,2,4/0,0,2`,
		Args: usage.Args(0, 1, "a board"),
	}, &assistFlags{}, runAssist)
	for name, usage := range map[string]string{
		"image": "follow from the board on a screenshot `FILE`", "time": "time limit of one piece of advice",
		"player": "player `SPEC` that gives the advice; see afterstate players",
	} {
		cmd.Flags().Lookup(name).Usage = usage
	}
	return cmd
}

func runAssist(cmd *cobra.Command, args []string, f *assistFlags) error {
	b, err := f.startBoard(cmd, args)
	if err != nil {
		return err
	}
	m, err := f.maker()
	if err != nil {
		return err
	}
	o := tui.AssistOptions{Board: b, Player: m}
	keys, shown := output.IsTerminal(cmd.InOrStdin()), output.IsTerminal(cmd.OutOrStdout())
	if !keys || !output.PlacesText(cmd.OutOrStdout()) {
		announceLoading(cmd)
		refused, err := tui.AssistLines(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), o, shown)
		if err == nil && refused > 0 && !keys {
			err = usage.Errorf("assist: lines with an error: %d; see afterstate assist --help", refused)
		}
		return err
	}
	if err := offerExact(cmd, &m, b.Size()); err != nil {
		return err
	}
	ctx, stop := output.UntilHangup(cmd.Context())
	defer stop()
	last, err := tui.Assist(ctx, terminal(cmd), o)
	fmt.Fprintln(cmd.OutOrStdout(), last)
	return err
}

// startBoard returns the board to follow from: that of the argument or the picture, or an empty one.
func (f *assistFlags) startBoard(cmd *cobra.Command, args []string) (b board.Board, err error) {
	switch {
	case f.image.path == "-":
		return b, usage.Errorf("--image -: stdin has the keys or lines: want a file")
	case f.image.path == "" && len(args) == 0 && !f.image.accept:
		return board.New(f.size.Size), nil
	case cmd.Flags().Changed("size"):
		return b, usage.Errorf("--size is for a game from its beginning: the board has a size")
	}
	given, err := f.image.boards(cmd, args, false)
	if err != nil {
		return b, err
	}
	b, err = board.Parse(given[0])
	return b, usage.Wrap(err)
}

// maker returns the player, whose decisions are limited in time.
func (f *adviceFlags) maker() (catalog.Maker, error) {
	m, err := program.Player(f.player)
	switch {
	case err != nil:
		return m, usage.Errorf("--player: %w", err)
	case m.Foresees:
		return m, usage.Errorf("--player: %s knows the coming spawns, which nobody knows of a game elsewhere: want another player", m.Spec)
	}
	create := m.New
	m.New = func() player.Player { return session.LimitTime(create(), f.time) }
	return m, nil
}
