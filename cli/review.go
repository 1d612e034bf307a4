package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/cli/internal/bind"
	"github.com/afterstate2048/afterstate/cli/internal/games"
	"github.com/afterstate2048/afterstate/cli/internal/live"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/rules/record"
)

type reviewFlags struct {
	judge   string        `flag:"judge" help:"player <SPEC> that values the moves, in points or as expert does"`
	worst   int           `flag:"worst" default:"3" range:"0:" help:"number of worst moves"`
	workers int           `flag:"workers,j" default:"cores" range:"1:4096" help:"moves judged in parallel"`
	json    output.AsJSON `flag:"json" help:"print JSON, one object per game"`
}

func newReview() *cobra.Command {
	var f reviewFlags
	cmd := &cobra.Command{
		Use:   "review FILE|-",
		Short: "Find the mistakes in a recorded game",
		Long: `Judge the moves of recorded games: the class of each move, from best to blunder, the
accuracy of the game and its phases, and the worst moves with a better one. The file has
records, as watch --record and arena export write them, or games of another program or
site (see convert).

The loss of a move is the share of the expected final score that it gave away. The
accuracy is 100 % for the judge's own moves and about 30 % for random ones;
docs/review.md has the rules. A game's phases are those until there is a 512, until there is a 2048,
and beyond.

The judge of 4x4 boards is the network that comes with the program; for other sizes
it is the player best. The result does not depend on the number of threads. Ctrl-C
prints what is judged so far.`,
		Example: `afterstate watch snake --seed 3 --record game.jsonl
afterstate review game.jsonl
afterstate review game.jsonl --json --worst 20`,
		Args: usage.Args(1, 1, "a file of games, or - for stdin"),
		RunE: func(cmd *cobra.Command, args []string) error { return runReview(cmd, args[0], &f) },
	}
	bind.Flags(cmd.Flags(), &f)
	return cmd
}

func runReview(cmd *cobra.Command, path string, f *reviewFlags) error {
	var judge *review.Judge
	if f.judge != "" {
		var err error
		if judge, err = review.Named(program.Player, f.judge); err != nil {
			return usage.Errorf("--judge: %w", err)
		}
	}
	shown := 0
	for g, err := range games.Read(cmd, path, nil) {
		if err != nil {
			return err
		}
		if shown++; shown > 1 && !bool(f.json) {
			cmd.Println()
		}
		if err := reviewRecord(cmd, path, &g.Record, judge, f); err != nil {
			return err
		}
	}
	return nil
}

// reviewRecord reviews one game; judge is nil for the default one.
func reviewRecord(cmd *cobra.Command, path string, r *record.Record, judge *review.Judge, f *reviewFlags) error {
	g, err := r.Replay()
	if err != nil {
		return usage.Errorf("%s: %w", path, err)
	}
	if judge == nil {
		if judge, err = review.New(program.Player, r.Board.Size(), len(r.Moves)); err != nil {
			return err
		}
	}
	p := lookProgress{out: cmd.ErrOrStderr()}
	moves, stopped := judge.Review(cmd.Context(), review.Positions(g), review.Options{Workers: f.workers, Progress: p.show})
	p.end()
	if bad := new(review.UnsuitableError); errors.As(stopped, &bad) {
		return usage.Errorf("--judge: %w", stopped)
	}
	if stopped != nil && len(moves) == 0 {
		return stopped
	}
	report := review.NewReport(judge, moves, len(r.Moves), f.worst)
	return errors.Join(f.json.Print(cmd, report, func(w io.Writer) error { return review.Write(w, report) }), stopped)
}

// lookProgress shows a progress bar for each look.
type lookProgress struct {
	out  io.Writer
	look review.Look
	bar  *live.Progress
}

func (p *lookProgress) show(look review.Look, _, of int) {
	if p.bar == nil || look != p.look {
		p.end()
		what := "moves"
		if look == review.SecondLook {
			what = "unclear moves again"
		}
		p.look, p.bar = look, live.NewProgress(p.out, of, what)
	}
	p.bar.Add(1)
}

func (p *lookProgress) end() {
	if p.bar != nil {
		p.bar.End()
	}
}
