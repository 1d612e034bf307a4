package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/explain"
	"afterstate/player/catalog"
	"afterstate/search"
)

// runWhy explains one board after the other; each takes all cores.
func runWhy(cmd *cobra.Command, args []string, m catalog.Maker, f *bestFlags) error {
	return eachBoard(cmd, args, 1, func() (boardFunc, error) {
		return func(b board.Board, _ bool) (func() error, error) { return explainBest(cmd, m, b, f) }, nil
	})
}

// explainBest is best --why: the decision with its reasons.
func explainBest(cmd *cobra.Command, m catalog.Maker, b board.Board, f *bestFlags) (func() error, error) {
	o := explain.Options{Time: f.time, Seed: f.seed.value, P4: f.spawn.P4}
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
		return func() error { return writeJSON(out, r) }, nil
	}
	return func() error {
		if err := printBest(out, &r.Decision); err != nil || !r.Decision.OK {
			return err
		}
		return printWhy(out, &r)
	}, nil
}

func printWhy(w io.Writer, r *explain.Reasons) error {
	fmt.Fprintln(w)
	printRollouts(w, r)
	printLine(w, r)
	return printParts(w, r)
}

func printRollouts(w io.Writer, r *explain.Reasons) {
	if r.Rollouts == 0 {
		fmt.Fprintf(w, "no rollouts: the player is too slow for the time given; see --time\n")
		return
	}
	fmt.Fprintf(w, "within %d moves, from %d rollouts a move", explain.Horizon, r.Rollouts)
	if r.RolloutLimits != "" {
		fmt.Fprintf(w, " (by the player with %s)", r.RolloutLimits)
	}
	fmt.Fprint(w, ", with 95 % intervals\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\tdead\t\treaches %d\t\n", r.NextTile)
	for _, d := range legalMoves(r) {
		dead, deadCI := r.GameOver(d)
		reach, reachCI := r.Reach(d)
		fmt.Fprintf(t, "%s %v\t%5.1f %%\t[%.1f, %.1f]\t%5.1f %%\t[%.1f, %.1f]\n", mark(r, d), d,
			100*dead, 100*deadCI.Low, 100*deadCI.High, 100*reach, 100*reachCI.Low, 100*reachCI.High)
	}
	t.Flush()
}

func printLine(w io.Writer, r *explain.Reasons) {
	if len(r.Line) == 0 {
		return
	}
	moves := make([]string, len(r.Line))
	for i, s := range r.Line {
		moves[i] = s.Move.String()
	}
	fmt.Fprintf(w, "\nexpected: %s, to\n\n", strings.Join(moves, ", "))
	drawBoard(w, &r.Line[len(r.Line)-1].Board)
}

func printParts(w io.Writer, r *explain.Reasons) error {
	legal := legalMoves(r)
	if len(r.Moves[legal[0]].Terms) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nthe evaluator's terms for the board after each move\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\t")
	for _, part := range r.Moves[legal[0]].Terms {
		fmt.Fprintf(t, "%s\t", part.Name)
	}
	fmt.Fprintln(t)
	for _, d := range legal {
		fmt.Fprintf(t, "%s %-5v\t", mark(r, d), d)
		for _, part := range r.Moves[d].Terms {
			fmt.Fprintf(t, "%s\t", number(part.Value))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

func legalMoves(r *explain.Reasons) (legal []board.Direction) {
	for _, d := range board.Directions {
		if r.Decision.Moves[d].Legal {
			legal = append(legal, d)
		}
	}
	return legal
}

func mark(r *explain.Reasons, d board.Direction) string {
	if d == r.Decision.Move {
		return ">"
	}
	return " "
}
