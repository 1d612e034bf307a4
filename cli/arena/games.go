package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/board"
)

type exportFlags struct {
	readFlags
	out  output.Flags
	sums []int64 `flag:"sum" help:"with --format boards, <SUMS> of tiles: from each game, the first board that reaches each sum"`
}

func newExport() *cobra.Command {
	var f exportFlags
	cmd := usage.Command(&cobra.Command{
		Use:   "export NAME",
		Short: "Write an experiment's games as CSV, records or boards",
		Long: `Write the games of an experiment, ordered by player, then game:

csv      one row per game, as arena --csv does
records  one record per game with all moves, as watch --record writes, for watch --replay,
         convert and programs (package rules/record)
boards   start boards for arena --start: from each game, the first board whose tiles have at
         least the sum given by --sum (one board for each of several sums); its parent is the
         ID of the game`,
		Example: `afterstate arena export first -o games.csv
afterstate arena export first --format records | head -1 > game.jsonl
afterstate arena export first --format boards --sum 1024,1536 -o starts.txt`,
		Args: usage.Args(1, 1, "the name of an experiment"),
	}, &f, runExport)
	f.out.Add(cmd.Flags(), "csv, records or boards")
	return cmd
}

func runExport(cmd *cobra.Command, args []string, f *exportFlags) error {
	format, err := f.out.Choose(experiment.Formats)
	if err != nil {
		return err
	}
	if (format == "boards") != (len(f.sums) > 0) {
		return usage.Errorf("export: --format boards and --sum require each other: boards are taken at a sum of tiles")
	}
	s, e, err := f.find(cmd, args[0])
	if err != nil {
		return err
	}
	defer s.Close()
	return f.out.Write(cmd, func(w io.Writer) error { return experiment.Export(cmd.Context(), w, s, e, format, f.sums) })
}

type reviewFlags struct {
	readFlags
	level   string        `flag:"level" help:"<LEVEL> of the players; on 4x4: 1000, 3000, 8000, 20000, 60000 or strong (default: by the highest median score)"`
	workers int           `flag:"workers,j" default:"cores" range:"1:4096" help:"moves judged in parallel"`
	games   int           `flag:"games,n" range:"0:" help:"games of each player; 0: all"`
	json    output.AsJSON `flag:"json" help:"print JSON"`
}

func newReview() *cobra.Command {
	var f reviewFlags
	return usage.Command(&cobra.Command{
		Use:   "review NAME[/PLAYER]",
		Short: "Judge the moves of an experiment's games",
		Long: `Judge the moves of the stored games of an experiment, as afterstate review does for
one game, and print for each player the accuracy, the loss and the shares of the
classes, with 95 % intervals by game. NAME/PLAYER reviews one player, by its name, spec or
number.

All players are judged at one level: the level of the player with the highest median score, or
--level.
A level judges about 1,500 moves of each player, drawn at random. Moves for which its values
show a loss are drawn more often and weighted accordingly. The intervals include this sampling.

Strong players are judged in about 0.2 ms per move on 4x4. That is too little to rate players
about as strong as the judge: the judge itself would get 100 %.

loss is the sum of the losses of 1,000 moves, each a share of the expected score.
Ctrl-C prints the games that are finished.`,
		Example: `afterstate arena review first
afterstate arena review first/greedy --level 3000
afterstate arena review first --games 20 --level strong`,
		Args: usage.Args(1, 1, "the name of an experiment, or EXPERIMENT/PLAYER"),
	}, &f, runReview)
}

func runReview(cmd *cobra.Command, args []string, f *reviewFlags) error {
	o := experiment.ReviewOptions{Workers: f.workers, Games: f.games}
	name, playerText, hasPlayer := strings.Cut(args[0], "/")
	s, e, err := f.find(cmd, name)
	if err != nil {
		return err
	}
	defer s.Close()
	if hasPlayer {
		p, err := experiment.LookupPlayer(e, playerText)
		if err != nil {
			return flags.StoreError(err)
		}
		o.Player = p.Number
	}
	judge, err := f.bulkJudge(cmd.Context(), s, e, o)
	if err != nil {
		return err
	}
	total, err := o.Total(cmd.Context(), s, e)
	if err != nil {
		return err
	}
	bar := output.NewProgress(cmd.ErrOrStderr(), total, "games")
	o.Progress = bar.Add
	players, stopped := experiment.Review(cmd.Context(), s, e, judge, o)
	bar.End()
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return stopped
	}
	table := experiment.Table(e, judge, players)
	return errors.Join(f.json.Print(cmd, table, func(w io.Writer) error { return writeReview(w, &table) }), stopped)
}

// bulkJudge returns the judge for all games: a player of the level given by --level or, without the flag, of the level
// that fits the highest of the players' median scores.
func (f *reviewFlags) bulkJudge(
	ctx context.Context, s *store.Store, e *arena.Plan, o experiment.ReviewOptions,
) (*review.Judge, error) {
	score, err := experiment.HighestMedian(ctx, s, e, o)
	if err != nil {
		return nil, err
	}
	start := board.New(e.Setup.Size)
	level, err := levels.Choose(f.level, &start, score)
	if err != nil {
		return nil, usage.Errorf("--level: %w", err)
	}
	p4, _ := e.Setup.RandomSpawns()
	judge, err := review.New(program.Player, level, e.Setup.Size, review.LongGame, p4)
	if err != nil {
		return nil, err
	}
	return judge.Quick(), nil
}

func writeReview(w io.Writer, t *experiment.ReviewTable) error {
	fmt.Fprintf(w, "%s: judged by %s\n\n", t.Experiment, t.Judge)
	all := table.New(table.Number("games"), table.Number("moves"), table.Number("accuracy"), table.Words(""), table.Number("loss"), table.Words(""))
	all.Columns = append(all.Columns, table.Numbers("best", "good", "undecided", "inaccuracy", "mistake", "blunder")...)
	all.Columns = append(all.Columns, table.Words("player"))
	for i := range t.Players {
		p := &t.Players[i]
		cells := []string{
			fmt.Sprint(p.Games), fmt.Sprint(p.Moves), accuracy(p.Accuracy.Value), interval(p.Accuracy.CI, 100), numfmt.Factor(p.Loss.Value), interval(p.Loss.CI, 1),
		}
		for i, class := range review.Classes {
			cells = append(cells, share(p.Shares[class], 1+i/3)) // two decimals for inaccuracies, mistakes and blunders
		}
		all.Add(append(cells, p.Player)...)
	}
	_, err := fmt.Fprintln(w, all.Text(math.MaxInt)+"\naccuracy and loss with 95 % intervals; loss: sum over 1,000 moves of the share of the expected score that each gave away")
	return err
}

// accuracy formats a share in percent, with three decimals above 99.5 % and one decimal below.
func accuracy(x stats.Figure) string {
	if x > 0.995 && x < 1 {
		return share(x, 3)
	}
	return share(x, 1)
}

func share(x stats.Figure, digits int) string {
	if math.IsNaN(float64(x)) {
		return "-"
	}
	return fmt.Sprintf("%.*f %%", digits, 100*x)
}

func interval(ci stats.Interval, scale float64) string {
	if !ci.Known() {
		return ""
	}
	return fmt.Sprintf("[%.1f, %.1f]", scale*ci.Low, scale*ci.High)
}
