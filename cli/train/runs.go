package train

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/runs/compare"
)

// listedRun is a run in the output of train list --json.
type listedRun struct {
	runs.Info
	MeanScore *float64 `json:"mean_score"` // mean score of the games in the last interval (see --report-every)
}

type listFlags struct {
	json output.AsJSON `flag:"json" help:"print JSON, one object per line"`
}

func newList() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "list",
		Short: "List the training runs",
		Long: `List the training runs, the most recently active one first. A run is running if a process
trains it, finished if it has all its games, and otherwise stopped. The number of games is that
of the last checkpoint.`,
		Example: "afterstate train list",
		Args:    usage.Args(0, 0, "no arguments"),
	}, &listFlags{}, func(cmd *cobra.Command, _ []string, f *listFlags) error {
		folder, err := openFolder(cmd)
		if err != nil {
			return err
		}
		all, err := list(folder)
		if err != nil {
			return err
		}
		return output.PrintEach(cmd, f.json, all, writeList)
	})
}

func list(folder runs.Folder) (all []listedRun, err error) {
	infos, err := folder.List()
	if err != nil {
		return nil, err
	}
	for _, i := range infos {
		i.Updated = i.Updated.UTC().Truncate(time.Second)
		r := listedRun{Info: i}
		if intervals, err := folder.Intervals(i.Run); err == nil && len(intervals) > 0 {
			r.MeanScore = intervals[len(intervals)-1].MeanScore
		}
		all = append(all, r)
	}
	return all, nil
}

func writeList(out io.Writer, all []listedRun) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "there are no runs; afterstate train --games 20000 begins one")
		return err
	}
	t := table.New(table.Words("run"), table.Words("state"), table.Words("network"), table.Number("games"), table.Number("mean score"), table.Words("updated"))
	for _, r := range all {
		games, score := numfmt.Int(int64(r.Games)), "-"
		if r.GoalGames != nil {
			games += " of " + numfmt.Int(int64(*r.GoalGames))
		}
		if r.MeanScore != nil {
			score = numfmt.Rounded(*r.MeanScore)
		}
		t.Add(r.Run, r.State, r.Network, games, score, r.Updated.Local().Format("2006-01-02 15:04"))
	}
	return t.Write(out)
}

const compareHelp = `Compare training runs at equal numbers of games, up to the end of the shortest run. A row has
the mean score of the games from an empty board since the row before. The other runs are
compared with the first one.

NAME is a run, or a group of runs that train sweep made: NAME-seed1000, NAME-seed1001 and so
on. A group has the mean of its runs with a 95 % interval over runs. Groups with the same seeds
are compared seed by seed, others as independent samples. Single runs have no intervals: only
several runs show how much depends on chance.

--play N measures the networks themselves: each plays the same N games, one ply, without
learning. With single runs the difference is paired by game.`

// comparison holds the flags of the command train compare.
type comparison struct {
	rows    int           `flag:"rows" default:"10" range:"1:1000" help:"maximum number of rows of the table, 1 to 1000"`
	games   uint64        `flag:"play" help:"also play <N> games with each network; 0: none"`
	seed    uint64        `flag:"seed" help:"seed of the games of --play"`
	threads int           `flag:"threads,j" default:"cores" range:"1:1024" help:"games played in parallel"`
	json    output.AsJSON `flag:"json" help:"print JSON"`
}

func newCompare() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "compare NAME...",
		Short: "Compare training runs at equal numbers of games",
		Long:  compareHelp,
		Example: `afterstate train compare 4x6-1 8x6-1
afterstate train compare low high --play 1000`,
		Args: usage.Args(1, 100, "the names of runs"),
	}, &comparison{}, runCompare)
}

func runCompare(cmd *cobra.Command, args []string, c *comparison) error {
	if c.games == 1 {
		return usage.Errorf("--play 1: must be 0, or at least 2 for an interval")
	}
	folder, groups, err := openGroups(cmd, args)
	if err != nil {
		return err
	}
	table, err := compare.Curves(groups, c.rows)
	if err != nil {
		return program.RunError(err)
	}
	if c.games > 0 {
		if err := c.play(cmd, table, folder); err != nil {
			return program.RunError(err)
		}
	}
	return c.json.Print(cmd, table, table.WriteText)
}

// openGroups opens the folder of runs, and in it the runs and groups of runs with these names.
func openGroups(cmd *cobra.Command, names []string) (folder runs.Folder, groups []*compare.Group, err error) {
	if folder, err = openFolder(cmd); err != nil {
		return folder, nil, err
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return folder, nil, usage.Errorf("%s is named twice", name)
		}
		g, err := compare.Open(folder, name)
		if err != nil {
			return folder, nil, program.RunError(err)
		}
		groups = append(groups, g)
	}
	return folder, groups, nil
}

// play plays games with the networks of all runs in t and adds the results to t.
func (c *comparison) play(cmd *cobra.Command, t *compare.Table, folder runs.Folder) error {
	networks := 0
	for _, g := range t.Groups {
		networks += len(g.Runs)
	}
	p := output.NewProgress(cmd.ErrOrStderr(), networks*int(min(c.games, 1<<40)), "games")
	defer p.End()
	return t.Play(cmd.Context(), compare.PlayOptions{
		Games: c.games, Seed: c.seed, Threads: c.threads, Done: func() { p.Add(1) },
		Open: folder.Network,
	})
}

type exportFlags struct {
	out string `flag:"out,o" help:"write to a <FILE> instead of stdout"`
}

func newExport() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "export NAME...",
		Short: "Write the metrics of training runs as CSV",
		Long: `Write the metrics of training runs as CSV, one row per interval. NAME is a run, or a group that
train sweep made. Runs that are being trained can be exported too. The columns are run, seed,
games, moves, elapsed_s, mean_score, restarted_games, restarted_mean_score, games_per_s,
moves_per_s, and the share of the games that reached each tile: reached_2048 and so on.`,
		Example: `afterstate train export 4x6-1 -o curve.csv
afterstate train export low high`,
		Args: usage.Args(1, 1000, "the names of runs"),
	}, &exportFlags{}, func(cmd *cobra.Command, args []string, f *exportFlags) error {
		_, groups, err := openGroups(cmd, args)
		if err != nil {
			return err
		}
		out := output.Flags{Out: f.out}
		return out.Write(cmd, func(w io.Writer) error { return compare.WriteCSV(w, groups) })
	})
}
