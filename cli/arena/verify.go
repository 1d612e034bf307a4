package arena

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/experiment/tasks"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/search/solve"
)

type verifyFlags struct {
	regretFlag
	out  output.Flags
	list bool `flag:"tasks" help:"list the tasks"`
}

func newVerify() *cobra.Command {
	f := verifyFlags{}
	cmd := usage.Command(&cobra.Command{
		Use:   "verify FILE|-...",
		Short: "Verify the games of anybody's players on the tasks of the benchmark",
		Long: `Replay games that somebody played on the benchmark's tasks, and print the table. A task is a
set of games with a fixed seed; --tasks lists them with the flags of arena run that play them.
The files have records, as arena export writes them.

The tiles of a game follow from its seed, so the replay proves the score. A player needs all games
of a task, each played to its end; otherwise it has no result, and the exit status is 1. A
replay does not prove who chose the moves and how long that took. docs/benchmark.md says more.

--regret judges 3x3 games by exact values, which solve computes once.`,
		Example: `afterstate arena run mine greedy --size 3x3 --games 1000 --seed 20480
afterstate arena export mine --format records -o mine.jsonl
afterstate arena verify mine.jsonl`,
		Args: cobra.ArbitraryArgs,
	}, &f, runVerify)
	f.out.Add(cmd.Flags(), "text, md or tex")
	return cmd
}

func runVerify(cmd *cobra.Command, paths []string, f *verifyFlags) error {
	format, err := f.out.Choose([]string{"text", "md", "tex"})
	switch {
	case err != nil:
		return err
	case f.list == (len(paths) > 0):
		return usage.Errorf("verify takes files of games, or --tasks to list the tasks; see afterstate arena verify --help")
	case f.list:
		return listTasks(cmd)
	}
	check, err := tasks.NewCheck()
	if err != nil {
		return err
	}
	for _, path := range paths {
		for g, err := range program.ReadGames(cmd, path, nil) {
			if err != nil {
				return err
			}
			if err := check.Add(&g.Record); err != nil {
				return usage.Errorf("%s: %w", path, err)
			}
		}
	}
	var exact func(*tasks.Task) (*solve.Table, error)
	if f.regret {
		exact = func(t *tasks.Task) (*solve.Table, error) { return f.exact(cmd.Context(), t.Setup, t.Games) }
	}
	all, err := check.Results(exact)
	if err != nil {
		return err
	}
	if err := f.out.Write(cmd, func(w io.Writer) error { return writeVerified(w, all, format) }); err != nil {
		return err
	}
	return tasks.Incomplete(all)
}

// writeVerified writes the results of tasks in a format.
func writeVerified(w io.Writer, all []tasks.Result, format string) error {
	var documents []*report.Document
	for i, r := range all {
		if len(r.Results.Players) == 0 {
			continue
		}
		documents = append(documents, &report.Document{Results: r.Results})
		if format != "text" {
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		width, _ := output.TerminalWidth(w)
		if err := report.Text(w, r.Results, width); err != nil {
			return err
		}
	}
	switch format {
	case "md":
		return report.Markdown(w, documents)
	case "tex":
		return report.LaTeX(w, documents)
	}
	return nil
}

func listTasks(cmd *cobra.Command) error {
	all, err := tasks.All()
	if err != nil {
		return err
	}
	t := table.New(table.Words("task"), table.Number("games"), table.Words("measures, and flags of arena run"))
	for i := range all {
		t.Add(all[i].Name, fmt.Sprint(all[i].Games), all[i].About)
	}
	return t.Write(cmd.OutOrStdout())
}
