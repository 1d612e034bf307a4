package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/player/catalog"
)

func newPlayers() *cobra.Command {
	var asJSON output.AsJSON
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
			text := all.WriteText
			if len(args) > 0 {
				text = all.WriteKeys
			}
			if !asJSON {
				return text(cmd.OutOrStdout())
			}
			for _, e := range all {
				var info strings.Builder
				if err := output.JSON(&info, e.Info); err != nil {
					return err
				}
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), `{"kind":%q,%s`, e.Kind, info.String()[1:]); err != nil {
					return err
				}
			}
			return nil
		},
	}
	asJSON.Add(cmd, ", one player, evaluator or spawn rule per line")
	return cmd
}
