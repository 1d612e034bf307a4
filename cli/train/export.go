package train

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/runs/compare"
	"github.com/afterstate2048/afterstate/learn/runs/tensorboard"
)

func newExport(folder *runs.Folder) *cobra.Command {
	var out output.Flags
	var board string
	cmd := &cobra.Command{
		Use:   "export NAME...",
		Short: "Write the metrics of training runs as CSV, JSON lines or for TensorBoard",
		Long: `Write the metrics of training runs, a row an interval. NAME is a run, or a group that train
--seeds made. Runs that are being trained can be exported too.

csv    run, seed, games, moves, elapsed_s, mean_score, restarted_games,
       restarted_mean_score, games_per_s, moves_per_s, and the share of the games that
       reached each tile: reached_2048 and so on
jsonl  the objects of metrics.jsonl with run and seed

--tensorboard DIR writes event files instead, as train --tensorboard does while it trains:
tensorboard --logdir DIR shows them.`,
		Example: `afterstate train export 4x6-1 -o curve.csv
afterstate train export low high --tensorboard logs`,
		Args: usage.Args(1, 1000, "the names of runs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := out.Choose([]string{"csv", "jsonl"})
			if err != nil {
				return err
			}
			where, err := openFolder(cmd, folder)
			if err != nil {
				return err
			}
			groups, err := openGroups(where, args)
			if err != nil {
				return err
			}
			if board != "" {
				return exportEvents(cmd.OutOrStdout(), board, groups)
			}
			write := compare.WriteCSV
			if format == "jsonl" {
				write = compare.WriteJSONLines
			}
			return out.Write(cmd, func(w io.Writer) error { return write(w, groups) })
		},
	}
	out.Add(cmd.Flags(), "csv or jsonl")
	cmd.Flags().StringVar(&board, "tensorboard", "", "write event files for TensorBoard into `DIR`")
	cmd.MarkFlagsMutuallyExclusive("tensorboard", "out")
	cmd.MarkFlagsMutuallyExclusive("tensorboard", "format")
	return cmd
}

// exportEvents writes an event file for each run that has none in the folder.
func exportEvents(out io.Writer, dir string, groups []*compare.Group) error {
	for _, g := range groups {
		for _, r := range g.Runs {
			path, err := tensorboard.Export(dir, r.Name, tensorboard.Start{Options: r.Options.Settings(), Earlier: r.Intervals})
			if err != nil {
				return program.RunError(err)
			}
			if _, err := fmt.Fprintln(out, path); err != nil {
				return err
			}
		}
	}
	return nil
}
