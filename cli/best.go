package cli

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/advice/explain"
	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
	"github.com/afterstate2048/afterstate/tui"
)

type bestFlags struct {
	bareFlags
	seed    uint64        `flag:"seed" help:"seed of the player's choices and of the games of --why"`
	workers int           `flag:"workers,j" default:"cores" range:"1:" help:"number of boards from stdin (-) processed in parallel"`
	json    output.AsJSON `flag:"json" help:"print JSON, one object per board"`
	why     bool          `flag:"why" help:"add reasons: the results of games played on after each move, and the evaluator's terms"`
	tiles   []int64       `flag:"tiles" help:"with --why, the <TILES> to give chances for, such as 2048,8192 (default: the next tile)"`
	games   int           `flag:"games" range:"0:" help:"with --why, maximum number of games after each move (default: no limit)"`
	level   string        `flag:"level" help:"grade the moves for a player of a <LEVEL>, and add the points that this player still makes; on 4x4: 1000, 3000, 8000, 20000, 60000 or strong"`
	time    time.Duration `flag:"time" default:"1s" range:"1ms:1h" help:"with --why, time limit per board after the decision; none if only --games is given"`
}

func newBest() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "best [BOARD|-]",
		Short: "Find the best move on a board",
		Long: `Find the best move on a board, with the value of each move.

The loss of a move is the value of the best move minus its own, in the player's unit: points of
score, or the scale of its heuristic. "may end" marks a move after which, within the depth of
the search, some new tiles end the game whatever is played. Some players have no value for such
moves. They avoid them; if every move may end the game, they make the one most likely to survive.

--why plays games on after each move: greedily with the player's network or, if it has none,
with a faster variant of the player. For each move it adds the chance that the game ends within
50 moves and the chance that the next tile is made, with 95 % intervals, and the evaluator's
terms for the board after the move. Games of a player without a network end after 50 moves.

--tiles names other tiles to give chances for. Games go on until they have made the largest of
them; every eighth game is played to its end, for the final score and the number of moves. With
--games and without --time the result depends on --seed only. If the best move by these games
differs from the player's, the output says which of them to trust.

--level grades the moves for a reference player who plays like a person with this mean score,
slips included, and adds the points that this player still makes after each move. The best
move for you may be another one than for the strongest player. The points are means of up to
1,000 games played on after each move, with 95 % intervals. They end after 25 moves with that
player's own estimate. Games of --level strong, the network that comes with the program, last
until the sum of the tiles has doubled, at most 1,000 moves.

Solved sizes have exact values. If a size can be solved but is not, best first prints the
command that solves it in seconds.

` + boardHelp,
		Example: `afterstate best 2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2
afterstate best --why --tiles 2048,4096 2,4,8,16/0,2,4,8/512,0,2,4/1024,0,0,2
afterstate best --player "expectimax(eval=gradient,plies=2)" --json - < boards.txt`,
		Args: usage.Args(0, 1, "a board, or - to read one per line"),
	}, &bestFlags{}, runBest)
}

// announceLoading sets up the command's context to show a notice on a terminal while a player loads a network.
func announceLoading(cmd *cobra.Command) {
	if out := cmd.ErrOrStderr(); output.IsTerminal(out) {
		cmd.SetContext(player.WithNotice(cmd.Context(), tui.LoadingNotice(out)))
	}
}

func runBest(cmd *cobra.Command, args []string, f *bestFlags) error {
	announceLoading(cmd)
	maker, err := playerOfBoards(f.player)
	if err != nil {
		return err
	}
	if !f.why {
		for _, flag := range []string{"tiles", "games", "time"} {
			if cmd.Flags().Changed(flag) {
				return usage.Errorf("--%s requires --why", flag)
			}
		}
	}
	switch {
	case f.level != "" && f.why:
		return usage.Errorf("--level cannot be combined with --why")
	case f.level != "" && !isBoard(args) && !bool(f.json):
		return usage.Errorf("--level with several boards requires --json")
	case f.why:
		return runWhy(cmd, args, &maker, f)
	}
	return bestMoves(cmd, args, &maker, f)
}

// each prints the answer for each board. For a single board in text output, it first offers to solve the
// board's size.
func (f *bestFlags) each(cmd *cobra.Command, args []string, m *catalog.Maker, workers ...func(board.Board) boardAnswer) error {
	if isBoard(args) && !bool(f.json) {
		if b, err := board.Parse(args[0]); err == nil { // otherwise eachBoard reports the error
			offerExact(cmd, m, b.Size())
		}
	}
	return eachBoard(cmd, args, f.json, workers...)
}

func bestMoves(cmd *cobra.Command, args []string, m *catalog.Maker, f *bestFlags) error {
	count, stream := 1, !isBoard(args)
	if stream {
		count = f.workers
	}
	judge, err := f.judge(m.P4)
	if err != nil {
		return err
	}
	var workers []func(board.Board) boardAnswer
	for range count {
		p := &player.Driver{Player: m.New()}
		defer p.Close()
		p.Start(f.seed, 0, nil)
		graded := &player.Driver{}
		if judge != nil {
			graded.Player = judge.New()
		}
		workers = append(workers, func(b board.Board) boardAnswer {
			// A player may skip loading its network for a board with one legal move. Without
			// Prepare, the values on such a board would depend on whether an earlier board has
			// loaded the network.
			if stream && !b.Terminal() {
				if err := p.Prepare(cmd.Context(), b.Size()); err != nil {
					return boardAnswer{err: err}
				}
			}
			d, err := p.Ask(cmd.Context(), f.query(&b))
			if err == nil && judge != nil {
				err = grade(cmd, graded, &d)
			}
			return boardAnswer{d, func(w io.Writer) error {
				if stream {
					return explain.WriteMove(w, &d)
				}
				return writeBest(cmd, w, &d)
			}, err}
		})
	}
	return f.each(cmd, args, m, workers...)
}

// judge returns the player that grades moves for --level, or nil without the flag. p4 is the probability of a 4 that
// the player of the command assumes; see catalog.Maker.
func (f *bestFlags) judge(p4 float64) (*catalog.Maker, error) {
	if f.level == "" {
		return nil, nil
	}
	m, err := program.Player(catalog.WithP4(levels.Spec(f.level, levels.Playouts), game.ChanceOf4(p4)))
	if err != nil {
		return nil, usage.Errorf("--level: %w", err)
	}
	return &m, nil
}

// grade sets d.Level to the decision of judge, the player for --level, on the same board.
func grade(cmd *cobra.Command, judge *player.Driver, d *player.Decision) error {
	level, err := judge.Ask(cmd.Context(), search.NewQuery(d.Board, 0).Exact())
	if bad := new(player.BoardError); errors.As(err, &bad) {
		return usage.Errorf("--level: %w", err)
	}
	d.Level = &level
	return err
}

// runWhy implements best --why. It answers one board at a time; the games for a board use all
// cores.
func runWhy(cmd *cobra.Command, args []string, m *catalog.Maker, f *bestFlags) (err error) {
	o := explain.Options{Games: f.games, Seed: f.seed}
	if f.games == 0 || cmd.Flags().Changed("time") {
		o.Time = f.time
	}
	if o.Tiles, err = odds.Exponents(f.tiles); err != nil {
		return usage.Errorf("--tiles: %w", err)
	}
	return f.each(cmd, args, m, func(b board.Board) boardAnswer {
		r, err := explain.Explain(cmd.Context(), *m, f.query(&b), o)
		return boardAnswer{r, func(w io.Writer) error {
			if err := explain.WriteDecision(w, &r.Decision); err != nil || !r.Decision.OK {
				return err
			}
			return explain.WriteReasons(w, &r)
		}, err}
	})
}

// writeBest writes a decision and, if solved endings contain its board, the exact chances from
// them.
func writeBest(cmd *cobra.Command, w io.Writer, d *player.Decision) error {
	if err := explain.WriteDecision(w, d); err != nil || !d.OK {
		return err
	}
	goals, err := catalog.Chances(cmd.Context(), d.Board, game.P4)
	goals = slices.DeleteFunc(goals, func(g solve.Goal) bool { return g.Walls == "" })
	if err != nil || len(goals) == 0 {
		return err
	}
	return explain.WriteExact(w, &explain.Reasons{Decision: *d, Chances: goals})
}
