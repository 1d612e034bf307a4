package arena

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
)

type exportFlags struct {
	readFlags
	out  output.Flags
	sums []int64 `flag:"sum" help:"sums of tiles for --format boards"`
	to   string  `flag:"to" help:"write games with their moves in a <FORMAT> of convert"`
}

func newExport() *cobra.Command {
	var f exportFlags
	cmd := usage.Command(&cobra.Command{
		Use:   "export NAME",
		Short: "Write an experiment's games as CSV, JSON lines, records or boards",
		Long: `Write the games of an experiment, ordered by player, then game:

csv      a row a game, as arena --csv does
jsonl    a JSON object a game, with its id, which watch --game takes
records  a record a game with all moves, as watch --record writes, for watch --replay
         and for programs (package rules/record)
boards   start boards for arena --start: of each game the first board whose tiles have
         the sum of --sum, or each of several sums, with the id of the game as its parent

--to writes the games with all moves in a format of another program or site, which
convert lists. What it cannot hold is listed on stderr.`,
		Example: `afterstate arena export first -o games.csv
afterstate arena export first --format records | head -1 > game.jsonl
afterstate arena export first --format boards --sum 1024,1536 -o starts.txt
afterstate arena export first --to rpl1 -o games.txt`,
		Args: usage.Args(1, 1, "the name of an experiment"),
	}, &f, runExport)
	f.out.Add(cmd.Flags(), "csv, jsonl, records or boards")
	return cmd
}

func runExport(cmd *cobra.Command, args []string, f *exportFlags) error {
	foreign, err := program.Format("--to", f.to)
	format := ""
	if err == nil && foreign == nil {
		format, err = f.out.Choose(experiment.Formats)
	}
	switch {
	case err != nil:
		return err
	case foreign == nil && (format == "boards") != (len(f.sums) > 0):
		return usage.Errorf("export: --format boards and --sum belong together: boards are those at a sum of tiles")
	case foreign != nil && (len(f.sums) > 0 || cmd.Flags().Changed("format")):
		return usage.Errorf("export: --to does not go with --format and --sum")
	case foreign != nil && foreign.Holds&formats.Many == 0:
		return usage.Errorf("--to %s: it holds one game a file: choose one with afterstate arena export %s --format records | afterstate convert - --game 0 --to %s", f.to, console.Quote(args[0]), f.to)
	}
	s, e, err := f.find(cmd, args[0])
	if err != nil {
		return err
	}
	defer s.Close()
	defer f.print(cmd, e, e.Players...)
	var dropped []string
	err = f.out.Write(cmd, func(w io.Writer) (err error) {
		if foreign == nil {
			return f.hint(experiment.Export(cmd.Context(), w, s, e, format, f.sums))
		}
		buffered := bufio.NewWriter(w)
		if dropped, err = experiment.ExportGames(cmd.Context(), buffered, s, e, foreign); err != nil {
			return f.hint(err)
		}
		return buffered.Flush()
	})
	if err == nil && foreign != nil {
		program.WarnLosses(cmd, foreign.Name, dropped, nil)
	}
	return err
}

type importFlags struct {
	db     flags.Store
	from   string `flag:"from" help:"<FORMAT> of the files (default: recognized)"`
	player string `flag:"player" default:"unknown" help:"<NAME> of the player, where a file has none"`
}

func newImport() *cobra.Command {
	var f importFlags
	return usage.Command(&cobra.Command{
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
	}, &f, runImport)
}

func runImport(cmd *cobra.Command, args []string, f *importFlags) error {
	paths, name := args[:len(args)-1], args[len(args)-1]
	from, err := program.Format("--from", f.from)
	if err := cmp.Or(err, usage.Wrap(arena.CheckName(name))); err != nil {
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
