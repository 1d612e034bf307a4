package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/serve/session"
)

const oneBoardHelp = `BOARD is tile values, cells split by commas and rows by slashes, with 0 . _ or - for an empty
cell: 2,0,0,4/0,0,8,0/0,0,0,0/2,0,0,2. Also read: 16k for 16384; a square board as 9, 16,
25 or 36 numbers on one line; cells of a spreadsheet; a table with |; JSON rows ([[2,0],[0,4]]);
an array of Python; the gameState that the original page stores; for 4x4 sixteen characters
0-9a-h, one exponent each, or a link 2048verse.com/p/ with them. In these an f is 32768, in endgame
tables a wall: a board with several f is refused, and the error shows both readings.`

const boardHelp = oneBoardHelp + ` With - boards are read from
stdin, one per line.`

// boardAnswer is the answer for one board: the result for JSON, and a function that writes it as text.
type boardAnswer struct {
	result any
	text   func(io.Writer) error
	err    error
}

// isBoard reports whether the arguments of a command are a board; otherwise the boards come from stdin.
func isBoard(args []string) bool { return len(args) == 1 && args[0] != "-" }

// eachBoard prints the answer for the board in args, or for each board on stdin, one per line, in
// input order. Each element of workers answers one board at a time; they share the boards of stdin.
// An invalid line ends the command after the answers to the lines before it.
func eachBoard(cmd *cobra.Command, args []string, asJSON output.AsJSON, workers ...func(board.Board) boardAnswer) error {
	show := func(a boardAnswer) error {
		if a.err != nil {
			return a.err
		}
		return asJSON.Print(cmd, a.result, a.text)
	}
	if isBoard(args) {
		b, err := board.Parse(args[0])
		if err != nil {
			return usage.Wrap(err)
		}
		return show(workers[0](b))
	}
	if len(args) == 0 && output.IsTerminal(cmd.InOrStdin()) {
		return usage.Errorf("%s: missing a board, or - to read boards from stdin; see afterstate %s --help", cmd.Name(), cmd.Name())
	}
	ctx, stop := context.WithCancel(cmd.Context())
	cmd.SetContext(ctx) // the workers search with this context, which ends when the function returns
	jobs, answers := make(chan boardJob), make(chan (<-chan boardAnswer), 4*len(workers))
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	for _, answer := range workers {
		working.Go(func() {
			for {
				select {
				case j := <-jobs:
					j.answer <- answer(j.board)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go readBoards(ctx, cmd.InOrStdin(), jobs, answers) // not waited for, because a read of stdin may block forever
	for {
		select {
		case answer, ok := <-answers:
			if !ok {
				return ctx.Err()
			}
			if err := show(<-answer); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// boardJob is a board for a worker, which sends its answer to the channel.
type boardJob struct {
	board  board.Board
	answer chan<- boardAnswer
}

// readBoards gives the boards of in to workers, and sends the channels of their answers in the order of input. It ends
// at the end of the input, after an invalid line, or when ctx ends; then it closes answers.
func readBoards(ctx context.Context, in io.Reader, jobs chan<- boardJob, answers chan<- (<-chan boardAnswer)) {
	defer close(answers)
	for b, err := range board.Scan(in) {
		answer := make(chan boardAnswer, 1)
		if err != nil {
			answer <- boardAnswer{err: usage.Wrap(err)}
		} else {
			select {
			case jobs <- boardJob{b, answer}:
			case <-ctx.Done():
				return
			}
		}
		select {
		case answers <- answer:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// bareFlags are the flags for asking a player about a single board, without a game.
type bareFlags struct {
	player string `flag:"player,p" default:"best" help:"player <SPEC>; see afterstate players"`
	score  int64  `flag:"score" range:"0:2^62" help:"score of the game at this board"`
}

// query returns a query for the values of all moves on a board. The score is the one given by --score.
func (f *bareFlags) query(b *board.Board) search.Query { return search.NewQuery(*b, f.score).Exact() }

// playerOfBoards parses the spec of a player for single boards. It rejects players that need to know the coming
// spawns, because a single board has none.
func playerOfBoards(spec string) (catalog.Maker, error) {
	m, err := program.Player(spec)
	if err == nil && m.Foresees {
		err = fmt.Errorf("%s needs the coming spawns, which are unknown here: use another player", m.Spec)
	}
	return m, usage.Wrap(err)
}

type inspectFlags struct {
	json output.AsJSON `flag:"json" help:"print JSON, one object per board"`
}

func newInspect() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "inspect [BOARD|-]",
		Short: "Show the result of each move on a board",
		Long: `For each direction, show whether the move changes the board, its reward and the
afterstate. Also show whether the game is over.

` + boardHelp,
		Example: `afterstate inspect 2,2,0,4/0,0,8,0/0,0,0,0/2,0,0,2
afterstate inspect "16k 8k 4k _/2 4 8 16/_ _ _ 2/_ _ _ _"`,
		Args: usage.Args(0, 1, "a board, or - to read one per line"),
	}, &inspectFlags{}, func(cmd *cobra.Command, args []string, f *inspectFlags) error {
		return eachBoard(cmd, args, f.json, func(b board.Board) boardAnswer {
			return boardAnswer{result: session.Inspect(b, false), text: func(w io.Writer) error { return printInspection(w, b) }}
		})
	})
}

func printInspection(w io.Writer, b board.Board) error {
	over := ""
	if b.Terminal() {
		over = "  game over"
	}
	fmt.Fprintf(w, "%v%s\n", b, over)
	for _, d := range board.Directions {
		after, reward, moved := b.Slide(d)
		if !moved {
			fmt.Fprintf(w, "  %-6v changes nothing\n", d)
			continue
		}
		fmt.Fprintf(w, "  %-6v %+6d  %v\n", d, reward, after)
	}
	_, err := fmt.Fprintln(w)
	return err
}

func newPerft() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "perft BOARD N",
		Short: "Count the boards after N rounds of all moves and all spawns",
		Long: `Count the boards after N rounds, a round being every legal move followed by every
spawn (a 2 and a 4 on each empty cell), with repetition. Games that end
earlier do not count. Use it to compare an implementation of the rules with this one.`,
		Example: "afterstate perft 2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 3",
		Args:    usage.Args(2, 2, "a board and the number of rounds"),
	}, &jsonFlag{}, func(cmd *cobra.Command, args []string, f *jsonFlag) error {
		b, err := board.Parse(args[0])
		if err != nil {
			return usage.Wrap(err)
		}
		const maximum = 12
		n, err := strconv.Atoi(args[1])
		if err != nil || n < 0 || n > maximum {
			return usage.Errorf("%q rounds: must be a whole number from 0 to %d", args[1], maximum)
		}
		start := time.Now()
		leaves, err := search.Perft(cmd.Context(), &b, n)
		if err != nil {
			return err
		}
		took := time.Since(start)
		rate := float64(leaves) / max(took.Seconds(), 1e-9)
		return f.json.Print(cmd, struct {
			Leaves    uint64  `json:"leaves"`
			ElapsedMS float64 `json:"elapsed_ms"`
			PerSecond float64 `json:"leaves_per_s"`
		}{leaves, float64(took.Microseconds()) / 1000, float64(int64(rate))}, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%d leaves in %v, %.1f million a second\n", leaves, took.Round(time.Microsecond), rate/1e6)
			return err
		})
	})
}
