// Package arena implements the command arena and its subcommands: flags, messages and the progress
// display of an experiment. Package experiment runs and stores experiments.
package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

// subcommands returns the subcommands of arena. Their names are not accepted as player specs.
func subcommands() []*cobra.Command {
	return []*cobra.Command{
		newRun(), newMatch(), newRank(), newList(), newShow(), newCompare(), newReview(), newReport(), newExport(), newRemove(),
	}
}

type playFlags struct {
	setupFlags
	workers int    `flag:"workers,j" default:"cores" range:"1:4096" help:"games played in parallel"`
	csv     string `flag:"csv" help:"write one row per game to a <FILE>"`
}

// New returns the command arena.
func New() *cobra.Command {
	f := playFlags{setupFlags: setupFlags{games: 100}}
	cmd := usage.Command(&cobra.Command{
		Use:   "arena SPEC...",
		Short: "Measure players against each other",
		Long: `Play the same seeded games with each player. Report scores and tiles reached, with 95 %
confidence intervals, and speed.

Games run in parallel on all cores. Every player gets the same seeds. A deterministic
player plays the same games with any number of workers. Ctrl-C reports the games
that are finished.

With --start, games begin from a board, or from the boards of a file: one per line, optionally
with the name of the game it comes from, as BOARD [PARENT]. With --goal, a game ends at a tile
or a sum of tiles, and the report shows how often each player reached it. Together they make
stage tests, which measure how often a player gets from one stage of the game to the next.
stage:N has 4x4 boards of real games at a sum of tiles of 8192, 16384, 24576, 28672, 30720,
31744, 32256, 32768, 40960, 49152 or 57344; its goal is the next of these (61440 for the last),
unless --goal is given. --start ending:NAME has boards of endings with 4, 5 or 6 large tiles
(4, 5, 6-row, 6-block, 6-t, 6-others); its goal is 32768.

With --regret, every move is judged by the exact values of a solved size: the report has the
expected points that each player loses per move and per game. Games are played to the end;
with --start, the optimum is the mean over the start boards. With start boards of a solved 4x4 ending,
moves are judged by the chance to make its goal. Judging stops when the goal is made, or when a
move shifts the walls in a way that the ending does not allow. With --regret, --goal works only
with these start boards; it can be any tile.

These games are not stored, except by --csv. To store games (also of stage tests), continue
later, compare players and write reports, use arena run.`,
		Example: `afterstate arena auto snake greedy --games 100
afterstate arena "snake(depth=2)" --size 5x5 --games 20 --csv games.csv
afterstate arena "champion(nodes=3000)" champion --start late.txt --goal 32768 --tries 4
afterstate arena run first snake greedy --games 200`,
		Args: usage.Args(1, math.MaxInt, "at least one player spec"),
	}, &f, runPlay)
	usage.Flags(cmd.Flags(), &f.stageFlags)
	usage.Var(cmd.Flags(), "games", "n", "games of each player", &f.games)
	cmd.AddCommand(subcommands()...)
	return cmd
}

// players parses player specs. It rejects the name of a subcommand, which must come first on the
// command line.
func (f *playFlags) players(specs []string) (all []catalog.Maker, err error) {
	for _, text := range specs {
		if slices.ContainsFunc(subcommands(), func(c *cobra.Command) bool { return c.Name() == text }) {
			return nil, usage.Errorf("%q is a command of arena, not a player: put it first, as in arena %s", text, text)
		}
		m, err := f.spawn.Maker(text)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// nameBots names external programs by the name and version that they report, instead of their specs.
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
	if err := cmp.Or(err, f.readStarts(cmd)); err != nil {
		return err
	}
	csv, err := output.Create(f.csv)
	defer csv.Discard()
	if err != nil {
		return err
	}
	exp := arena.RunOptions{
		Players: players, Size: f.size, Seed: f.seed, Games: f.games, Workers: f.workers,
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
	if err := printResults(cmd, results, f.json); err != nil {
		return err
	}
	if stopped != nil {
		return stopped
	}
	return f.checkForfeits(results)
}

// setupFlags are the flags that determine how games are played.
type setupFlags struct {
	size          board.Size    `flag:"size,s" default:"4x4" help:"board size, <RxC> from 2x2 to 6x6"`
	seed          uint64        `flag:"seed" default:"1" help:"seed; game i has the same tiles for every player"`
	until         int64         `flag:"until" range:"tile:2:2^48" help:"stop a game as soon as it has this tile"`
	spawn         flags.Spawn   `flag:"spawn" default:"random"`
	allowForfeits bool          `flag:"allow-forfeits" help:"exit 0 even if a player forfeits more than 10 % of its games"`
	json          output.AsJSON `flag:"json" help:"print JSON"`
	games         int           // set by --games, which each command declares with its own help
	stageFlags    `flag:"-"`    // its flags are declared separately: match and rank do not have them
}

// setup converts the flags to the setup of games.
func (f *setupFlags) setup() arena.Setup {
	return arena.Setup{
		Size: f.size, Spawn: f.spawn.Spec, Seed: f.seed,
		Stop: f.stop(), Goal: f.goal.Stop != game.Stop{}, Starts: arena.NewStarts(f.boards),
	}
}

// checkForfeits fails if a player forfeited too many games.
func (f *setupFlags) checkForfeits(r *arena.Results) error {
	err := r.CheckForfeits()
	if err == nil || f.allowForfeits {
		return nil
	}
	return fmt.Errorf("%w\n(--allow-forfeits accepts this)", err)
}

// maxArgs is the maximum number of arguments of a command that takes a list of players or experiments.
const maxArgs = 1000

// same returns an error if a flag that was given does not match the existing experiment e. If all is true,
// it also compares the default values of flags that were not given.
func (f *setupFlags) same(cmd *cobra.Command, e *arena.Plan, all bool) error {
	for _, c := range []struct{ flag, existing, given string }{
		{"size", e.Setup.Size.String(), f.size.String()},
		{"seed", fmt.Sprint(e.Setup.Seed), fmt.Sprint(f.seed)},
		{"until", fmt.Sprint(e.Setup.Until()), fmt.Sprint(f.until)},
		{"goal", cmp.Or(e.Setup.GoalText(), "nothing"), cmp.Or(f.goal.String(), "nothing")},
		{"spawn", e.Setup.Spawn, f.spawn.Spec},
	} {
		if (all || cmd.Flags().Changed(c.flag)) && c.existing != c.given {
			return usage.Errorf("%s has --%s %s, not %s: begin another experiment under another name", e.Name, c.flag, c.existing, c.given)
		}
	}
	if (all || f.start != "") && e.Setup.Starts.String() != arena.NewStarts(f.boards).String() {
		return usage.Errorf("%s has other start boards: begin another experiment under another name", e.Name)
	}
	return nil
}

// printResults prints results as text or JSON.
func printResults(cmd *cobra.Command, r *arena.Results, asJSON output.AsJSON) error {
	return asJSON.Print(cmd, r.Statistics(), func(w io.Writer) error {
		width, _ := output.TerminalWidth(w)
		return report.Text(w, r, width)
	})
}

// stageFlags are the flags for stage tests, which measure how often players get from one stage of the game to a
// goal. In commands without these flags it is zero. The range of --tries keeps tries times start boards below
// the limit of games.
type stageFlags struct {
	regretFlag
	start  string        `flag:"start" help:"begin games from a <BOARD>, the boards of a file, of stdin (-), of a stage (stage:30720) or of an ending (ending:6-row)"`
	goal   stopFlag      `flag:"goal" help:"stop a game at a tile or a sum of tiles (sum=N) and report how often it is reached"`
	tries  int           `flag:"tries" default:"1" range:"1:10000" help:"games of each player from each board of --start"`
	boards []arena.Start // read from --start
}

// readStarts checks the stage flags and reads the boards given by --start. It sets the board size to the size of
// these boards, and the number of games to --tries times the number of boards. If --start names a stage or an ending,
// it also sets the goal, unless --goal or --until is given.
func (f *setupFlags) readStarts(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("until") && changed("goal"):
		return usage.Errorf("--until and --goal cannot be combined: both end a game")
	case f.start == "" && changed("tries"):
		return usage.Errorf("--tries requires --start: it is the number of games from each start board")
	case f.start == "" && (f.games < 1 || f.games > 1e9):
		return usage.Errorf("%d games: must be from 1 to 1000000000", f.games)
	case f.start == "":
		return nil
	case changed("games"):
		return usage.Errorf("--games cannot be combined with --start: use --tries, the number of games from each start board")
	case changed("size"):
		return usage.Errorf("--size cannot be combined with --start: the boards set the size")
	}
	starts, next, err := stages.Load(f.start, cmd.InOrStdin())
	if f.goal.Stop == (game.Stop{}) && f.until == 0 {
		f.goal.Stop = next
	}
	if err == nil {
		err = arena.CheckStarts(starts, f.stop())
	}
	if err != nil {
		return usage.Errorf("--start %s: %w", f.start, err)
	}
	f.boards, f.size, f.games = starts, starts[0].Board.Size(), f.tries*len(starts)
	return nil
}

// stop returns the condition that ends a game early: the one given by --goal, or else by --until.
func (f *setupFlags) stop() game.Stop {
	if f.goal.Stop != (game.Stop{}) {
		return f.goal.Stop
	}
	return game.Stop{Tile: f.until}
}

// stopFlag is a flag whose value is a game.Stop.
type stopFlag struct{ game.Stop }

func (s *stopFlag) Set(text string) (err error) {
	s.Stop, err = game.ParseStop(text)
	return err
}

func (s *stopFlag) Type() string { return "GOAL" }

const memberHelp = `EXPERIMENT/PLAYER, where PLAYER is a spec or its number in arena show; an
experiment of one player needs no PLAYER`

// readFlags are the flags for commands that read stored games.
type readFlags struct {
	store flags.Store
}

// find opens the store and an experiment in it. The caller closes the store.
func (f *readFlags) find(cmd *cobra.Command, name string) (*store.Store, *arena.Plan, error) {
	s, err := f.store.Open(false)
	if err != nil {
		return nil, nil, err
	}
	e, err := experiment.Lookup(cmd.Context(), s, name)
	if err != nil {
		_ = s.Close()
		return nil, nil, flags.StoreError(err)
	}
	return s, e, nil
}

type regretFlag struct {
	regret bool `flag:"regret" help:"judge every move by exact values; solve 2x4, 3x3 or an ending first, see solve"`
}

// exact returns the table of exact values that --regret judges moves by, or nil without the flag.
// It fails if there is no table for the setup.
func (f regretFlag) exact(ctx context.Context, s arena.Setup, games int) (*solve.Table, error) {
	p4, random := s.RandomSpawns()
	switch {
	case !f.regret:
		return nil, nil
	case !random:
		return nil, usage.Errorf("--regret compares with play under random spawns: it cannot be combined with --spawn %s", s.Spawn)
	case s.Starts != nil && s.Size == bitboard.Size:
		return ending(ctx, s, games, p4)
	case s.Goal:
		return nil, usage.Errorf("--regret compares with play to the end of the game: it cannot be combined with --goal %v", s.Stop)
	case s.Stop != game.Stop{}:
		return nil, usage.Errorf("--regret compares with play to the end of the game: it cannot be combined with --until %v", s.Stop)
	case s.Size == bitboard.Size:
		return nil, usage.Errorf("--regret on 4x4 judges moves from boards of a solved ending: use --start, as in --start ending:6-row")
	}
	var tables solve.Library
	table, err := tables.Table(ctx, solve.Problem{Size: s.Size, P4: p4})
	if err == nil {
		_, err = s.Optimum(table, games)
	}
	if err != nil {
		return nil, usage.Errorf("--regret: %w", err)
	}
	return table, nil
}

// ending returns the table of the solved ending that contains the start boards. It fails if there
// is none.
func ending(ctx context.Context, s arena.Setup, games int, p4 float64) (*solve.Table, error) {
	boards := each.Of(s.Starts.Boards, func(start arena.Start) board.Board { return start.Board })
	table, err := catalog.Ending(ctx, boards, solve.Problem{P4: p4})
	if err == nil && table != nil {
		_, err = s.Optimum(table, games)
	}
	switch {
	case err != nil:
		return nil, usage.Errorf("--regret: %w", err)
	case table == nil:
		return nil, usage.Errorf("--regret: no solved ending has all start boards: solve one with afterstate solve --walls or --layouts")
	}
	return table, nil
}
