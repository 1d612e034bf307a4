package arena

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/report"
)

type rankFlags struct {
	runFlags
	confidence float64 `flag:"confidence" default:"0.95" range:"0.5:0.9999" help:"confidence that all ranks are right, from 0.5 to 0.9999"`
}

func newRank() *cobra.Command {
	f := rankFlags{runFlags: runFlags{setupFlags: setupFlags{games: 1000}, match: true}}
	cmd := usage.Command(&cobra.Command{
		Use:   "rank NAME SPEC SPEC...",
		Short: "Rank players with as few games as possible",
		Long: `Play games with several players until the rank of each is known, or until each player with
an unknown rank has played --games games.

Each pair of players has a sequential test (see match), and the tests share the error: with 95
% confidence (--confidence) all ranks are right, whenever you stop. A player has the rank 2 to 4
if one player is certainly better and the tests against two others have no verdict yet.

In each round, every player without a verdict against a neighbour in the order of mean scores gets
a quarter more games. Players that differ from both neighbours play no more. The progress line
estimates how many games the slowest verdict still takes.

The games are stored as the experiment NAME. The same command continues after Ctrl-C, and
arena show, compare and report accept the name. Workers on other machines can play
(--workers-at, --nats).`,
		Example: `afterstate arena rank ladder snake weighted-snake greedy random --size 3x3`,
		Args:    usage.Args(3, maxArgs, "the name of an experiment and at least two player specs"),
	}, &f, rank)
	usage.Var(cmd.Flags(), "games", "n", "largest number of games of each player", &f.games)
	return cmd
}

func rank(cmd *cobra.Command, args []string, f *rankFlags) error {
	return f.decide(cmd, args[0], args[1:], f.confidence, func(r *experiment.Ranking) error {
		t := r.Table(f.workers)
		return f.json.Print(cmd, t, func(w io.Writer) error { return report.Ranking(w, &t) })
	})
}
