package arena

import (
	"bufio"
	"io"

	"github.com/spf13/cobra"

	"afterstate/cli/internal/flags"
	"afterstate/cli/internal/games"
	"afterstate/cli/internal/output"
	"afterstate/cli/internal/usage"
	"afterstate/exchange"
	"afterstate/experiment"
	"afterstate/internal/console"
)

func newExport() *cobra.Command {
	var db flags.Store
	var out output.Flags
	var skip skipFlag
	var sums []int64
	var to string
	cmd := &cobra.Command{
		Use:   "export NAME",
		Short: "Write an experiment's games as CSV, JSON lines, records or boards",
		Long: `Write the games of an experiment, ordered by player, then game:

csv      a row a game, as arena --csv does
jsonl    a JSON object a game, with its id, which watch --game takes
records  a record a game with all moves, as watch --record writes, for watch --replay
         and for programs (package afterstate/game/record)
boards   start boards for arena --start: of each game the first board whose tiles have
         the sum of --sum, or each of several sums, with the id of the game as its parent

--to writes the games with all moves in a format of another program or site, which
convert lists. What it cannot hold is listed on stderr.`,
		Example: `afterstate arena export first -o games.csv
afterstate arena export first --format records | head -1 > game.jsonl
afterstate arena export first --format boards --sum 1024,1536 -o starts.txt
afterstate arena export first --to rpl1 -o games.txt`,
		Args: usage.Args(1, 1, "the name of an experiment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to != "" {
				return exportGames(cmd, args[0], to, &db, &out, &skip, len(sums) > 0)
			}
			format, err := out.Choose(experiment.Formats)
			if err != nil {
				return err
			}
			if (format == "boards") != (len(sums) > 0) {
				return usage.Errorf("export: --format boards and --sum belong together: boards are those at a sum of tiles")
			}
			s, e, err := db.Finding(cmd, args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			skip.apply(s)
			defer skip.print(cmd, e, e.Players...)
			return out.Write(cmd, func(w io.Writer) error {
				return skip.hint(experiment.Export(cmd.Context(), w, s, e, format, sums))
			})
		},
	}
	db.Add(cmd.Flags())
	out.Add(cmd.Flags(), "csv, jsonl, records or boards")
	cmd.Flags().Int64SliceVar(&sums, "sum", nil, "sums of tiles for --format boards")
	cmd.Flags().StringVar(&to, "to", "", "write games with their moves in a `FORMAT` of convert")
	skip.add(cmd.Flags())
	return cmd
}

// exportGames writes games in a format of another program.
func exportGames(cmd *cobra.Command, name, to string, db *flags.Store, out *output.Flags, skip *skipFlag, sums bool) error {
	format, err := games.Format("--to", to)
	if err != nil {
		return err
	}
	switch {
	case sums || cmd.Flags().Changed("format"):
		return usage.Errorf("export: --to does not go with --format and --sum")
	case format.Holds&exchange.Many == 0:
		return usage.Errorf("--to %s: it holds one game a file: choose one with afterstate arena export %s --format records | afterstate convert - --game 0 --to %s", to, console.Quote(name), to)
	}
	s, e, err := db.Finding(cmd, name)
	if err != nil {
		return err
	}
	defer s.Close()
	skip.apply(s)
	defer skip.print(cmd, e, e.Players...)
	var dropped []string
	write := func(w io.Writer) (err error) {
		buffered := bufio.NewWriter(w)
		if dropped, err = experiment.ExportGames(cmd.Context(), buffered, s, e, format); err != nil {
			return skip.hint(err)
		}
		return buffered.Flush()
	}
	if err := out.Write(cmd, write); err != nil {
		return err
	}
	games.Warn(cmd, format.Name, dropped, nil)
	return nil
}
