package arena

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/report"
)

type matchFlags struct {
	runFlags
	name       string  `flag:"name" help:"the experiment's name (default: made of the players')"`
	confidence float64 `flag:"confidence" default:"0.95" range:"0.5:0.9999" help:"confidence of the verdict, from 0.5 to 0.9999"`
}

func newMatch() *cobra.Command {
	var f matchFlags
	cmd := &cobra.Command{
		Use:   "match A B",
		Short: "Play two players until one is better with the given confidence",
		Long: `Play the same games with two players until a sequential test decides which of them
has the higher mean score, or until --games games are played.

The test runs after every pair of games. Its error rate is at most 5 % (--confidence)
at any stopping time and for any distribution of scores: it is a test by betting
(docs/experiments.md). The confidence interval of the mean difference is also valid
at any time. While it plays, it says about when there will be a verdict, from the
games so far: after 20 pairs, once they speak for one of the players.

The games are stored as an experiment. The same command continues after Ctrl-C, and
arena show and arena report accept the experiment's name.`,
		Example: `afterstate arena match snake weighted-snake
afterstate arena match "snake(depth=1)" "snake(depth=2)" --size 3x3 --confidence 0.99`,
		Args: usage.Args(2, 2, "two player specs"),
		RunE: func(cmd *cobra.Command, args []string) error { return runMatch(cmd, args, &f) },
	}
	usage.Flags(cmd.Flags(), &f)
	cmd.Flags().IntVarP(&f.games, "games", "n", 10_000, "largest number of games of each player")
	return cmd
}

func runMatch(cmd *cobra.Command, specs []string, f *matchFlags) error {
	ctx, stop := output.UntilStopped(cmd)
	defer stop()
	if err := checkGames(f.games); err != nil {
		return err
	}
	f.strict = true
	if f.name == "" {
		entrants, err := f.entrants(cmd.Context(), specs, f.size.Size)
		if err != nil {
			return err
		}
		setup := f.setup()
		setup.SpawnIdentity = setup.Spawn
		f.name = experiment.MatchName(setup, entrants)
	}
	s, x, entrants, err := f.begin(cmd, f.name, specs, f.games, true)
	if err != nil {
		return err
	}
	defer s.Close()
	m, err := x.Match(ctx, entrants[0].Identity, entrants[1].Identity, f.confidence)
	if err != nil {
		return flags.StoreError(err)
	}
	view := newView(cmd.ErrOrStderr(), x.Stored.Name, f.workers)
	view.match = m.Match
	stopped, err := f.play(cmd, view, m.Players(), f.games, func(o experiment.PlayOptions) error { return m.Play(ctx, o) })
	if err != nil {
		return err
	}
	if err := f.json.Print(cmd, m.Match, func(w io.Writer) error { return report.Match(w, m.Match) }); err != nil {
		return err
	}
	if stopped != nil {
		view.unplayed()
		fmt.Fprintln(cmd.ErrOrStderr(), "saved; to resume: the same command")
		return stopped
	}
	r, err := x.Results(ctx)
	if err != nil {
		return err
	}
	return f.checkForfeits(r)
}
