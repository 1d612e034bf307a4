package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"afterstate/bench"
)

// benchParts are what bench can measure.
var benchParts = []string{"search"}

// benchReport is bench's answer; what was not asked for is not there.
type benchReport struct {
	MovesEvaluated float64 `json:"moves_evaluated_per_s,omitempty"`
	SearchPlayed   float64 `json:"search_played_moves_per_s,omitempty"`
	Signature      string  `json:"signature,omitempty"`
}

func newBench() *cobra.Command {
	var (
		only   string
		each   time.Duration
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the speed of this machine and prove the build is sound",
		Long: `Measure speeds on one thread, over positions of whole games from fixed seeds, and
compute the signature: a checksum over what fixed searches find, the same on every
machine and in every sound build of this version.

  moves_evaluated_per_s       slides the search makes, four for each board after a
                              spawn, with nneonneo/2048-ai's heuristic, depth and cut
  search_played_moves_per_s   decisions of the search that decides like it, with
                              moves left out that look bad

--only measures one part and leaves the signature out.`,
		Example: "afterstate bench\nafterstate bench --only search --for 5s --json",
		Args:    between(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case only != "" && !slices.Contains(benchParts, only):
				return usagef("--only %s: want %s", only, strings.Join(benchParts, ", "))
			case each < 10*time.Millisecond || each > time.Hour:
				return usagef("--for %v: want 10ms to 1h", each)
			}
			r, err := runBench(cmd.Context(), only, each)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), r)
			}
			return r.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&only, "only", "", "measure one `PART`: "+strings.Join(benchParts, ", "))
	cmd.Flags().DurationVar(&each, "for", 5*time.Second, "how long each speed is measured")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func runBench(ctx context.Context, only string, each time.Duration) (r benchReport, err error) {
	s, err := bench.MeasureSearch(ctx, each)
	if err != nil {
		return r, err
	}
	r.MovesEvaluated, r.SearchPlayed = s.MovesEvaluated, s.PlayedMoves
	if only == "" {
		r.Signature, err = bench.Signature(ctx)
	}
	return r, err
}

func (r *benchReport) print(out io.Writer) error {
	for _, line := range []struct {
		name  string
		value float64
	}{
		{"moves_evaluated_per_s", r.MovesEvaluated},
		{"search_played_moves_per_s", r.SearchPlayed},
	} {
		if _, err := fmt.Fprintf(out, "%-27s%14.0f\n", line.name, line.value); err != nil {
			return err
		}
	}
	if r.Signature == "" {
		return nil
	}
	_, err := fmt.Fprintf(out, "%-27s%s\n", "signature", r.Signature)
	return err
}
