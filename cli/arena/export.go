package arena

import (
	"io"

	"github.com/spf13/cobra"

	"afterstate/cli/internal/flags"
	"afterstate/cli/internal/output"
	"afterstate/cli/internal/usage"
	"afterstate/experiment"
)

func newExport() *cobra.Command {
	var db flags.Store
	var out output.Flags
	var skip skipFlag
	var sums []int64
	cmd := &cobra.Command{
		Use:   "export NAME",
		Short: "Write an experiment's games as CSV, JSON lines, records or boards",
		Long: `Write the games of an experiment, ordered by player, then game:

csv      a row a game, as arena --csv does
jsonl    a JSON object a game, with its id, which watch --game takes
records  a record a game with all moves, as watch --record writes, for watch --replay
         and for programs (package afterstate/game/record)
boards   start boards for arena --start: of each game the first board whose tiles have
         the sum of --sum, or each of several sums, with the id of the game as its parent`,
		Example: `afterstate arena export first -o games.csv
afterstate arena export first --format records | head -1 > game.jsonl
afterstate arena export first --format boards --sum 1024,1536 -o starts.txt`,
		Args: usage.Args(1, 1, "the name of an experiment"),
		RunE: func(cmd *cobra.Command, args []string) error {
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
			o := experiment.ExportOptions{Format: format, Sums: sums}
			if skip.skip {
				o.LeftOut = func(m experiment.Member, games int) { printLeftOut(cmd, m, games) }
			}
			return out.Write(cmd, func(w io.Writer) error { return skip.hint(experiment.Export(cmd.Context(), w, s, e, o)) })
		},
	}
	db.Add(cmd.Flags())
	out.Add(cmd.Flags(), "csv, jsonl, records or boards")
	cmd.Flags().Int64SliceVar(&sums, "sum", nil, "sums of tiles for --format boards")
	skip.add(cmd.Flags())
	return cmd
}
