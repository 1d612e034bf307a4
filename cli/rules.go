package cli

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
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
			return eachBoard(cmd, args, asJSON, func(b board.Board) boardAnswer {
				return boardAnswer{result: session.Inspect(b, false), text: func(w io.Writer) error { return printInspection(w, b) }}
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

func newPerft() *cobra.Command {
	var asJSON output.AsJSON
	cmd := &cobra.Command{
		Use:   "perft BOARD N",
		Short: "Count the boards after N rounds of all moves and all spawns",
		Long: `Count the boards after N rounds, a round being every legal move followed by every
spawn (a 2 and a 4 on each empty cell), with repetition. Games that end
earlier do not count. Use it to compare an implementation of the rules with this one.`,
		Example: "afterstate perft 2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 3",
		Args:    usage.Args(2, 2, "a board and the number of rounds"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := board.Parse(args[0])
			if err != nil {
				return usage.Wrap(err)
			}
			const most = 12
			n, err := strconv.Atoi(args[1])
			if err != nil || n < 0 || n > most {
				return usage.Errorf("%q rounds: want a whole number from 0 to %d", args[1], most)
			}
			start := time.Now()
			leaves, err := search.Perft(cmd.Context(), &b, n)
			if err != nil {
				return err
			}
			return printPerft(cmd, leaves, time.Since(start), asJSON)
		},
	}
	asJSON.Add(cmd, "")
	return cmd
}

func printPerft(cmd *cobra.Command, leaves uint64, took time.Duration, asJSON output.AsJSON) error {
	rate := float64(leaves) / max(took.Seconds(), 1e-9)
	return asJSON.Print(cmd, struct {
		Leaves    uint64  `json:"leaves"`
		ElapsedMS float64 `json:"elapsed_ms"`
		PerSecond float64 `json:"leaves_per_s"`
	}{leaves, float64(took.Microseconds()) / 1000, float64(int64(rate))}, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%d leaves in %v, %.1f million a second\n", leaves, took.Round(time.Microsecond), rate/1e6)
		return err
	})
}
