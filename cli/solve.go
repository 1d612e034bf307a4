package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search/solve"
	"github.com/afterstate2048/afterstate/serve/session"
)

type solveFlags struct {
	goal    int64         `flag:"goal" range:"tile:2:2^48" help:"compute the chance to make this tile instead of the score"`
	p4      float64       `flag:"p4" default:"0.1" help:"probability that a random spawn is a 4"`
	spawn   string        `flag:"spawn" default:"random" help:"<RULE> by which tiles appear: random, adversary or friendly"`
	walls   string        `flag:"walls" help:"solve a 4x4 ending with the walls on a <LAYOUT>, such as ###./###."`
	layouts []string      `flag:"layouts" help:"like --walls, but walls may move from one of these <LAYOUTS> to another"`
	memory  flags.Bytes   `flag:"memory" help:"refuse to use more memory than this <SIZE>, such as 200MB"`
	workers int           `flag:"workers,j" default:"cores" range:"1:4096" help:"goroutines; does not change the result"`
	show    string        `flag:"show" help:"print the exact values of a <BOARD>'s moves"`
	json    output.AsJSON `flag:"json" help:"print JSON"`
}

func newSolve() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "solve [SIZE]",
		Short: "Compute exact values of small boards and endings",
		Long: `Compute the exact value of every board of 2x2, 2x3, 2x4 or 3x3, or of one of these rotated, such
as 3x2: the expected score under optimal play, or with --goal the greatest chance to make a
tile, for play that aims at this tile alone.

With --walls or --layouts it solves an ending of 4x4: the greatest chance to make the tile
--goal, where the largest tiles are walls (#): all different and not smaller than the goal, so
that they do not merge before it is made. With --walls they stay where they are: a move
that would shift one is not allowed. With --layouts, up to four, a move may shift them
between the layouts and their rotations and reflections.

With --spawn adversary each spawn is the worst one for the player, so that values are
guaranteed; with friendly it is the best one, so that no play does better. The start
tiles follow the rule too.

The table is kept in $XDG_CACHE_HOME/afterstate/solved, where the player perfect finds it. An
interrupted solve starts over when the command is repeated.

--show prints the exact value of each move on a board, and its chance to make each tile
whose goal is solved. On 2x2 and 2x3 nothing needs to be solved before.`,
		Example: `afterstate solve 3x3
afterstate solve 3x3 --goal 512
afterstate solve --show 0,2,4/2,8,4/64,32,16
afterstate solve --walls '####/##..' --goal 128
afterstate solve --layouts '####/##..,###./###.' --goal 64`,
		Args: usage.Args(0, 1, "one board size"),
	}, &solveFlags{}, runSolve)
}

func runSolve(cmd *cobra.Command, args []string, f *solveFlags) (err error) {
	p := solve.Problem{Goal: f.goal, Spawn: solve.Rule(f.spawn), P4: f.p4}
	if p.Free = len(f.layouts) > 0; p.Free || f.walls != "" {
		p.Walls = strings.Join(append([]string{f.walls}, f.layouts...), " ")
	}
	switch {
	case p.Walls != "" && (f.show != "" || len(args) > 0):
		return usage.Errorf("--walls and --layouts are for a 4x4 ending: they cannot be combined with a size or --show")
	case f.show != "" && len(args) > 0:
		return usage.Errorf("%s cannot be combined with --show: the board sets the size", args[0])
	case f.show != "" && f.goal != 0:
		return usage.Errorf("--goal cannot be combined with --show, which gives the chances of all solved tiles")
	case f.show == "" && len(args) == 0 && p.Walls == "":
		return usage.Errorf("solve: missing a size such as 3x3, or --show BOARD")
	case p.Spawn != solve.Random && cmd.Flags().Changed("p4"):
		return usage.Errorf("--p4 requires --spawn random: %s chooses every tile", f.spawn)
	}
	if f.show != "" {
		return showSolved(cmd, f, p)
	}
	if len(args) > 0 {
		p.Size, err = board.ParseSize(args[0])
	}
	if err == nil {
		err = p.Check()
	}
	if err != nil {
		return usage.Wrap(err)
	}
	return makeTable(cmd, f, p, solve.Options{Threads: f.workers})
}

// solution is the result of solve --json.
type solution struct {
	protocol.Solution
	// Tile is the largest tile that the player can make with certainty; see solve.BestTile. It is set only if spawns
	// are not random and the problem has neither a goal nor walls.
	Tile     int64   `json:"tile,omitempty"`
	File     string  `json:"file"`
	Bytes    int64   `json:"bytes"`
	Resumed  float64 `json:"resumed"` // 1 if the table existed, else 0
	ElapsedS float64 `json:"elapsed_s"`
}

func makeTable(cmd *cobra.Command, f *solveFlags, p solve.Problem, o solve.Options) error {
	folder, err := solve.DefaultFolder()
	if err != nil {
		return err
	}
	// Compute the best tile only where it is cheap: for other problems it takes as much time as computing the score.
	withTile := p.Spawn != solve.Random && p.Goal == 0 && p.Walls == ""
	need, limit := p.Memory(!withTile), int64(f.memory)
	if limit > 0 && need > limit && (withTile || !folder.Has(p)) {
		return usage.Errorf("solving %v needs %s of memory, but only %s may be used", p.Size, memory.Words(need), memory.Words(limit))
	}
	if p.Walls != "" && !folder.Has(p) {
		took, bytes := p.Estimate()
		fmt.Fprintf(cmd.ErrOrStderr(), "at most about %s on two cores, %s of memory and %s of disk space\n", numfmt.About(took), memory.Words(need), memory.Words(bytes))
	}
	started := time.Now()
	s := solution{Resumed: 1}
	report, end := showSolving(cmd, "solving "+cmp.Or(p.Walls, p.Size.String()))
	o.Progress = func(now solve.Progress) {
		s.Resumed = 0
		report(now)
	}
	table, err := folder.Solve(cmd.Context(), p, o)
	end()
	if err != nil {
		return solveError(err)
	}
	defer table.Close()
	if p.Walls != "" {
		p = table.Problem // the same problem, with its layouts in canonical form
	}
	s.Solution = session.Solution(p, table)
	if withTile {
		if s.Tile, err = solve.BestTile(cmd.Context(), p, o); err != nil {
			return solveError(err)
		}
	}
	s.File, s.Bytes, s.ElapsedS = table.Path, table.Bytes(), time.Since(started).Seconds()
	return f.json.Print(cmd, s, s.write)
}

// solveError turns errors that the user can correct into usage errors.
func solveError(err error) error {
	if errors.As(err, new(*memory.Error)) || errors.As(err, new(*solve.MissingError)) || errors.Is(err, solve.ErrUnreached) || errors.Is(err, solve.ErrBusy) {
		return usage.Wrap(err)
	}
	return err
}

// showSolving shows the progress of a solve until end is called.
func showSolving(cmd *cobra.Command, label string) (report func(solve.Progress), end func()) {
	bar := output.NewPercent(cmd.ErrOrStderr(), label)
	shown := 0
	return func(now solve.Progress) {
		percent := int(100 * now.Done)
		bar.Add(percent - shown)
		shown = percent
	}, bar.End
}

func (s *solution) write(w io.Writer) error {
	value := ""
	switch rule := solve.Rule(s.Spawn); {
	case s.BestStart != nil:
		value = fmt.Sprintf("chance to make %d from two 2s: %.6f on average, %.6f from the best start", s.Goal, *s.Probability, *s.BestStart)
	case s.Goal != 0 && rule == solve.Random:
		value = fmt.Sprintf("greatest chance to make %d: %.12f", s.Goal, *s.Probability)
	case s.Goal != 0:
		value = fmt.Sprintf("%d can be made with %s spawns: %v", s.Goal, s.Spawn, map[bool]string{true: "yes", false: "no"}[*s.Probability == 1])
	case rule == solve.Random:
		value = fmt.Sprintf("expected score under optimal play: %.12f", *s.ExpectedScore)
	case rule == solve.Adversary:
		value = fmt.Sprintf("guaranteed: score %.0f", *s.ExpectedScore)
	default:
		value = fmt.Sprintf("best possible: score %.0f", *s.ExpectedScore)
	}
	if s.Tile != 0 {
		value += fmt.Sprintf(", tile %d", s.Tile)
	}
	label := s.Size.String()
	switch {
	case s.FreeWalls:
		label = "walls free among " + strings.Join(s.Walls, " and ")
	case s.Walls != nil:
		label = "walls fixed on " + s.Walls[0]
	}
	_, err := fmt.Fprintf(w, "%s\n%s: %s boards up to symmetry, %.1f s\n%s, %s\n", value, label, numfmt.Int(s.States), s.ElapsedS, s.File, memory.Words(s.Bytes))
	return err
}

// offerExact prints the command that solves a board size, if the players of m would then have exact values for that
// size. It prints nothing if m cannot play without the solved table: then the player's error names the command.
func offerExact(cmd *cobra.Command, m *catalog.Maker, size board.Size) {
	if p, ok := catalog.Offer(m, size); ok && !m.Exact(size) {
		fmt.Fprintf(cmd.ErrOrStderr(), "solve %v once for exact values (%s): %s\n", size, p.Cost(), p.Command())
	}
}
