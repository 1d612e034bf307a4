package cli

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/player"
	"afterstate/search"
)

type bestFlags struct {
	player  string
	score   int64
	seed    seedFlag
	game    uint64
	spawn   spawnFlag
	workers int
	json    bool
	why     bool
	time    time.Duration
}

func newBest() *cobra.Command {
	f := bestFlags{spawn: newSpawnFlag()}
	cmd := &cobra.Command{
		Use:   "best [BOARD|-]",
		Short: "Say which move is best on a board",
		Long: `Say which move is best on a board, with the value of each move.

A move's loss is how much less it is worth than the best one, in the player's
unit: points of score, or the scale of its heuristic. A move is lost when every
way the player looked at leads to a dead board.

--why adds what a person can use: from games played on by the player, with seeded
tiles, the chance of each move to reach the next tile and to be dead within 50
moves; the line to expect; the evaluator's terms for the board after each move.

` + boardHelp + `

foresight knows the tiles to come: on a bare board it needs --seed and --score,
from which it tells how many tiles have spawned so far.`,
		Example: `afterstate best 2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2
afterstate best --player "expectimax(eval=gradient,plies=2)" --json - < boards.txt`,
		Args: between(0, 1, "a board, or - to read one a line"),
		RunE: func(cmd *cobra.Command, args []string) error { return runBest(cmd, args, &f) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.player, "player", "p", "auto", "player `SPEC`; see afterstate players")
	flags.Int64Var(&f.score, "score", -1, "the game's score at the board (0 when not given)")
	flags.Var(&f.seed, "seed", "seed of the game, for foresight")
	flags.Uint64Var(&f.game, "game", 0, "number of the game within its seed")
	flags.Var(&f.spawn, "spawn", "for foresight, "+spawnHelp)
	flags.IntVarP(&f.workers, "workers", "j", runtime.GOMAXPROCS(0), "boards of a stream to work on at once")
	flags.BoolVar(&f.json, "json", false, "print JSON, one object a board")
	flags.BoolVar(&f.why, "why", false, "add reasons: rollouts, the expected line, the evaluator's terms")
	flags.DurationVar(&f.time, "time", 500*time.Millisecond, "with --why, the time for a board")
	flags.Lookup("score").DefValue = ""
	return cmd
}

func runBest(cmd *cobra.Command, args []string, f *bestFlags) error {
	maker, err := player.Parse(f.player, caps)
	switch {
	case err != nil:
		return usage(err)
	case maker.Foresees && (!f.seed.given || f.score < 0):
		return usagef("%s knows the tiles to come: on a bare board it needs --seed and --score", maker.Spec)
	case f.workers < 1:
		return usagef("%d workers: want at least 1", f.workers)
	case cmd.Flags().Changed("score") && f.score < 0:
		return usagef("score %d: want 0 or more", f.score)
	case f.time < time.Millisecond || f.time > time.Hour:
		return usagef("time %v: want 1ms to 1h", f.time)
	case cmd.Flags().Changed("time") && !f.why:
		return usagef("--time goes with --why; a player's own limit is in its spec, such as deepening(time=50ms)")
	}
	if f.why {
		return runWhy(cmd, args, maker, f)
	}
	out := cmd.OutOrStdout()
	return eachBoard(cmd, args, f.workers, func() (boardFunc, error) {
		p := maker.New()
		p.Start(f.seed.value, f.game)
		return func(b board.Board, stream bool) (func() error, error) {
			d, err := decide(cmd, p, b, f)
			if err != nil {
				return nil, err
			}
			switch {
			case f.json:
				return func() error { return writeJSON(out, d) }, nil
			case stream:
				return func() error { return printBestLine(out, &d) }, nil
			}
			return func() error { return printBest(out, &d) }, nil
		}, nil
	})
}

func decide(cmd *cobra.Command, p player.Player, b board.Board, f *bestFlags) (player.Decision, error) {
	if seer, ok := p.(player.Seer); ok {
		oracle, err := f.oracle(&b)
		if err != nil {
			return player.Decision{}, err
		}
		seer.See(oracle)
	}
	q := search.Query{Position: eval.Position{Board: b, Score: max(f.score, 0)}, All: true}
	start := time.Now()
	d, err := p.Decide(cmd.Context(), q)
	d.Elapsed = time.Since(start)
	return d, err
}

// oracle tells the tiles to come on a bare board.
func (f *bestFlags) oracle(b *board.Board) (search.Oracle, error) {
	random, err := game.NewRandomAt(f.seed.value, f.game, f.spawn.P4, b, f.score)
	if err != nil {
		return nil, usage(err)
	}
	return bareOracle{*random, f.spawn.Random}, nil
}

// bareOracle is the future of a board that stands alone.
type bareOracle struct {
	random game.Random
	ok     bool
}

func (o bareOracle) Foresee() (game.Random, bool) { return o.random, o.ok }

// printBest shows the decision on a board with all its values.
func printBest(w io.Writer, d *player.Decision) error {
	drawBoard(w, &d.Board)
	if !d.OK {
		_, err := fmt.Fprintln(w, "\nno legal move: the game is over")
		return err
	}
	fmt.Fprintf(w, "\nbest: %v\n\n", d.Move)
	for _, dir := range board.Directions {
		mark := " "
		if dir == d.Move {
			mark = ">"
		}
		fmt.Fprintf(w, "%s %-6v %s\n", mark, dir, moveText(d, dir))
	}
	fmt.Fprintf(w, "\n%s: %s", d.Player, d.Source)
	if d.Plies > 0 {
		fmt.Fprintf(w, ", %d plies", d.Plies)
	}
	if d.Nodes > 0 {
		fmt.Fprintf(w, ", %d nodes", d.Nodes)
	}
	_, err := fmt.Fprintf(w, ", %.2f ms; values are %s\n", float64(d.Elapsed.Microseconds())/1000, unitText(d.Unit))
	return err
}

func unitText(u eval.Unit) string {
	if u == eval.Points {
		return "points of score still to come"
	}
	return "on the scale of the heuristic"
}

func moveText(d *player.Decision, dir board.Direction) string {
	m := d.Moves[dir]
	switch {
	case !m.Legal:
		return "changes nothing"
	case d.Source == "random":
		return "as likely as the others"
	case m.Lost():
		return "lost"
	}
	text := fmt.Sprintf("%14s", "not known")
	if m.Value == m.Value { // not NaN
		text = fmt.Sprintf("%14s", number(m.Value))
	}
	if loss, ok := d.Loss(dir); ok && loss > 0 {
		text += "  loses " + number(loss)
	}
	return text
}

// number writes a value with as many digits as tell something.
func number(x float64) string {
	if x == float64(int64(x)) && x < 1e15 && x > -1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// printBestLine is the answer for one board of a stream: move, board.
func printBestLine(w io.Writer, d *player.Decision) error {
	move := "none"
	if d.OK {
		move = d.Move.String()
	}
	_, err := fmt.Fprintf(w, "%s\t%v\n", move, d.Board)
	return err
}

// drawBoard draws a board in plain characters.
func drawBoard(w io.Writer, b *board.Board) {
	size := b.Size()
	width := max(4, len(strconv.FormatInt(board.Tile(b.Largest()), 10)))
	for r := range size.Rows {
		for c := range size.Cols {
			tile := "."
			if e := b.At(r, c); e != 0 {
				tile = strconv.FormatInt(board.Tile(e), 10)
			}
			fmt.Fprintf(w, " %*s", width, tile)
		}
		fmt.Fprintln(w)
	}
}
