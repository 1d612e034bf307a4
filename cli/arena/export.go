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
	cmd := &cobra.Command{
		Use:   "export NAME",
		Short: "Write an experiment's games as CSV, JSON lines or records",
		Long: `Write the games of an experiment, ordered by player, then game:

csv      a row a game, as arena --csv does
jsonl    a JSON object a game, with its id, which watch --game takes
records  a record a game with all moves, as watch --record writes, for watch --replay
         and for programs (package afterstate/game/record)`,
		Example: `afterstate arena export first -o games.csv
afterstate arena export first --format records | head -1 > game.jsonl`,
		Args: usage.Args(1, 1, "the name of an experiment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := out.Choose(experiment.Formats)
			if err != nil {
				return err
			}
			s, e, err := db.Finding(cmd, args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			o := experiment.ExportOptions{Format: format}
			if skip.skip {
				o.LeftOut = func(m experiment.Member, games int) { tellLeftOut(cmd, m, games) }
			}
			return out.Write(cmd, func(w io.Writer) error { return skip.hint(experiment.Export(cmd.Context(), w, s, e, o)) })
		},
	}
	db.Add(cmd.Flags())
	out.Add(cmd.Flags(), "csv, jsonl or records")
	skip.add(cmd.Flags())
	return cmd
}
