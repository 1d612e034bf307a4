package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"afterstate/bench"
	"afterstate/cli/internal/live"
	"afterstate/cli/internal/output"
	"afterstate/cli/internal/usage"
	"afterstate/internal/memory"
	"afterstate/learn"
)

// benchReport is bench's answer; what was not asked for is not there.
type benchReport struct {
	MovesEvaluated float64 `json:"moves_evaluated_per_s,omitempty"`
	SearchPlayed   float64 `json:"search_played_moves_per_s,omitempty"`
	TD             float64 `json:"td_moves_per_s,omitempty"`
	TC             float64 `json:"tc_moves_per_s,omitempty"`
	Play           float64 `json:"play_moves_per_s,omitempty"`
	Signature      string  `json:"signature,omitempty"`
}

// benchPart is something that bench measures.
type benchPart struct {
	name    string
	memory  int64 // bytes of the network and its training
	measure func(ctx context.Context, each time.Duration, r *benchReport) error
}

func benchParts() []benchPart {
	layout := bench.Layout()
	plain, coherent := learn.Memory(&layout, false), learn.Memory(&layout, true)
	return []benchPart{
		{"search", 0, func(ctx context.Context, each time.Duration, r *benchReport) error {
			s, err := bench.MeasureSearch(ctx, each)
			r.MovesEvaluated, r.SearchPlayed = s.MovesEvaluated, s.PlayedMoves
			return err
		}},
		{"td", plain, func(ctx context.Context, each time.Duration, r *benchReport) (err error) {
			r.TD, err = bench.MeasureTraining(ctx, false, each)
			return err
		}},
		{"tc", coherent, func(ctx context.Context, each time.Duration, r *benchReport) (err error) {
			r.TC, err = bench.MeasureTraining(ctx, true, each)
			return err
		}},
		{"play", plain, func(ctx context.Context, each time.Duration, r *benchReport) (err error) {
			r.Play, err = bench.MeasurePlay(ctx, each)
			return err
		}},
	}
}

// benchNames are what --only takes.
func benchNames() string {
	var names []string
	for _, p := range benchParts() {
		names = append(names, p.name)
	}
	return strings.Join(names, ", ")
}

const benchHelp = `Measure speeds on one thread, each from the same games every time, and compute the
signature: a checksum over what fixed searches find and what fixed training runs
learn, the same on every machine and in every sound build of this version.

  search  moves_evaluated_per_s       slides the search makes, four for each board
                                      after a spawn, with nneonneo/2048-ai's
                                      heuristic, depth and cut
          search_played_moves_per_s   decisions of the search that decides like it,
                                      with moves left out that look bad
  td      td_moves_per_s              training of a 4x6 network from scratch by plain
                                      TD at 0.1, its first 500 games not counted
  tc      tc_moves_per_s              the same by temporal coherence
  play    play_moves_per_s            1-ply games of a 4x6 network that was trained by
                                      plain TD for 4000 games before

--only measures one part and leaves the signature out. td and play take 256 MiB of
memory, tc 768 MiB. Their speed is that of memory: what else runs on the machine shows.`

func newBench() *cobra.Command {
	var (
		only   string
		each   time.Duration
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure the speed of this machine and prove the build is sound",
		Long:    benchHelp,
		Example: "afterstate bench\nafterstate bench --only search --for 5s --json",
		Args:    usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			parts, err := chosenParts(only)
			if err != nil {
				return err
			}
			if each < 10*time.Millisecond || each > time.Hour {
				return usage.Errorf("--for %v: want 10ms to 1h", each)
			}
			r, err := runBench(cmd, parts, each)
			if err != nil {
				return err
			}
			if asJSON {
				return output.JSON(cmd.OutOrStdout(), r)
			}
			return r.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&only, "only", "", "measure one `PART`: "+benchNames())
	cmd.Flags().DurationVar(&each, "for", 5*time.Second, "how long each speed is measured")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// chosenParts are those to measure: one, or all. What cannot fit is refused.
func chosenParts(only string) (parts []benchPart, err error) {
	for _, p := range benchParts() {
		if only == "" || p.name == only {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return nil, usage.Errorf("--only %s: want %s", only, benchNames())
	}
	for _, p := range parts {
		if free, ok := memory.Available(); ok && p.memory > free {
			return nil, usage.Errorf("%s takes %s of memory, %s are free; want --only with a part that takes less", p.name, memory.Words(p.memory), memory.Words(free))
		}
	}
	return parts, nil
}

// runBench measures, and computes the signature unless one part alone is asked for.
func runBench(cmd *cobra.Command, parts []benchPart, each time.Duration) (r benchReport, err error) {
	if len(parts) == 1 {
		err = parts[0].measure(cmd.Context(), each, &r)
		return r, err
	}
	shown := live.NewProgress(cmd.ErrOrStderr(), len(parts), "parts")
	defer shown.End()
	for _, p := range parts {
		if err := p.measure(cmd.Context(), each, &r); err != nil {
			return r, err
		}
		shown.Add(1)
	}
	r.Signature, err = bench.Signature(cmd.Context())
	return r, err
}

func (r *benchReport) print(out io.Writer) error {
	for _, line := range []struct {
		name  string
		value float64
	}{
		{"moves_evaluated_per_s", r.MovesEvaluated},
		{"search_played_moves_per_s", r.SearchPlayed},
		{"td_moves_per_s", r.TD},
		{"tc_moves_per_s", r.TC},
		{"play_moves_per_s", r.Play},
	} {
		if line.value == 0 {
			continue
		}
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
