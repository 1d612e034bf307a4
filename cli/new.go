package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/cli/scaffold"
	"github.com/afterstate2048/afterstate/internal/console"
)

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
