package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/bind"
	"github.com/afterstate2048/afterstate/cli/internal/live"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/bench"
	"github.com/afterstate2048/afterstate/internal/memory"
)

// benchNames lists the values of --only.
func benchNames() string {
	var names []string
	for _, p := range bench.Parts() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

const benchHelp = `Measure speeds on one thread, each from the same games every time, and compute the
signature: a checksum over what fixed searches find and what fixed training runs
learn, the same on every machine and in every correct build of this version.

  search  moves_evaluated_per_s       slides of a search, four for each board
                                      after a spawn, with nneonneo/2048-ai's
                                      heuristic, depth and probability cutoff
          search_played_moves_per_s   decisions of the same search with prune_margin
  td      td_moves_per_s              training of a 4x6 network from scratch by plain
                                      TD at 0.1, its first 500 games not counted
  tc      tc_moves_per_s              the same by temporal coherence
  play    play_moves_per_s            1-ply games of a 4x6 network that was trained by
                                      plain TD for 4000 games before

--only measures one part, without the signature. td and play take 256 MiB of memory,
tc 768 MiB. They are limited by memory speed, so other load on the machine matters.`

func newBench() *cobra.Command {
	var f struct {
		each time.Duration `flag:"for" default:"5s" range:"10ms:1h" help:"duration of each measurement"`
		json output.AsJSON `flag:"json" help:"print JSON"`
	}
	only := ""
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure speed and verify the build by its signature",
		Long:    benchHelp,
		Example: "afterstate bench\nafterstate bench --only search --for 5s --json",
		Args:    usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			parts, err := chosenParts(only)
			if err != nil {
				return err
			}
			r, err := runBench(cmd, parts, f.each)
			if err != nil {
				return err
			}
			return f.json.Print(cmd, r, r.WriteText)
		},
	}
	cmd.Flags().StringVar(&only, "only", "", "measure one `PART`: "+benchNames())
	bind.Flags(cmd.Flags(), &f)
	return cmd
}

// chosenParts returns the parts to measure: one, or all. It fails if the selection is invalid.
func chosenParts(only string) (parts []bench.Part, err error) {
	for _, p := range bench.Parts() {
		if only == "" || p.Name == only {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return nil, usage.Errorf("--only %s: want %s", only, benchNames())
	}
	for _, p := range parts {
		if free, ok := memory.Available(); ok && p.Memory > free {
			return nil, usage.Errorf("%s takes %s of memory, %s are free; want --only with a part that takes less", p.Name, memory.Words(p.Memory), memory.Words(free))
		}
	}
	return parts, nil
}

// runBench runs the benchmarks. It computes the signature unless a single part is selected.
func runBench(cmd *cobra.Command, parts []bench.Part, each time.Duration) (r bench.Speeds, err error) {
	if len(parts) == 1 {
		err = parts[0].Measure(cmd.Context(), each, &r)
		return r, err
	}
	shown := live.NewProgress(cmd.ErrOrStderr(), len(parts), "parts")
	defer shown.End()
	for _, p := range parts {
		if err := p.Measure(cmd.Context(), each, &r); err != nil {
			return r, err
		}
		shown.Add(1)
	}
	r.Signature, err = bench.Signature(cmd.Context())
	return r, err
}
