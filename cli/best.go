package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/cli/internal/output"
	"afterstate/cli/internal/usage"
	"afterstate/eval"
	"afterstate/player"
)

type bestFlags struct {
	bareFlags
	workers int
	json    bool
	why     bool
	time    time.Duration
}

func newBest() *cobra.Command {
	var f bestFlags
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

` + bareHelp,
		Example: `afterstate best 2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2
afterstate best --player "expectimax(eval=gradient,plies=2)" --json - < boards.txt`,
		Args: usage.Args(0, 1, "a board, or - to read one a line"),
		RunE: func(cmd *cobra.Command, args []string) error { return runBest(cmd, args, &f) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.IntVarP(&f.workers, "workers", "j", runtime.GOMAXPROCS(0), "boards of a stream to work on at once")
	flags.BoolVar(&f.json, "json", false, "print JSON, one object a board")
	flags.BoolVar(&f.why, "why", false, "add reasons: rollouts, the expected line, the evaluator's terms")
	flags.DurationVar(&f.time, "time", 500*time.Millisecond, "with --why, the time for a board")
	return cmd
}

func runBest(cmd *cobra.Command, args []string, f *bestFlags) error {
	maker, err := f.maker(cmd)
	switch {
	case err != nil:
		return err
	case f.workers < 1:
		return usage.Errorf("%d workers: want at least 1", f.workers)
	case f.time < time.Millisecond || f.time > time.Hour:
		return usage.Errorf("time %v: want 1ms to 1h", f.time)
	case cmd.Flags().Changed("time") && !f.why:
		return usage.Errorf("--time goes with --why; a player's own limit is in its spec, such as deepening(time=50ms)")
	}
	if f.why {
		return runWhy(cmd, args, maker, f)
	}
	out := cmd.OutOrStdout()
	var players seats
	defer players.close()
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	cmd.SetContext(ctx)
	return eachBoard(cmd, args, f.workers, func() (boardFunc, error) {
		p := players.add(maker.New())
		p.Start(f.seed.Value, f.game, nil)
		return func(b board.Board, stream bool) (func() error, error) {
			p.Lock()
			d, err := decide(cmd, &p.Driver, b, f)
			p.Unlock()
			if err != nil {
				return nil, err
			}
			switch {
			case f.json:
				return func() error { return output.JSON(out, d) }, nil
			case stream:
				return func() error { return printBestLine(out, &d) }, nil
			}
			return func() error { return printBest(out, &d) }, nil
		}, nil
	})
}

func decide(cmd *cobra.Command, p *player.Driver, b board.Board, f *bestFlags) (player.Decision, error) {
	q, err := f.ask(p.Player, &b)
	if err != nil {
		return player.Decision{}, err
	}
	return p.Ask(cmd.Context(), q)
}

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
	values := "; values are " + unitText(d.Unit)
	if belowZero(d) {
		values += ", 0 where the estimate is below 0"
	}
	if d.Source == "bot" || d.Source == "random" {
		values = "" // they have none
	}
	_, err := fmt.Fprintf(w, ", %.2f ms%s\n", float64(d.Elapsed.Microseconds())/1000, values)
	return err
}

// belowZero reports whether a value is shown as 0 because it is below.
func belowZero(d *player.Decision) bool {
	for _, m := range d.Moves {
		if m.Legal && d.Unit.Shown(m.Value) > m.Value && !m.Lost() {
			return true
		}
	}
	return false
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
		text = fmt.Sprintf("%14s", number(d.Unit.Shown(m.Value)))
	}
	// What is less than a billionth comes from the order of adding.
	if loss, ok := d.Loss(dir); ok && loss > 1e-9*math.Abs(d.Best()) {
		text += "  loses " + number(loss)
	}
	return text
}

// number writes a value with as many digits as tell something.
func number(x float64) string {
	if x == float64(int64(x)) && x < 1e15 && x > -1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	if math.Abs(x) < 0.1 {
		return strconv.FormatFloat(x, 'g', 2, 64)
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
