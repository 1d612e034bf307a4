package game

import (
	"errors"
	"fmt"

	"afterstate/board"
)

// WinExponent is the tile that wins unless Options say otherwise: 2048.
const WinExponent = 11

// Reasons for which a move is refused.
var (
	ErrIllegal = errors.New("the move changes nothing")
	ErrOver    = errors.New("the game is over")
	ErrWon     = errors.New("the game is won; keep playing first")
)

// Options describe a new game. The zero value is 4x4, seed 0, game 0.
type Options struct {
	Size    board.Size // zero: 4x4
	Spawner Spawner    // nil: NewRandom(0, 0, P4)
	Endless bool       // never stop at the winning tile to ask
	// Board starts the game in place of two spawns, with a score of 0; its zero value
	// does not. The first spawn after the first move is then the spawner's first.
	Board board.Board
}

// Step is a move that was made and the tile that followed it.
type Step struct {
	Move  board.Direction
	Spawn Spawn
}

// Game is a game in progress. Its methods are not for several goroutines at once.
//
// It keeps about 4 bytes a move, so that any number of moves can be undone: see line.
type Game struct {
	spawner Spawner
	start   [2]Spawn
	line    line
	keep    bool // play on after the win
}

// moment is the game after a move's spawn.
type moment struct {
	board board.Board
	score int64
	spawn State
	won   bool
}

// New starts a game with two spawns, or from Options.Board.
func New(o Options) (*Game, error) {
	given := o.Board.Size() != board.Size{}
	if given && o.Size != (board.Size{}) && o.Size != o.Board.Size() {
		return nil, fmt.Errorf("a board of %v cannot start a game of %v", o.Board.Size(), o.Size)
	}
	if given {
		o.Size = o.Board.Size()
	}
	if o.Size == (board.Size{}) {
		o.Size = board.Size{Rows: 4, Cols: 4}
	}
	if !o.Size.Valid() {
		return nil, fmt.Errorf("size %v: want rows and columns from %d to %d", o.Size, board.MinSide, board.MaxSide)
	}
	if o.Spawner == nil {
		o.Spawner = NewRandom(0, 0, P4)
	}
	g := &Game{spawner: o.Spawner, keep: o.Endless}
	first := moment{board: o.Board, won: given && o.Board.Largest() >= WinExponent}
	if !given {
		first.board = board.New(o.Size)
		if err := g.spawnStart(&first.board); err != nil {
			return nil, err
		}
	}
	first.spawn = g.spawner.State()
	g.line.begin(first)
	return g, nil
}

// spawnStart puts the two start tiles on an empty board.
func (g *Game) spawnStart(b *board.Board) error {
	for i := range g.start {
		tile, err := g.spawner.Spawn(b)
		if err != nil {
			return err
		}
		b.Set(tile.Cell, tile.Exponent)
		g.start[i] = tile
	}
	return nil
}

func (g *Game) now() *moment { return g.line.now() }

// Board is the current position.
func (g *Game) Board() board.Board { return g.now().board }

// Score is the sum of all merged tiles so far.
func (g *Game) Score() int64 { return g.now().score }

// Moves is the number of moves made and not undone.
func (g *Game) Moves() int { return g.line.at }

// Over reports whether no move is left.
func (g *Game) Over() bool { return g.now().board.Dead() }

// Won reports whether the winning tile was made, now or earlier in the game.
func (g *Game) Won() bool { return g.now().won }

// Waiting reports whether the game is won and waits for KeepPlaying or an undo.
func (g *Game) Waiting() bool { return g.now().won && !g.keep }

// KeepPlaying lets a won game go on; from then on no tile stops it, also after
// an undo to before the win.
func (g *Game) KeepPlaying() { g.keep = true }

// Start is the two tiles the game began with; they are zero in a game from Options.Board.
func (g *Game) Start() [2]Spawn { return g.start }

// Steps are the moves made and not undone, with their spawns. They take 24 bytes each;
// Step reads them one by one.
func (g *Game) Steps() []Step {
	steps := make([]Step, g.Moves())
	for i := range steps {
		steps[i] = g.Step(i)
	}
	return steps
}

// Step is move number i, the first one being 0, with its spawn.
func (g *Game) Step(i int) Step { return g.line.steps[:g.line.at][i].unpack() }

// LastStep is the newest move with its spawn; ok is false at the beginning.
func (g *Game) LastStep() (s Step, ok bool) {
	if g.Moves() == 0 {
		return Step{}, false
	}
	return g.Step(g.Moves() - 1), true
}

// LastSpawn is the newest tile.
func (g *Game) LastSpawn() Spawn {
	if s, ok := g.LastStep(); ok {
		return s.Spawn
	}
	return g.start[1]
}

// Move slides, adds the reward to the score and spawns a tile. A refused move
// changes nothing. Undone moves can no longer be redone after it.
func (g *Game) Move(d board.Direction) error {
	from := g.now()
	if from.won && !g.keep {
		return ErrWon
	}
	after, reward, moved := from.board.Slide(d)
	if !moved {
		if from.board.Dead() {
			return ErrOver
		}
		return fmt.Errorf("%v: %w", d, ErrIllegal)
	}
	tile, err := g.spawner.Spawn(&after)
	if err != nil {
		return err
	}
	next := from.after(after, reward, tile)
	next.spawn = g.spawner.State()
	g.line.add(pack(Step{d, tile}), next)
	return nil
}

// Undo takes the last move back, the spawner's state with it, so that playing
// the same move again brings the same tile. It works after a win and after the
// end. It returns false at the beginning of the game.
func (g *Game) Undo() bool {
	if !g.line.back(g.spawner) {
		return false
	}
	g.spawner.Restore(g.now().spawn)
	return true
}

// Redo makes the last undone move again. It returns false when there is none.
func (g *Game) Redo() bool {
	if !g.line.forward(g.spawner) {
		return false
	}
	g.spawner.Restore(g.now().spawn)
	return true
}

// Foresee is a copy of the random spawner as it stands, from which the tiles to
// come can be told; ok is false where tiles are not random. It is for players
// that admit to knowing the future, and no other player is given it.
func (g *Game) Foresee() (copied Random, ok bool) {
	r, ok := g.spawner.(*Random)
	if !ok {
		return Random{}, false
	}
	return *r, true
}
