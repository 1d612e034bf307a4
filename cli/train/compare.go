package train

import (
	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/runs/compare"
)

const compareHelp = `Compare training runs at equal numbers of games, or with --by time at equal training time,
as far as the shortest of them goes. A row has the mean score of the games from an empty
board since the row before; by time there are as many rows, at most --rows, as have an interval of
every run. The first run is the reference, from which the others'
differences are taken.

NAME is a run, or a group of runs that train --seeds made: NAME-seed1000, NAME-seed1001 and so on.
A group has the mean of its runs with a 95 % interval over runs. Groups with the same seeds
are compared seed by seed, others as independent samples. Single runs have no intervals: how
much chance there is in one run, only several show.

--play N measures the networks themselves: each plays the same N games, one ply, without
learning. With single runs the difference is paired by game.`

// comparison is one execution of train compare.
type comparison struct {
	by      string        `flag:"by" default:"games" help:"compare at equal <AXIS>: games or time"`
	rows    int           `flag:"rows" default:"10" range:"1:1000" help:"rows of the table, at most; 1 to 1000"`
	games   uint64        `flag:"play" help:"also play <N> games with each network; 0: none"`
	seed    flags.Seed    `flag:"seed" help:"seed of these games (default 0)"`
	threads int           `flag:"threads,j" default:"cores" range:"1:1024" help:"games played in parallel"`
	json    output.AsJSON `flag:"json" help:"print JSON"`
}

func newCompare(folder *runs.Folder) *cobra.Command {
	var c comparison
	cmd := &cobra.Command{
		Use:   "compare NAME...",
		Short: "Compare training runs at equal games or equal time",
		Long:  compareHelp,
		Example: `afterstate train compare 4x6-1 8x6-1
afterstate train compare low high --by time --play 1000`,
		Args: usage.Args(1, 100, "the names of runs"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args, folder) },
	}
	usage.Flags(cmd.Flags(), &c)
	return cmd
}

func (c *comparison) run(cmd *cobra.Command, args []string, folder *runs.Folder) error {
	switch {
	case c.by != "games" && c.by != "time":
		return usage.Errorf("--by %s: want games or time", c.by)
	case c.games == 1:
		return usage.Errorf("--play 1: want 0, or 2 and more for an interval")
	}
	where, err := openFolder(cmd, folder)
	if err != nil {
		return err
	}
	groups, err := openGroups(where, args)
	if err != nil {
		return err
	}
	table, err := compare.Curves(groups, compare.Options{ByTime: c.by == "time", Rows: c.rows})
	if err != nil {
		return program.RunError(err)
	}
	if table.PlayedGames = c.games; c.games > 0 {
		if table.Played, err = c.play(cmd, groups, where); err != nil {
			return program.RunError(err)
		}
	}
	return c.json.Print(cmd, table, table.WriteText)
}

// openGroups opens runs and groups by their names.
func openGroups(folder runs.Folder, names []string) (groups []*compare.Group, err error) {
	for i, name := range names {
		for _, other := range names[:i] {
			if name == other {
				return nil, usage.Errorf("%s is named twice", name)
			}
		}
		g, err := compare.Open(folder, name)
		if err != nil {
			return nil, program.RunError(err)
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// play measures the networks.
func (c *comparison) play(cmd *cobra.Command, groups []*compare.Group, folder runs.Folder) ([]compare.Cell, error) {
	networks := 0
	for _, g := range groups {
		networks += len(g.Runs)
	}
	p := output.NewProgress(cmd.ErrOrStderr(), networks*int(min(c.games, 1<<40)), "games")
	defer p.End()
	return compare.Play(cmd.Context(), groups, compare.PlayOptions{
		Games: c.games, Seed: c.seed.Value, Threads: c.threads, Done: func() { p.Add(1) },
		Open: func(run string) (*ntuple.Network, error) {
			path, err := folder.Checkpoint(run)
			if err != nil {
				return nil, err
			}
			m, err := models.Open(path)
			if err != nil {
				return nil, usage.Wrap(err)
			}
			return m.Network, nil
		},
	})
}
