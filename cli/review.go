package cli

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"math"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/advice/luck"
	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/record"
)

type reviewFlags struct {
	store   flags.Store
	level   string        `flag:"level" help:"<LEVEL> of the player; on 4x4: 1000, 3000, 8000, 20000, 60000 or strong (default: by the median score)"`
	judge   string        `flag:"judge" help:"judge the moves by the player <SPEC>, which must estimate points, or be a heuristic with a death_value, such as expert"`
	worst   int           `flag:"worst" default:"3" range:"0:" help:"number of worst moves"`
	workers int           `flag:"workers,j" default:"cores" range:"1:4096" help:"moves judged in parallel"`
	json    output.AsJSON `flag:"json" help:"print JSON, one object per game"`
}

func newReview() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "review FILE|GAME|-",
		Short: "Find the mistakes in a recorded game",
		Long: `Judge the moves of recorded games: the class of each move, from best to blunder, the accuracy of
the game and its phases, and the worst moves, each with a better one; also where the time went,
if the moves have times. The file has records, as watch --record and arena export write them, or
games of another program or site (see convert). EXPERIMENT/PLAYER/NUMBER is a game of the store.

The loss of a move is the share of the expected final score that the move lost, and the
accuracy is 100 % if no move lost anything; docs/judging.md has the rules. The phases
of a game end with its first 512, 2048, 8192, 16384 and 32768.

The judge plays on like people whose usual score is the median score of the games in the file, so
a loss is what such a player loses. --level chooses another level. For strong players and on sizes
without levels the judge is the player best, but on 4x4 the network that comes with the program. The
result does not depend on the number of threads. Ctrl-C prints what is judged so far.`,
		Example: `afterstate watch snake --seed 3 --record game.jsonl
afterstate review game.jsonl
afterstate review game.jsonl --json --worst 20
afterstate review first/greedy/0`,
		Args: usage.Args(1, 1, "a file of games, a game of the store, or - for stdin"),
	}, &reviewFlags{}, runReview)
}

func runReview(cmd *cobra.Command, args []string, f *reviewFlags) error {
	if f.judge != "" && f.level != "" {
		return usage.Errorf("both --judge and --level are given: give one of them")
	}
	var games []*record.Record
	if _, missing := os.Stat(args[0]); missing != nil && experiment.IsGame(args[0]) {
		s, err := openStored(cmd, &f.store, args[0])
		if err != nil {
			return err
		}
		r := record.Of(s.game, s.meta)
		games = append(games, &r)
	} else {
		for g, err := range program.ReadGames(cmd, args[0], nil) {
			if err != nil {
				return err
			}
			games = append(games, &g.Record)
		}
	}
	// the level of a game's judge depends on the median score of the games of the same board size
	scores := map[board.Size][]float64{}
	for _, r := range games {
		scores[r.Board.Size()] = append(scores[r.Board.Size()], float64(r.Score))
	}
	for i, r := range games {
		if i > 0 && !bool(f.json) {
			cmd.Println()
		}
		if err := reviewRecord(cmd, args[0], r, stats.Median(scores[r.Board.Size()]), f); err != nil {
			return err
		}
	}
	return nil
}

// judgeOf returns the judge for a game: the player given by --judge, or else a judge for the level given by --level. If
// neither flag is given, the level is the one that fits score, the player's median score.
func (f *reviewFlags) judgeOf(r *record.Record, score float64) (*review.Judge, error) {
	if f.judge != "" {
		judge, err := review.Named(program.Player, f.judge)
		if err != nil {
			return nil, usage.Errorf("--judge: %w", err)
		}
		return judge, nil
	}
	level, err := levels.Choose(f.level, &r.Board, score)
	if err != nil {
		return nil, usage.Errorf("--level: %w", err)
	}
	p4, _ := luck.FourProbability(&r.Meta)
	return review.New(program.Player, level, r.Board.Size(), len(r.Moves), p4)
}

// reviewRecord reviews one game. score is the player's median score; see judgeOf.
func reviewRecord(cmd *cobra.Command, path string, r *record.Record, score float64, f *reviewFlags) error {
	g, err := r.Replay()
	if err != nil {
		return usage.Errorf("%s: %w", path, err)
	}
	judge, err := f.judgeOf(r, score)
	if err != nil {
		return err
	}
	var bar *output.Progress // progress of the current look, which is one pass of the judge over the moves
	end := func() {
		if bar != nil {
			bar.End()
		}
	}
	shown := review.FirstLook - 1
	ps := review.Positions(g)
	moves, stopped := judge.Review(cmd.Context(), ps, review.Options{Threads: f.workers, Progress: func(look review.Look, _, of int) {
		if look != shown {
			end()
			shown, bar = look, output.NewProgress(cmd.ErrOrStderr(), of, [...]string{"moves", "unclear moves, judged again"}[look])
		}
		bar.Add(1)
	}})
	end()
	if bad := new(review.UnsuitableError); errors.As(stopped, &bad) {
		return usage.Errorf("--judge: %w", stopped)
	}
	if stopped != nil && len(moves) == 0 {
		return stopped
	}
	report := review.NewReport(judge, ps, r.Times, moves, f.worst)
	if stopped == nil { // only a complete review has a ledger; if the ledger fails, the report is printed without it
		report.Ledger, stopped = judge.Ledger(cmd.Context(), program.Player, &r.Meta, g, moves)
	}
	return errors.Join(f.json.Print(cmd, report, func(w io.Writer) error { return review.Write(w, report) }), stopped)
}

type convertFlags struct {
	from   string `flag:"from" help:"<FORMAT> of the input (default: detected)"`
	to     string `flag:"to" default:"records" help:"<FORMAT> of the output"`
	out    string `flag:"out,o" default:"-" help:"write to a <FILE>; -: stdout"`
	player string `flag:"player" help:"<NAME> of the player, where the input has none"`
	game   int    `flag:"game" range:"0:" help:"convert only this game, counted from 0 (default: all)"`
}

func newConvert() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "convert FILE...|-",
		Short: "Convert games between the formats of other programs and sites",
		Long: `Read games in the formats of other programs and sites, and write them in another one.
The format of a file is detected from its content:

` + program.FormatHelp() + `
Every move is checked against the rules. An illegal one is an error that names the move
and the board, and no file is written then. What the new format cannot hold is listed
on stderr; docs/exchange.md has a table.`,
		Example: `afterstate watch greedy --seed 1 --record game.jsonl
afterstate convert game.jsonl --to rpl1
afterstate convert game.jsonl --to csv -o game.csv
afterstate review game.csv`,
		Args: usage.Args(1, math.MaxInt, "files of games, or - for stdin"),
	}, &convertFlags{}, runConvert)
}

func runConvert(cmd *cobra.Command, paths []string, f *convertFlags) error {
	to, err := program.Format("--to", f.to)
	if err != nil {
		return err
	}
	from, err := program.Format("--from", f.from)
	if err != nil {
		return err
	}
	switch {
	case to == nil:
		return usage.Errorf("--to is empty: give a format")
	case !cmd.Flags().Changed("game"):
		f.game = -1
	}
	if f.out != "-" {
		if err := output.Distinct(append(slices.Clone(paths), f.out)...); err != nil {
			return err
		}
		var failed error // an error about the input; it already names the input file
		err := output.Write(f.out, func(w io.Writer) error {
			failed = f.convert(cmd, w, paths, from, to)
			return failed
		})
		return cmp.Or(failed, err)
	}
	out := cmd.OutOrStdout()
	if to.Binary {
		out = console.Raw(out)
		if file, ok := out.(*os.File); ok {
			if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
				return usage.Errorf("%s is a binary format: use -o FILE", to.Name)
			}
		}
	}
	return f.convert(cmd, out, paths, from, to)
}

// convert writes the games of all files to out, and reports on stderr what could not be converted.
func (f *convertFlags) convert(cmd *cobra.Command, out io.Writer, paths []string, from, to *formats.Format) error {
	buffered := bufio.NewWriter(out)
	w := formats.NewWriter(buffered, to)
	var lost formats.Losses
	seen := 0
	for _, path := range paths {
		for g, err := range program.ReadGames(cmd, path, from) {
			if err != nil {
				return err
			}
			if seen++; f.game >= 0 && seen-1 != f.game {
				continue
			}
			g.Player = cmp.Or(g.Player, f.player)
			lost.Add(g.Lost)
			if err := w.Write(g); err != nil {
				return usage.Errorf("%s: game %d: %w", path, seen-1, err)
			}
		}
	}
	if w.Games() == 0 {
		return usage.Errorf("--game %d: the input has %d games, counted from 0", f.game, seen)
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	program.WarnLosses(cmd, to.Name, w.Dropped(), lost.List())
	return nil
}
