package cli

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/cobra"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/game/record"
	"afterstate/player"
	"afterstate/search"
)

type watchFlags struct {
	size   sizeFlag
	seed   seedFlag
	game   uint64
	until  tileFlag
	spawn  spawnFlag
	speed  float64
	moves  bool
	record string
	replay string
}

func newWatch() *cobra.Command {
	f := watchFlags{size: newSizeFlag(), spawn: newSpawnFlag()}
	cmd := &cobra.Command{
		Use:   "watch [SPEC]",
		Short: "Watch a player play",
		Long: `Watch a player play a game of 2048.

On a terminal the board is drawn move by move, as fast as --speed says. Otherwise
the game runs at full speed, with a line for each new largest tile (--moves: for
each move), and the last line is one JSON object: player, size, seed, game, score,
max_tile, moves, over.

--record keeps the game in a file, one JSON record a line; --replay shows the
first game of such a file again.`,
		Example: `afterstate watch --seed 1 --until 2048
afterstate watch "foresight(depth=30,beam=64)" --speed 0
afterstate watch snake --size 5x5`,
		Args: between(0, 1, "at most one player spec"),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec := "auto"
			if len(args) > 0 {
				spec = args[0]
			}
			return runWatch(cmd, spec, len(args) > 0, &f)
		},
	}
	flags := cmd.Flags()
	flags.VarP(&f.size, "size", "s", "board size from 2x2 to 6x6")
	flags.Var(&f.seed, "seed", "seed of the spawns (a random one when not given)")
	flags.Uint64Var(&f.game, "game", 0, "number of the game within its seed")
	flags.Var(&f.until, "until", "stop as soon as this tile is there")
	flags.Var(&f.spawn, "spawn", spawnHelp)
	flags.Float64Var(&f.speed, "speed", 20, "moves a second on a terminal; 0: as fast as it goes")
	flags.BoolVar(&f.moves, "moves", false, "without a terminal, print every move")
	flags.StringVar(&f.record, "record", "", "write the game to a `FILE`")
	flags.StringVar(&f.replay, "replay", "", "show the recorded game of a `FILE`")
	return cmd
}

// watching is a game being watched.
type watching struct {
	*watchFlags
	game   *game.Game
	player string // the spec
	choose func(context.Context) (board.Direction, bool, error)
	meta   record.Meta
}

func runWatch(cmd *cobra.Command, spec string, named bool, f *watchFlags) error {
	if f.speed < 0 || f.speed != f.speed {
		return usagef("speed %v: want 0 or more moves a second", f.speed)
	}
	w, err := f.live(spec)
	if f.replay != "" {
		for _, flag := range []string{"size", "seed", "game", "spawn", "record"} {
			if named || cmd.Flags().Changed(flag) {
				return usagef("--replay shows a recorded game: a player, --size, --seed, --game, --spawn and --record do not go with it")
			}
		}
		w, err = f.recorded()
	}
	if err != nil {
		return err
	}
	var keep *output
	if f.record != "" {
		if keep, err = newOutput(f.record); err != nil {
			return err
		}
		defer keep.discard()
	}
	stopped := w.run(cmd)
	if stopped != nil && cmd.Context().Err() == nil {
		return stopped
	}
	if keep != nil { // also after Ctrl-C: what was played is kept
		if err := keep.commit(func(to io.Writer) error { return record.Write(to, record.Of(w.game, w.meta)) }); err != nil {
			return err
		}
	}
	if err := w.end(cmd.OutOrStdout()); err != nil {
		return err
	}
	return stopped
}

// live is a game that a player plays now.
func (f *watchFlags) live(spec string) (*watching, error) {
	maker, err := player.Parse(spec, caps)
	if err != nil {
		return nil, usage(err)
	}
	if !f.seed.given {
		f.seed.value = uint64(rand.Uint32())
	}
	seed := f.seed.value
	g, err := game.New(game.Options{Size: f.size.Size, Spawner: f.spawn.New(seed, f.game), Endless: true})
	if err != nil {
		return nil, err
	}
	p := maker.New()
	p.Start(seed, f.game)
	if seer, ok := p.(player.Seer); ok {
		if !f.spawn.Random {
			return nil, usagef("%s knows the tiles to come, which takes --spawn random, not %s", maker.Spec, f.spawn.Spec)
		}
		seer.See(g)
	}
	w := &watching{watchFlags: f, game: g, player: maker.Spec}
	w.meta = record.Meta{Spawn: f.spawn.Spec, Seed: seed, Game: f.game, Player: maker.Spec}
	if f.spawn.Random {
		w.meta.Spawn, w.meta.P4 = record.Random, f.spawn.P4
	}
	w.choose = func(ctx context.Context) (board.Direction, bool, error) {
		d, err := p.Decide(ctx, search.Query{Position: eval.Position{Board: g.Board(), Score: g.Score()}})
		return d.Move, d.OK, err
	}
	return w, nil
}

// recorded is the first game of a file, shown by redoing its moves.
func (f *watchFlags) recorded() (*watching, error) {
	file, err := os.Open(f.replay)
	if err != nil {
		return nil, usagef("%s cannot be read: %w", f.replay, rootCause(err))
	}
	defer file.Close()
	for r, err := range record.Read(file) {
		if err != nil {
			return nil, usagef("%s: %w", f.replay, err)
		}
		g, err := r.Replay()
		if err != nil {
			return nil, usagef("%s: %w", f.replay, err)
		}
		for g.Undo() {
		}
		moves := r.Moves
		w := &watching{watchFlags: f, game: g, player: r.Player, meta: r.Meta}
		w.size.Size = r.Board.Size()
		w.choose = func(context.Context) (board.Direction, bool, error) {
			if g.Moves() >= len(moves) {
				return 0, false, nil
			}
			return moves[g.Moves()], true, nil
		}
		return w, nil
	}
	return nil, usagef("%s holds no record", f.replay)
}

// run plays to the end, to --until, or until the context ends, which is an error.
func (w *watching) run(cmd *cobra.Command) error {
	var view view = &lines{out: cmd.OutOrStdout(), every: w.moves}
	if _, terminal := terminalWidth(cmd.OutOrStdout()); terminal {
		view = newScreen(cmd.OutOrStdout(), w)
	}
	ctx := cmd.Context()
	if err := view.show(w.game); err != nil {
		return err
	}
	for !w.reached() {
		if err := view.wait(ctx); err != nil {
			return err
		}
		move, ok, err := w.choose(ctx)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := w.game.Move(move); err != nil {
			return fmt.Errorf("%s, move %d: %w", w.player, w.game.Moves()+1, err)
		}
		if err := view.show(w.game); err != nil {
			return err
		}
	}
	return nil
}

func (w *watching) reached() bool {
	b := w.game.Board()
	return w.until != 0 && board.Tile(b.Largest()) >= int64(w.until)
}

// end sums the game up, in words on a terminal, in JSON elsewhere.
func (w *watching) end(out io.Writer) error {
	b := w.game.Board()
	most := board.Tile(b.Largest())
	if _, terminal := terminalWidth(out); terminal {
		how := "stopped"
		if w.game.Over() {
			how = "game over"
		}
		_, err := fmt.Fprintf(out, "%s: largest tile %d, score %d, %d moves\n", how, most, w.game.Score(), w.game.Moves())
		return err
	}
	return writeJSON(out, struct {
		Player  string     `json:"player"`
		Size    board.Size `json:"size"`
		Seed    uint64     `json:"seed"`
		Game    uint64     `json:"game"`
		Score   int64      `json:"score"`
		MaxTile int64      `json:"max_tile"`
		Moves   int        `json:"moves"`
		Over    bool       `json:"over"`
	}{w.player, b.Size(), w.meta.Seed, w.meta.Game, w.game.Score(), most, w.game.Moves(), w.game.Over()})
}

// view shows a game as it goes on.
type view interface {
	show(*game.Game) error
	// wait passes the time until the next move is due.
	wait(context.Context) error
}

// lines is the view without a terminal.
type lines struct {
	out   io.Writer
	every bool
	most  uint8
}

func (l *lines) show(g *game.Game) error {
	b := g.Board()
	if most := b.Largest(); !l.every && most <= l.most && g.Moves() > 0 {
		return nil
	} else if most > l.most {
		l.most = most
	}
	_, err := fmt.Fprintf(l.out, "move %d  score %d  tile %d  %v\n", g.Moves(), g.Score(), board.Tile(l.most), b)
	return err
}

func (l *lines) wait(ctx context.Context) error { return ctx.Err() }

// screen is the view on a terminal: the board, drawn over the one before.
type screen struct {
	out   io.Writer
	title string
	pause time.Duration
	next  time.Time
	drawn int // lines to go up
}

func newScreen(out io.Writer, w *watching) *screen {
	s := &screen{out: out, title: fmt.Sprintf("%s, %v, seed %d", w.player, w.size.Size, w.meta.Seed), next: time.Now()}
	if w.speed > 0 {
		s.pause = time.Duration(float64(time.Second) / w.speed)
	}
	return s
}

func (s *screen) show(g *game.Game) error {
	b := g.Board()
	if s.drawn > 0 {
		fmt.Fprintf(s.out, "\x1b[%dA\x1b[J", s.drawn)
	}
	fmt.Fprintf(s.out, "%s\n\n", s.title)
	drawBoard(s.out, &b)
	_, err := fmt.Fprintf(s.out, "\nscore %d   move %d\n", g.Score(), g.Moves())
	s.drawn = b.Size().Rows + 4
	return err
}

func (s *screen) wait(ctx context.Context) error {
	s.next = s.next.Add(s.pause)
	late := time.Until(s.next)
	if late <= 0 {
		s.next = time.Now() // do not hurry after a slow move
		return ctx.Err()
	}
	select {
	case <-time.After(late):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
