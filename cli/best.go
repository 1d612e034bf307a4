package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/cli/internal/live"
	"afterstate/cli/internal/output"
	"afterstate/cli/internal/usage"
	"afterstate/explain"
	"afterstate/player"
	"afterstate/player/catalog"
)

type bestFlags struct {
	bareFlags
	image   imageFlags
	workers int
	json    bool
	why     bool
	odds    string
	games   int
	time    time.Duration
}

func newBest() *cobra.Command {
	var f bestFlags
	cmd := &cobra.Command{
		Use:   "best [BOARD|-]",
		Short: "Find the best move on a board",
		Long: `Find the best move on a board, with the value of each move.

The loss of a move is the value of the best move minus its own, in the player's unit:
points of score, or the scale of its heuristic. A move is lost if every line that
the player searched ends on a board without a legal move.

--why adds what a person can use: from games played on by the player, with seeded
tiles, the chance of each move to reach the next tile and to be dead within 50
moves; the line to expect; the evaluator's terms for the board after each move.

--odds adds the chance of each move to make some tiles, the final score and the
moves to come, with 95 % intervals, from games that are played on after each move:
by a player's network greedily, or by a faster variant of the player. They stop
when one move is clearly better, and after --time (2s) or --games. With --games
alone the result depends on --seed only. Where the games have another best move
than the player, the output says which of them to trust. On solved sizes it adds exact
values.

Solved sizes have exact values. If a size can be solved but is not, best asks on a terminal
whether to solve it first, which takes seconds (see solve).

` + boardHelp + `

` + imageHelp + `

` + bareHelp,
		Example: `afterstate best 2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2
afterstate best --player "expectimax(eval=gradient,plies=2)" --json - < boards.txt
afterstate best --image screenshot.png`,
		Args: usage.Args(0, 1, "a board, or - to read one a line"),
		RunE: func(cmd *cobra.Command, args []string) error { return runBest(cmd, args, &f) },
	}
	f.add(cmd)
	f.image.add(cmd)
	flags := cmd.Flags()
	flags.IntVarP(&f.workers, "workers", "j", runtime.GOMAXPROCS(0), "boards of a stream processed in parallel")
	flags.BoolVar(&f.json, "json", false, "print JSON, one object per board")
	flags.BoolVar(&f.why, "why", false, "add reasons: rollouts, the expected line, the evaluator's terms")
	flags.StringVar(&f.odds, "odds", "", "add the chances to make these `TILES`, such as 2048,8192; next: the next tile and the one after it")
	flags.IntVar(&f.games, "games", 0, "with --odds, limit of the games of each move")
	flags.DurationVar(&f.time, "time", 500*time.Millisecond, "with --why or --odds, time limit per board")
	return cmd
}

// announceLoading makes the command's context show on a terminal why an answer takes long.
func announceLoading(cmd *cobra.Command) {
	out := cmd.ErrOrStderr()
	if _, terminal := live.TerminalWidth(out); !terminal {
		return
	}
	cmd.SetContext(player.WithNotice(cmd.Context(), loadingNotice(out)))
}

func loadingNotice(out io.Writer) func(loading bool) {
	return func(loading bool) {
		if loading {
			fmt.Fprintln(out, "loading the network")
		}
	}
}

func runBest(cmd *cobra.Command, args []string, f *bestFlags) error {
	announceLoading(cmd)
	maker, err := f.maker(cmd)
	switch {
	case err != nil:
		return err
	case f.workers < 1:
		return usage.Errorf("%d workers: want at least 1", f.workers)
	case f.time < time.Millisecond || f.time > time.Hour:
		return usage.Errorf("time %v: want 1ms to 1h", f.time)
	case cmd.Flags().Changed("time") && !f.why && f.odds == "":
		return usage.Errorf("--time goes with --why and --odds; a player's own limit is in its spec, such as deepening(time=50ms)")
	case cmd.Flags().Changed("games") && f.odds == "":
		return usage.Errorf("--games goes with --odds")
	case f.games < 0:
		return usage.Errorf("%d games: want at least 1", f.games)
	case f.why && f.odds != "":
		return usage.Errorf("--why and --odds are given: want one of them")
	}
	if args, err = f.image.boards(cmd, args, !f.json); err != nil {
		return err
	}
	if f.odds != "" {
		return runOdds(cmd, args, maker, f)
	}
	if f.why {
		return runWhy(cmd, args, maker, f)
	}
	return bestMoves(cmd, args, &maker, f)
}

// offer offers exact values of a single board, unless the output is for programs.
func (f *bestFlags) offer(cmd *cobra.Command, m *catalog.Maker, b *board.Board, stream bool) error {
	if f.json || stream {
		return nil
	}
	return offerExact(cmd, m, b.Size())
}

func bestMoves(cmd *cobra.Command, args []string, m *catalog.Maker, f *bestFlags) error {
	out := cmd.OutOrStdout()
	var players player.Pool
	defer players.Close()
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	cmd.SetContext(ctx)
	return eachBoard(cmd, args, f.workers, func() (boardFunc, error) {
		p := players.Add(m.New())
		p.Start(f.seed.Value, f.game, nil)
		return func(b board.Board, stream bool) (func() error, error) {
			if err := f.offer(cmd, m, &b, stream); err != nil {
				return nil, err
			}
			p.Lock()
			d, err := decide(cmd, &p.Driver, b, stream, f)
			p.Unlock()
			if err != nil {
				return nil, err
			}
			switch {
			case f.json:
				return func() error { return output.JSON(out, d) }, nil
			case stream:
				return func() error { return explain.WriteMove(out, &d) }, nil
			}
			return func() error { return explain.WriteDecision(out, &d) }, nil
		}, nil
	})
}

func decide(cmd *cobra.Command, p *player.Driver, b board.Board, stream bool, f *bestFlags) (player.Decision, error) {
	q, err := f.ask(p.Player, &b)
	if err != nil {
		return player.Decision{}, err
	}
	if stream && !b.Terminal() { // so that no value depends on the boards before
		if err := p.Prepare(cmd.Context(), b.Size()); err != nil {
			return player.Decision{}, err
		}
	}
	return p.Ask(cmd.Context(), q)
}
