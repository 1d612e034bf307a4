package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/exchange/picture"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/serve/session"
)

const oneBoardHelp = `BOARD is tile values, cells split by commas, rows by slashes, 0 . _ or - for an empty
cell: 2,0,0,4/0,0,8,0/0,0,0,0/2,0,0,2. Also as programs and people write it: 16k for
16384, 9, 16, 25 or 36 numbers on a line, cells of a spreadsheet, a table with |, JSON rows
([[2,0],[0,4]]), an array of Python, the gameState that the original page stores, and
for 4x4 sixteen characters 0-9a-h, one exponent each, or a link 2048verse.com/p/ with
them. Several f are asked about, because tables of endgames write f for a wall.`

const boardHelp = oneBoardHelp + ` With - boards are read from
stdin, one a line.`

// boardAnswer is the answer for one board: the result for JSON, and a function that writes it as text.
type boardAnswer struct {
	result any
	text   func(io.Writer) error
	err    error
}

// isBoard reports whether the arguments of a command are a board; otherwise the boards come from stdin.
func isBoard(args []string) bool { return len(args) == 1 && args[0] != "-" }

// isPiped returns an error if a command without arguments would read its board from a terminal.
func isPiped(cmd *cobra.Command, args []string, what string) error {
	if len(args) == 0 && output.IsTerminal(cmd.InOrStdin()) {
		return usage.Errorf("%s: missing a board, or - to read %s from stdin; see afterstate %s --help", cmd.Name(), what, cmd.Name())
	}
	return nil
}

// eachBoard prints the answer for the board in args, or for each board on stdin, one a line, in input order. Each
// element of workers answers one board at a time; they share the boards of stdin. An invalid line ends the command
// after the answers to the lines before it.
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
	if err := isPiped(cmd, args, "boards"); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(cmd.Context())
	cmd.SetContext(ctx)
	idle := make(chan func(board.Board) boardAnswer, len(workers))
	for _, answer := range workers {
		idle <- answer
	}
	defer func() { // wait until no worker is busy
		stop()
		for range workers {
			<-idle
		}
	}()
	inOrder := make(chan chan boardAnswer, 4*len(workers))
	go func() { // this goroutine may outlive the function, because a read of stdin may block forever
		defer close(inOrder)
		for b, err := range board.Scan(cmd.InOrStdin()) {
			result := make(chan boardAnswer, 1)
			select {
			case inOrder <- result:
			case <-ctx.Done():
				return
			}
			if err != nil {
				result <- boardAnswer{err: usage.Wrap(err)}
				return
			}
			select {
			case answer := <-idle:
				go func() {
					result <- answer(b)
					idle <- answer
				}()
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case result, more := <-inOrder:
			if !more {
				return nil
			}
			select {
			case a := <-result:
				if err := show(a); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// bareFlags are the flags for asking a player about a single board, without a game.
type bareFlags struct {
	player string      `flag:"player,p" default:"best" help:"player <SPEC>; see afterstate players"`
	score  *int64      `flag:"score" range:"0:2^62" help:"score of the game at this board (default 0)"`
	seed   uint64      `flag:"seed" help:"seed of the game, for foresight"`
	game   uint64      `flag:"game" help:"number of the game within its seed"`
	spawn  flags.Spawn `flag:"spawn" default:"random" help:"for foresight, "`
}

const bareHelp = `foresight knows the coming spawns: on a bare board it needs --seed and --score,
from which it computes the number of spawns so far.`

// maker parses the player's spec. It fails if the player has foresight and a flag that it needs is
// missing.
func (f *bareFlags) maker(cmd *cobra.Command) (catalog.Maker, error) {
	m, err := program.Player(f.player)
	switch {
	case err != nil:
		return m, usage.Wrap(err)
	case m.Foresees && (!cmd.Flags().Changed("seed") || f.score == nil):
		return m, usage.Errorf("%s knows the coming spawns: on a bare board it needs --seed and --score", m.Spec)
	}
	return m, nil
}

// query returns the query about a board, with the score given by --score.
func (f *bareFlags) query(b *board.Board) search.Query {
	return search.NewQuery(*b, *cmp.Or(f.score, new(int64)))
}

// ask returns the query about a board, for the values of all moves. If the player has foresight,
// ask gives it the future spawns.
func (f *bareFlags) ask(m *catalog.Maker, p player.Player, b *board.Board) (search.Query, error) {
	oracle, err := f.oracle(m, b)
	if err == nil && oracle != nil {
		player.See(p, oracle)
	}
	return f.query(b).Exact(), err
}

// oracle returns the future spawns on a board for a player that knows them, and nil for other
// players.
func (f *bareFlags) oracle(m *catalog.Maker, b *board.Board) (search.Oracle, error) {
	if !m.Foresees {
		return nil, nil
	}
	random, err := game.NewRandomAt(f.seed, f.game, f.spawn.P4, b, *f.score)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	return search.Future{Random: *random, OK: f.spawn.Random}, nil
}

const imageHelp = `--image reads the board from a screenshot (PNG, JPEG or WebP) of any 2048 game, shows what was
read and marks the cells that are not certain. With such cells there is no advice: copy the
board that is printed, correct it and ask again, or say --accept if it is right.`

// imageFlags are the flags for reading the board from a screenshot.
type imageFlags struct {
	path   string `flag:"image" help:"read the board from a screenshot <FILE>, - for stdin"`
	accept bool   `flag:"accept" help:"with --image, accept doubtful cells as read"`
}

// boards returns args or, with --image, the board read from the screenshot instead. A board with doubtful cells
// is an error without --accept. If show is set, the board is printed to stdout; otherwise only a doubtful board
// is printed, to stderr.
func (f *imageFlags) boards(cmd *cobra.Command, args []string, show bool) ([]string, error) {
	switch {
	case f.path == "" && f.accept:
		return nil, usage.Errorf("--accept goes with --image")
	case f.path == "":
		return args, nil
	case len(args) > 0:
		return nil, usage.Errorf("both --image and a board are given: give one of them")
	}
	in := cmd.InOrStdin()
	if f.path != "-" {
		file, err := inputfile.Open(f.path)
		if err != nil {
			return nil, usage.Wrap(err)
		}
		defer file.Close()
		in = file
	}
	r, err := picture.Read(cmd.Context(), in)
	switch {
	case cmd.Context().Err() != nil && err != nil:
		return nil, err
	case err != nil:
		return nil, usage.Errorf("%s: %v", f.path, err)
	}
	doubt, to := r.Doubt(), cmd.OutOrStdout()
	if !show {
		to = cmd.ErrOrStderr()
	}
	if doubt != "" {
		if err := r.WriteText(to); err != nil {
			return nil, err
		}
		fmt.Fprintln(to)
	}
	if doubt != "" || show {
		fmt.Fprintf(to, "read from %s: %v\n\n", f.path, r.Board)
	}
	if doubt != "" && !f.accept {
		return nil, usage.Errorf("%s: %s\nCorrect the board in this command and run it: afterstate %s %v\nIf the board is right, repeat your command with --accept.", f.path, doubt, cmd.Name(), r.Board)
	}
	return []string{r.Board.String()}, nil
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
		Args: usage.Args(0, 1, "a board, or - to read one a line"),
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
