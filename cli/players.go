package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/cli/scaffold"
	"github.com/afterstate2048/afterstate/internal/console"
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

func newNew() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Write a new bot repository",
		Long:  `Write the files of a new project.`,
		Args:  usage.Args(0, 0, "a subcommand: bot"),
		RunE: func(*cobra.Command, []string) error {
			return usage.Errorf("want a subcommand: afterstate new bot DIR")
		},
	}
	cmd.AddCommand(newNewBot())
	return cmd
}

func newNewBot() *cobra.Command {
	language := "python"
	cmd := &cobra.Command{
		Use:   "bot DIR",
		Short: "Write a bot repository: a bot, its tests and a README",
		Long: `Write a bot repository into a new or empty folder: a bot that plays, the rules of the
game, tests, and a README with the commands to watch the bot, to measure it against
another player and to publish it. It needs Python or Go, and no other packages.`,
		Example: `afterstate new bot corner
afterstate new bot corner-in-go --lang go`,
		Args: usage.Args(1, 1, "a new or empty folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := scaffold.Bot(args[0], language)
			var path *fs.PathError
			if err != nil && !errors.As(err, &path) {
				return usage.Wrap(err)
			}
			if err != nil {
				return err
			}
			run := map[string]string{"python": "python3 bot.py", "go": "go run ."}[language]
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\nwatch it: cd %s && afterstate watch 'exec(cmd=\"%s\")'\n",
				args[0], strings.Join(files, ", "), console.Quote(args[0]), run)
			return err
		},
	}
	cmd.Flags().StringVar(&language, "lang", language, "language of the bot: "+strings.Join(scaffold.Languages, " or "))
	return cmd
}
