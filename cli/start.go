package cli

import (
	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// startFlag is the board from which a game begins.
type startFlag string

// board returns board number index of those that the flag names, counted round and round, and sets
// the size; the zero board if the flag is not given.
func (f startFlag) board(cmd *cobra.Command, size *flags.Size, index uint64) (board.Board, error) {
	if f == "" {
		return board.Board{}, nil
	}
	if cmd.Flags().Changed("size") {
		return board.Board{}, usage.Errorf("--size and --start: the size is that of the board")
	}
	starts, _, err := stages.Load(string(f), cmd.InOrStdin())
	if err == nil {
		err = arena.CheckStarts(starts, game.Stop{})
	}
	if err != nil {
		return board.Board{}, usage.Errorf("--start: %w", err)
	}
	b := starts[index%uint64(len(starts))].Board
	size.Size = b.Size()
	return b, nil
}
