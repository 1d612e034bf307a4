package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"afterstate/cli/internal/output"
	"afterstate/cli/internal/usage"
	"afterstate/eval"
	"afterstate/player/catalog"
	"afterstate/wire"
)

func newPlayers() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "players",
		Short: "List the players and evaluators",
		Long: `List the players and what they stand for, the keys they take, and the evaluators.

A player is written as a spec, name(key=value,...): snake, snake(depth=2),
expectimax(eval=gradient,plies=2), minimax(eval=sum(empty=2,smooth=1),depth=4).`,
		Args: usage.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return listJSON(cmd)
			}
			return listText(cmd)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one player or evaluator a line")
	return cmd
}

func listJSON(cmd *cobra.Command) error {
	for _, e := range catalog.Catalog() {
		line := struct {
			Kind string `json:"kind"`
			wire.PlayerInfo
		}{"player", e}
		if err := output.JSON(cmd.OutOrStdout(), line); err != nil {
			return err
		}
	}
	for _, e := range eval.Infos() {
		line := struct {
			Kind string `json:"kind"`
			wire.EvaluatorInfo
		}{"evaluator", wire.EvaluatorInfo{Name: e.Name, Formula: e.Formula, Origin: e.Origin}}
		if err := output.JSON(cmd.OutOrStdout(), line); err != nil {
			return err
		}
	}
	return nil
}

func listText(cmd *cobra.Command) error {
	w := cmd.OutOrStdout()
	fmt.Fprintln(w, "players")
	for _, e := range catalog.Catalog() {
		fmt.Fprintf(w, "\n  %s", e.Name)
		if e.Origin != "" {
			fmt.Fprintf(w, "  (%s)", e.Origin)
		}
		fmt.Fprintf(w, "\n    %s\n", e.Summary)
		if e.Spec != e.Name {
			fmt.Fprintf(w, "    = %s\n", e.Spec)
		}
		if e.Keys != "" {
			fmt.Fprintf(w, "    keys: %s\n", e.Keys)
		}
	}
	fmt.Fprintln(w, "\nevaluators, for the key eval; v is a tile's value, k its exponent, n the cells")
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range eval.Infos() {
		fmt.Fprintf(t, "  %s\t%s\n", e.Name, e.Formula)
	}
	fmt.Fprintf(t, "  sum(...)\tany of them with weights: sum(empty=2,smooth=1), sum(file=\"weights.json\")\n")
	return t.Flush()
}
