package cli

import (
	"io"

	"github.com/spf13/cobra"

	"afterstate/cli/internal/output"
	"afterstate/cli/internal/usage"
	"afterstate/player/catalog"
	"afterstate/wire"
)

func newPlayers() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "players [NAME]",
		Short: "List the players, evaluators and spawn rules, and their keys",
		Long: `List the players and their definitions, the evaluators and the spawn rules. With a
name, describe its keys: unit, range, default and meaning.

A player is written as a spec, name(key=value,...): snake, snake(depth=2),
expectimax(eval=gradient,plies=2), minimax(eval=sum(empty=2,smoothness=1),depth=4).`,
		Example: `afterstate players
afterstate players expectimax
afterstate players lines`,
		Args: usage.Args(0, 1, "the name of a player, an evaluator or a spawn rule, or nothing"),
		RunE: func(cmd *cobra.Command, args []string) error {
			all := catalog.List(true)
			var err error
			if len(args) > 0 {
				if all, err = all.Named(args[0]); err != nil {
					return usage.Wrap(err)
				}
			}
			switch {
			case asJSON:
				return writeListing(cmd.OutOrStdout(), all)
			case len(args) > 0:
				return all.WriteKeys(cmd.OutOrStdout())
			}
			return all.WriteText(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one player, evaluator or spawn rule per line")
	return cmd
}

func writeListing(w io.Writer, all *catalog.Listing) error {
	for _, p := range all.Players {
		if err := output.JSON(w, struct {
			Kind string `json:"kind"`
			wire.PlayerInfo
		}{"player", p}); err != nil {
			return err
		}
	}
	for _, e := range all.Evaluators {
		if err := output.JSON(w, struct {
			Kind string `json:"kind"`
			wire.EvaluatorInfo
		}{"evaluator", e}); err != nil {
			return err
		}
	}
	for _, r := range all.SpawnRules {
		if err := output.JSON(w, struct {
			Kind string `json:"kind"`
			wire.SpawnRuleInfo
		}{"spawn rule", r}); err != nil {
			return err
		}
	}
	return nil
}
