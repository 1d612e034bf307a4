package cli

import (
	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/cli/internal/output"
	"afterstate/explain"
	"afterstate/player/catalog"
	"afterstate/search"
)

// runWhy explains one board after the other; each explanation uses all cores.
func runWhy(cmd *cobra.Command, args []string, m catalog.Maker, f *bestFlags) error {
	return eachBoard(cmd, args, 1, func() (boardFunc, error) {
		return func(b board.Board, stream bool) (func() error, error) {
			if err := f.offer(cmd, &m, &b, stream); err != nil {
				return nil, err
			}
			return explainBest(cmd, m, b, f)
		}, nil
	})
}

// explainBest implements best --why: the decision with its explanation.
func explainBest(cmd *cobra.Command, m catalog.Maker, b board.Board, f *bestFlags) (func() error, error) {
	o := explain.Options{Time: f.time, Seed: f.seed.Value, P4: f.spawn.P4}
	if m.Foresees {
		oracle, err := f.oracle(&b)
		if err != nil {
			return nil, err
		}
		o.Oracle = oracle
	}
	q := search.NewQuery(b, max(f.score, 0)).Exact()
	r, err := explain.Explain(cmd.Context(), m, q, o)
	if err != nil {
		return nil, err
	}
	r.Decision.Player = m.Spec
	out := cmd.OutOrStdout()
	if f.json {
		return func() error { return output.JSON(out, r) }, nil
	}
	return func() error {
		if err := explain.WriteDecision(out, &r.Decision); err != nil || !r.Decision.OK {
			return err
		}
		return explain.WriteReasons(out, &r)
	}, nil
}
