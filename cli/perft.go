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
)

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
