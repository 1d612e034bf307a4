package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/serve/session"
)

func newInspect() *cobra.Command {
	var asJSON output.AsJSON
	cmd := &cobra.Command{
		Use:   "inspect [BOARD|-]",
		Short: "Show the result of each move on a board",
		Long: `For each direction, show whether the move changes the board, its reward and the
afterstate. Also show whether the game is over.

` + boardHelp,
		Example: "afterstate inspect 2,2,0,4/0,0,8,0/0,0,0,0/2,0,0,2",
		Args:    usage.Args(0, 1, "a board, or - to read one a line"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return eachBoard(cmd, args, 1, asJSON, func() boardFunc {
				return func(b board.Board, _ bool) (any, func(io.Writer) error, error) {
					return session.Inspect(b, false), func(w io.Writer) error { return printInspection(w, b) }, nil
				}
			})
		},
	}
	asJSON.Add(cmd, ", one object per board")
	return cmd
}

func printInspection(w io.Writer, b board.Board) error {
	over := ""
	if b.Terminal() {
		over = "  game over"
	}
	fmt.Fprintf(w, "%v%s\n", b, over)
	for _, d := range board.Directions {
		after, reward, moved := b.Slide(d)
		if !moved {
			fmt.Fprintf(w, "  %-6v changes nothing\n", d)
			continue
		}
		fmt.Fprintf(w, "  %-6v %+6d  %v\n", d, reward, after)
	}
	_, err := fmt.Fprintln(w)
	return err
}
