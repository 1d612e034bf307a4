package arena

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/report"
)

type luckFlags struct {
	readFlags
	games   int           `flag:"games,n" range:"0:" help:"games of each player; 0: all"`
	workers int           `flag:"workers,j" default:"cores" range:"1:1024" help:"games replayed in parallel"`
	json    output.AsJSON `flag:"json" help:"print JSON"`
}

func newLuck() *cobra.Command {
	var f luckFlags
	return usage.Command(&cobra.Command{
		Use:   "luck NAME",
		Short: "Print means that are adjusted for the luck of new tiles",
		Long: `Replay the stored games of an experiment, value every board, and adjust each score for what
the new tiles gave and took. The luck of a game has a mean of zero, so the adjusted mean
estimates the same as the plain one, with a narrower interval: factor says how many times
fewer games give the same interval. Differences are to the first player, on the games that
both have. With a goal the figures are shares of games that reached it.

The luck of each game is stored with it, so it is computed once. arena run, match and compare
have it with --luck.

Values are those of the network that comes with the program, at one ply, and chances of a
32768 in endings of 4x4; exact ones on solved sizes; and elsewhere those of a short search.
values_hash in the JSON identifies them. The coefficient of the luck is fitted
on other games than those that it adjusts. Fewer than 60 games are not adjusted, nor those
of a player that knows the coming tiles, whose luck has another mean.
docs/experiments.md explains it.`,
		Example: `afterstate arena luck first
afterstate arena luck first --games 500 --json`,
		Args: usage.Args(1, 1, "the name of an experiment"),
	}, &f, runLuck)
}

func runLuck(cmd *cobra.Command, args []string, f *luckFlags) error {
	s, e, err := f.find(cmd, args[0])
	if err != nil {
		return err
	}
	defer s.Close()
	total, err := total(cmd.Context(), s, e, 0, f.games)
	if err != nil {
		return err
	}
	accounts, err := experiment.OpenAccounts(cmd.Context(), s, e, program.Player, f.workers)
	if err != nil {
		return err
	}
	defer accounts.Close()
	bar := output.NewProgress(cmd.ErrOrStderr(), total, "games")
	_, t, err := accounts.Games(cmd.Context(), f.games, bar.Add)
	bar.End()
	f.print(cmd, e, e.Players...)
	if err != nil {
		return f.hint(err)
	}
	return f.json.Print(cmd, t, func(w io.Writer) error { return report.Luck(w, t) })
}
