package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/exchange/drive"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/tui"
)

type watchFlags struct {
	size   board.Size    `flag:"size,s" default:"4x4" help:"board size, <RxC> from 2x2 to 6x6"`
	seed   *uint64       `flag:"seed" help:"seed of the spawns (default: random)"`
	game   flags.GameRef `flag:"game" help:"number of the game within its seed; or EXPERIMENT/PLAYER/NUMBER, a game of the store"`
	until  int64         `flag:"until" range:"tile:2:2^48" help:"stop as soon as this tile is reached"`
	spawn  flags.Spawn   `flag:"spawn" default:"random"`
	speed  float64       `flag:"speed" default:"20" range:"0:" help:"moves a second on a terminal; 0: as fast as possible"`
	moves  bool          `flag:"moves" help:"without a terminal, print every move"`
	record string        `flag:"record" help:"write the game to a <FILE>"`
	replay string        `flag:"replay" help:"show the recorded game of a <FILE>"`
	store  flags.Store
	start  startFlag `flag:"start" help:"begin from a <BOARD> or from the boards of a file, with a score of 0"`
	still  bool      `flag:"no-animation" help:"do not animate tiles"`
}

func newWatch() *cobra.Command {
	return usage.Command(&cobra.Command{
		Use:   "watch [SPEC]",
		Short: "Watch a player play",
		Long: `Watch a player play a game of 2048.

On a terminal the game fills the screen and runs at --speed. Keys: space pauses and
resumes, n (or right) is one move forward, b (or left) one move back, + and - change
the speed, ? lists the keys, q quits. Bars show the player's values of the four moves.

Without a terminal, or with TERM dumb or not set, the game runs at full speed, with a line for
each new largest tile (--moves: for each move). The last line is a sentence on a terminal, and
otherwise one JSON object:
player, size, seed, game, score, max_tile, moves, over.

--start begins from a board, or from one of the boards of a file, one per line: game N of
--game begins from board N of the file, counted from 0.

If the player could have exact values but the size is not solved, watch first prints the
command that solves it in seconds.

--record writes the game to a file as a JSON record; --replay shows the first game of
such a file, or of a file from another program or site (see convert). --game shows a game of an
experiment, such as first/greedy/0 (arena run, arena show). If a bot fails, the exit status is 1.`,
		Example: `afterstate watch --seed 1 --until 2048
afterstate watch "foresight(depth=30,beam=64)" --speed 0
afterstate watch snake --size 5x5
afterstate watch --start 2,4,8,16/256,128,64,32/512,1024,2048,4096/0,0,0,8192`,
		Args: usage.Args(0, 1, "at most one player spec"),
	}, &watchFlags{}, runWatch)
}

// watching is the game that the command watch shows.
type watching struct {
	*watchFlags
	game   *game.Game
	spec   string         // the player's spec
	driver *player.Driver // nil for a recorded game, whose moves are undone before it is shown
	meta   record.Meta
	lost   *player.ForfeitError // the player's forfeit, if any
}

func runWatch(cmd *cobra.Command, args []string, f *watchFlags) error {
	w, err := f.prepare(cmd, args)
	if err != nil {
		return err
	}
	if w.driver != nil {
		defer w.driver.Close()
	} else {
		for w.game.Undo() {
		}
	}
	records, err := output.Create(f.record)
	defer records.Discard()
	if err != nil {
		return err
	}
	run, screen := w.inLines, output.PlacesText(cmd.OutOrStdout())
	if screen {
		run = w.onScreen
	}
	stopped := run(cmd)
	if lost := player.Forfeited(cmd.Context(), stopped); lost != nil {
		w.lost, stopped = lost, nil // the game so far is still printed and stored
	}
	if stopped != nil && !screen && !errors.Is(stopped, context.Canceled) {
		return stopped
	}
	// Save the game also after Ctrl-C.
	if err := records.Commit(func(to io.Writer) error { return record.Write(to, record.Of(w.game, w.meta)) }); err != nil {
		return errors.Join(stopped, err)
	}
	if err := w.end(cmd.OutOrStdout()); err != nil {
		return errors.Join(stopped, err)
	}
	if w.lost != nil && w.driver != nil { // the player forfeited just now, not in a stored game
		return fmt.Errorf("%s forfeited after %d moves: %w", w.spec, w.game.Moves(), w.lost)
	}
	return stopped
}

// seeded reports whether the game's spawns have a seed. Games of other programs and sites have
// none.
func (w *watching) seeded() bool {
	return w.meta.Spawn != drive.SpawnRule && w.meta.Spawn != record.Imported
}

// prepare returns the game that the flags select: a new one or a recorded one.
func (f *watchFlags) prepare(cmd *cobra.Command, args []string) (*watching, error) {
	if f.game.ID != "" {
		return f.stored(cmd, args)
	}
	if f.replay != "" {
		return f.recorded(cmd, args)
	}
	return f.live(cmd, append(args, "auto")[0])
}

// live returns a new game with its player.
func (f *watchFlags) live(cmd *cobra.Command, spec string) (*watching, error) {
	maker, err := f.spawn.Maker(spec)
	if err != nil {
		return nil, err
	}
	start, err := f.start.board(cmd, &f.size, f.game.Number)
	if err != nil {
		return nil, err
	}
	if until := f.until; until > 0 && board.Tile(start.Largest()) >= until {
		return nil, usage.Errorf("--until %d: the board of --start already has that tile", until)
	}
	seed := uint64(rand.Uint32())
	if f.seed != nil {
		seed = *f.seed
	}
	offerExact(cmd, &maker, f.size)
	g, err := game.New(game.Options{Size: f.size, Board: start, Spawner: f.spawn.New(seed, f.game.Number)})
	if err != nil {
		return nil, err
	}
	d := &player.Driver{Player: maker.New(), Game: g, Stop: game.Stop{Tile: f.until}}
	d.Start(seed, f.game.Number, g)
	return &watching{watchFlags: f, game: g, spec: maker.Spec, driver: d, meta: f.spawn.Meta(seed, f.game.Number, maker.Spec)}, nil
}

// recorded returns the first game in the file given by --replay.
func (f *watchFlags) recorded(cmd *cobra.Command, args []string) (*watching, error) {
	if len(args) > 0 || slices.ContainsFunc([]string{"size", "seed", "game", "spawn", "start", "record"}, cmd.Flags().Changed) {
		return nil, usage.Errorf("--replay shows a recorded game: it cannot be combined with a player, --size, --seed, --game, --spawn, --start or --record")
	}
	for r, err := range program.ReadGames(cmd, f.replay, nil) {
		if err != nil {
			return nil, err
		}
		g, err := r.Replay()
		if err != nil {
			return nil, usage.Errorf("%s: %w", f.replay, err)
		}
		return &watching{watchFlags: f, game: g, spec: r.Player, meta: r.Meta}, nil
	}
	return nil, usage.Errorf("%s holds no game", f.replay)
}

// stored returns the stored game that --game names.
func (f *watchFlags) stored(cmd *cobra.Command, args []string) (*watching, error) {
	if len(args) > 0 || slices.ContainsFunc([]string{"size", "seed", "spawn", "start", "replay"}, cmd.Flags().Changed) {
		return nil, usage.Errorf("--game %s shows a game that was played: it cannot be combined with a player, --size, --seed, --spawn, --start or --replay", f.game.ID)
	}
	w, err := openStored(cmd, &f.store, f.game.ID)
	if err == nil {
		w.watchFlags = f
	}
	return w, err
}

// openStored reads the game EXPERIMENT/PLAYER/NUMBER from a store.
func openStored(cmd *cobra.Command, store *flags.Store, id string) (*watching, error) {
	s, err := store.Open(false)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	p, r, err := experiment.LookupGame(cmd.Context(), s, id)
	if err != nil {
		return nil, flags.StoreError(err)
	}
	setup := p.Experiment.Setup
	g, err := r.Replay(setup)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path(), err)
	}
	w := &watching{game: g, spec: p.Player.Spec, meta: setup.Meta(r.Index, p.Player.Spec)}
	if r.Forfeit.Reason != "" {
		w.lost = &r.Forfeit
	}
	return w, nil
}

// end prints the result of the game.
func (w *watching) end(out io.Writer) error {
	r := ending{Player: w.spec, Game: &w.meta.Game, endedBy: "stopped"}
	if w.seeded() {
		r.Seed = &w.meta.Seed
	}
	switch {
	case w.lost != nil:
		r.Forfeit = w.lost.Error()
		r.endedBy = "forfeited, " + r.Forfeit
	case w.game.Over():
		r.endedBy = "game over"
	}
	return r.print(out, w.game)
}

// ending is the result of a game.
type ending struct {
	Player  string     `json:"player"`
	Size    board.Size `json:"size"`
	Seed    *uint64    `json:"seed,omitempty"`
	Game    *uint64    `json:"game,omitempty"`
	Score   int64      `json:"score"`
	MaxTile int64      `json:"max_tile"`
	Moves   int        `json:"moves"`
	Over    bool       `json:"over"`
	Forfeit string     `json:"forfeit,omitempty"`
	endedBy string     // how the game ended, as text
}

// print prints the result of a game, as text on a terminal and as JSON otherwise.
func (r ending) print(out io.Writer, g *game.Game) error {
	b := g.Board()
	r.Size, r.Score, r.MaxTile, r.Moves, r.Over = b.Size(), g.Score(), board.Tile(b.Largest()), g.Moves(), g.Over()
	if !output.IsTerminal(out) {
		return output.JSON(out, r)
	}
	_, err := fmt.Fprintf(out, "%s: largest tile %d, score %d, %d moves\n", r.endedBy, r.MaxTile, r.Score, r.Moves)
	return err
}

// inLines plays the game or replays the recorded one, and prints lines, until the game ends, the
// tile given by --until is reached or the context ends. It returns the error of the output, of the
// player or of the context.
func (w *watching) inLines(cmd *cobra.Command) error {
	announceLoading(cmd)
	ctx := cmd.Context()
	view := &lines{out: cmd.OutOrStdout(), eachMove: w.moves}
	for more := true; more; {
		err, b := view.show(w.game), w.game.Board()
		switch {
		case err != nil:
		case w.driver != nil:
			more, err = w.driver.Move(ctx)
		case w.until != 0 && board.Tile(b.Largest()) >= w.until:
			more = false
		default:
			if err = ctx.Err(); err == nil {
				more = w.game.Redo()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lines prints the progress of a game: one line for each new largest tile or, with eachMove, for each
// move.
type lines struct {
	out      io.Writer
	eachMove bool // print a line for each move
	largest  uint8
}

func (l *lines) show(g *game.Game) error {
	b := g.Board()
	if !l.eachMove && b.Largest() <= l.largest && g.Moves() > 0 {
		return nil
	}
	l.largest = max(l.largest, b.Largest())
	_, err := fmt.Fprintf(l.out, "move %d  score %d  tile %d  %v\n", g.Moves(), g.Score(), board.Tile(l.largest), b)
	return err
}

// onScreen shows the game on the terminal until the viewer quits.
func (w *watching) onScreen(cmd *cobra.Command) error {
	ctx, stop := output.UntilStopped(cmd)
	defer stop()
	b := w.game.Board()
	about := b.Size().String()
	if w.seeded() {
		about += fmt.Sprintf(", seed %d", w.meta.Seed)
	}
	if w.meta.Game > 0 {
		about += fmt.Sprintf(", game %d", w.meta.Game)
	}
	if w.meta.Spawn != record.Random {
		about += ", " + w.meta.Spawn
	}
	return tui.Watch(ctx, terminal(cmd), tui.WatchOptions{
		Game: w.game, Driver: w.driver, Name: w.spec, About: about,
		Until: w.until, Speed: w.speed, Animate: !w.still,
	})
}

// terminal returns the terminal for a command's screen.
func terminal(cmd *cobra.Command) tui.Terminal {
	in, _ := output.FileOf(cmd.InOrStdin())
	out, _ := output.FileOf(cmd.OutOrStdout())
	return tui.Terminal{In: in, Out: out}
}
