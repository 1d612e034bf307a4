package arena

import (
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
)

type importFlags struct {
	db     flags.Store
	from   string `flag:"from" help:"<FORMAT> of the files (default: recognized)"`
	player string `flag:"player" default:"unknown" help:"<NAME> of the player, where a file has none"`
}

func newImport() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE... NAME",
		Short: "Store games of other programs and sites as an experiment",
		Long: `Read games in any format that convert reads, check their moves and new tiles against
the rules, and store them as experiment NAME, all or none. A file - is stdin.

Each name of a player in the files becomes a player of the experiment. Imported games
are listed, reported, reviewed, exported and watched like others. They have no seeds:
compare compares them by the means of their scores, and they are not played on.`,
		Example: `afterstate watch greedy --seed 1 --record game.jsonl
afterstate arena import game.jsonl games
afterstate arena review games`,
		Args: usage.Args(2, maxSpecs, "files of games, and the name of the new experiment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runImport(cmd, args[:len(args)-1], args[len(args)-1], &f)
		},
	}
	usage.Flags(cmd.Flags(), &f)
	return cmd
}

func runImport(cmd *cobra.Command, paths []string, name string, f *importFlags) error {
	from, err := program.Format("--from", f.from)
	if err := cmp.Or(err, checkExperimentName(name)); err != nil {
		return err
	}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return usage.Errorf("%s is a file: want the name of the new experiment after the files", name)
	}
	in := experiment.Importer{Player: f.player}
	for _, path := range paths {
		for g, err := range program.ReadGames(cmd, path, from) {
			if err == nil {
				if err = in.Add(g); err != nil {
					err = usage.Errorf("%s: %w", path, err)
				}
			}
			if err != nil {
				return err
			}
		}
	}
	s, err := f.db.Open(true)
	if err != nil {
		return err
	}
	defer s.Close()
	e, err := in.Store(cmd.Context(), s, name)
	if err != nil {
		return flags.StoreError(err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: imported %s of %s\n", e.Name, counted(in.Games(), "game"), counted(len(e.Players), "player"))
	program.WarnLosses(cmd, "the store", in.Losses(), nil)
	return nil
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
