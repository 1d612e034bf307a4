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
}

// Step is a move that was made and the tile that followed it.
type Step struct {
	Move  board.Direction
	Spawn Spawn
}

// Game is a game in progress. Its methods are not for several goroutines at once.
type Game struct {
	spawner Spawner
	start   [2]Spawn
	line    []moment // the moments of the game, undone ones behind at
	at      int
	keep    bool // play on after the win
}

// moment is the game after a move's spawn; step is how it came about.
type moment struct {
	board board.Board
	score int64
	spawn State
	step  Step
	won   bool
}

// New starts a game with two spawns.
func New(o Options) (*Game, error) {
	if o.Size == (board.Size{}) {
		o.Size = board.Size{Rows: 4, Cols: 4}
	}
	if !o.Size.Valid() {
		return nil, fmt.Errorf("size %v: want rows and columns from %d to %d", o.Size, board.MinSide, board.MaxSide)
	}
	if o.Spawner == nil {
		o.Spawner = NewRandom(0, 0, P4)
	}
	g := &Game{spawner: o.Spawner, keep: o.Endless, line: make([]moment, 1, 256)}
	first := &g.line[0]
	first.board = board.New(o.Size)
	for i := range g.start {
		tile, err := g.spawner.Spawn(&first.board)
		if err != nil {
			return nil, err
		}
		first.board.Set(tile.Cell, tile.Exponent)
		g.start[i] = tile
	}
	first.spawn = g.spawner.State()
	return g, nil
}

func (g *Game) now() *moment { return &g.line[g.at] }

// Board is the current position.
func (g *Game) Board() board.Board { return g.now().board }

// Score is the sum of all merged tiles so far.
func (g *Game) Score() int64 { return g.now().score }

// Moves is the number of moves made and not undone.
func (g *Game) Moves() int { return g.at }

// Over tells whether no move is left.
func (g *Game) Over() bool { return g.now().board.Dead() }

// Won tells whether the winning tile was made, now or earlier in the game.
func (g *Game) Won() bool { return g.now().won }

// Waiting tells whether the game is won and waits for KeepPlaying or an undo.
func (g *Game) Waiting() bool { return g.now().won && !g.keep }

// KeepPlaying lets a won game go on; from then on no tile stops it, also after
// an undo to before the win.
func (g *Game) KeepPlaying() { g.keep = true }

// Start is the two tiles the game began with.
func (g *Game) Start() [2]Spawn { return g.start }

// Steps are the moves made and not undone, with their spawns.
func (g *Game) Steps() []Step {
	steps := make([]Step, 0, g.at)
	for _, m := range g.line[1 : g.at+1] {
		steps = append(steps, m.step)
	}
	return steps
}

// Step is move number i, the first one being 0, with its spawn.
func (g *Game) Step(i int) Step { return g.line[1 : g.at+1][i].step }

// LastStep is the newest move with its spawn; ok is false at the beginning.
func (g *Game) LastStep() (s Step, ok bool) { return g.now().step, g.at > 0 }

// LastSpawn is the newest tile.
func (g *Game) LastSpawn() Spawn {
	if g.at == 0 {
		return g.start[1]
	}
	return g.now().step.Spawn
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
	won := from.won || reward >= 1<<WinExponent && after.Largest() >= WinExponent
	after.Set(tile.Cell, tile.Exponent)
	g.line = append(g.line[:g.at+1], moment{
		board: after,
		score: from.score + reward,
		spawn: g.spawner.State(),
		step:  Step{d, tile},
		won:   won,
	})
	g.at++
	return nil
}

// Undo takes the last move back, the spawner's state with it, so that playing
// the same move again brings the same tile. It works after a win and after the
// end. It returns false at the beginning of the game.
func (g *Game) Undo() bool {
	if g.at == 0 {
		return false
	}
	g.at--
	g.spawner.Restore(g.now().spawn)
	return true
}

// Redo makes the last undone move again. It returns false when there is none.
func (g *Game) Redo() bool {
	if g.at+1 >= len(g.line) {
		return false
	}
	g.at++
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
