// Package arena implements the command arena and its subcommands: flags, messages and the progress
// display of an experiment. Package experiment runs and stores experiments.
package arena

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/game"
)

// reservedWords are the subcommands of arena; they are not valid as player names.
var reservedWords = []string{"list", "show", "compare", "match", "review", "export", "import", "rm", "run", "report"}

type playFlags struct {
	setupFlags
	workers int    `flag:"workers,j" default:"cores" range:"1:4096" help:"games played in parallel"`
	csv     string `flag:"csv" help:"write one row per game to a <FILE>"`
	svg     string `flag:"svg" help:"write a plot of the highest tiles to a <FILE>"`
}

// New returns the command arena.
func New() *cobra.Command {
	f := playFlags{setupFlags: setupFlags{games: 100}}
	cmd := usage.Command(&cobra.Command{
		Use:   "arena SPEC...",
		Short: "Measure players against each other",
		Long: `Play the same seeded games with each player. Report scores, tiles reached and
speed, each with its 95 % confidence interval.

Games run in parallel on all cores. Every player gets the same seeds. A deterministic
player plays the same games with any number of workers. Ctrl-C reports the games
that are finished.

With --start, games begin from a board, or from those of a file, one a line, each with
the name of the game it comes from if that is known: BOARD [PARENT]. With --goal, a game ends
at a tile or a sum of tiles, and the report shows how often each player reached it.
Together they make stage tests, which measure how often a player gets from one stage
of the game to the next.
stage:N has 4x4 boards of real games at a sum of tiles of 8192, 16384, 24576, 28672,
30720, 31744, 32256, 32768, 40960, 49152 or 57344; its goal is the next of these, unless
--goal is given. --start ending:NAME has boards of endings with 4, 5 or 6 large tiles (4, 5, 6-row,
6-block, 6-t, 6-others); its goal is 32768.

With --regret, every move is judged by the exact values of a solved size: the report
has the expected points that each player gives away, a move and a game. Games are played
to the end; with --start, the optimum is the mean over the start boards.

These games are not stored, except by --csv and --svg. To store games, stage tests too, continue
later, compare players and write reports, use arena run.`,
		Example: `afterstate arena auto snake greedy --games 100
afterstate arena "snake(depth=2)" --size 5x5 --games 20 --csv games.csv --svg tiles.svg
afterstate arena "champion(nodes=3000)" champion --start late.txt --goal 32768 --tries 4
afterstate arena run first snake greedy --games 200`,
		Args: usage.Args(1, math.MaxInt, "at least one player spec"),
	}, &f, runPlay)
	usage.Flags(cmd.Flags(), &f.stageFlags)
	usage.Var(cmd.Flags(), "games", "n", "games of each player", &f.games)
	cmd.AddCommand(newRun(), newMatch(), newList(), newShow(), newCompare(), newReview(), newReport(), newExport(), newImport(), newRemove())
	return cmd
}

// players parses the players' specs.
func (f *playFlags) players(specs []string) (all []catalog.Maker, err error) {
	for _, text := range specs {
		if slices.Contains(reservedWords, text) {
			return nil, usage.Errorf("%q is a command of arena, not a player: it comes first, as in arena %s", text, text)
		}
		m, err := f.spawn.Maker(text)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// nameBots replaces the specs of external programs by the names that they have given.
func nameBots(r *arena.Results, makers []catalog.Maker) {
	names, numbers := make([]string, len(makers)), make([]int, len(makers))
	for i, m := range makers {
		names[i], numbers[i] = m.Spec, i+1
		if m.External != nil {
			name, version := m.External.Known()
			names[i] = cmp.Or(strings.TrimSpace(name+" "+version), m.Spec)
		}
	}
	for i, name := range arena.DistinctNames(names, numbers) {
		if makers[i].External != nil && names[i] != makers[i].Spec {
			r.Players[i].Name, r.Players[i].Spec = name, makers[i].Spec
		}
	}
}

func runPlay(cmd *cobra.Command, specs []string, f *playFlags) error {
	players, err := f.players(specs)
	if err := cmp.Or(err, f.readStarts(cmd), output.Distinct(f.csv, f.svg)); err != nil {
		return err
	}
	csv, err := output.Create(f.csv)
	if err != nil {
		return err
	}
	defer csv.Discard()
	svg, err := output.Create(f.svg)
	if err != nil {
		return err
	}
	defer svg.Discard()
	exp := arena.RunOptions{
		Players: players, Size: f.size.Size, Seed: f.seed.Value, Games: f.games, Workers: f.workers,
		Spawn: f.spawn.SpawnRule, Stop: f.stop(), Goal: f.goal.Stop != game.Stop{}, Starts: f.boards,
	}
	if exp.Exact, err = f.exact(cmd.Context(), f.setup(), f.games); err != nil {
		return err
	}
	bar := output.NewProgress(cmd.ErrOrStderr(), exp.Games*len(players), "games")
	results, stopped := arena.Run(cmd.Context(), exp, func(arena.Outcome) { bar.Add(1) })
	bar.End()
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return stopped
	}
	nameBots(results, players)
	if err := csv.Commit(results.WriteCSV); err != nil {
		return err
	}
	if err := svg.Commit(func(w io.Writer) error { return report.TilesSVG(w, results) }); err != nil {
		return err
	}
	if err := printResults(cmd, results, f.json); err != nil {
		return err
	}
	if stopped != nil {
		return stopped
	}
	return f.checkForfeits(results)
}
