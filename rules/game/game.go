package game

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
)

// WinExponent is the exponent of the winning tile, 2048.
const WinExponent = 11

// Errors of Game.Move.
var (
	ErrIllegal = errors.New("the move changes nothing")
	ErrOver    = errors.New("the game is over")
	ErrWon     = errors.New("the game is won; call KeepPlaying to go on")
)

// Options configures a new game. The zero value is a 4x4 game with the random spawns of game 0 of
// seed 0.
type Options struct {
	Size    board.Size // zero: 4x4
	Spawner Spawner    // nil: NewRandom(0, 0, P4)
	// StopAtWin blocks moves once the winning tile is made, until KeepPlaying is called, as the original game does.
	StopAtWin bool
	// Board, unless zero, is the board from which the game starts, with a score of 0, in place of
	// two spawns. The spawner's first tile then follows the first move.
	Board board.Board
}

// Step is a move and the spawn that followed it.
type Step struct {
	Move  board.Direction
	Spawn Spawn
}

// Game is a game in progress. It is not safe for concurrent use.
//
// It stores about 4 bytes per move, so any number of moves can be undone.
type Game struct {
	spawner Spawner
	start   [2]Spawn
	given   board.Board // Options.Board
	keep    bool        // Move does not stop at the win
	slid    board.Board // scratch memory of Move

	// The complete state (a moment) is stored only for the current position and after every block
	// of 64 moves (marks). To undo a move, the game goes back to the last mark before the target
	// and replays the moves from there.
	steps   []packed // all moves; steps[at:] are undone
	at      int      // number of moves made and not undone
	marks   []moment // states after 0, block, 2*block ... moves
	present moment
}

const block = 64

// moment is the state of a game after a move and its spawn.
type moment struct {
	board board.Board
	score int64
	spawn State
	won   bool
}

// New starts a game with two spawns, or from Options.Board. It fails if the size is invalid, if
// Options.Size is set and differs from the size of Options.Board, or if the spawner fails.
func New(o Options) (*Game, error) {
	given := o.Board.Size() != board.Size{}
	if given && o.Size != (board.Size{}) && o.Size != o.Board.Size() {
		return nil, fmt.Errorf("the start board is %v, but the game is %v", o.Board.Size(), o.Size)
	}
	if given {
		o.Size = o.Board.Size()
	}
	o.Size = cmp.Or(o.Size, board.Size{Rows: 4, Cols: 4})
	if !o.Size.Valid() {
		return nil, fmt.Errorf("size %v: must be rows and columns from %d to %d", o.Size, board.MinSide, board.MaxSide)
	}
	if o.Spawner == nil {
		o.Spawner = NewRandom(0, 0, P4)
	}
	g := &Game{spawner: o.Spawner, keep: !o.StopAtWin, given: o.Board}
	first := moment{board: o.Board, won: given && o.Board.Largest() >= WinExponent}
	if !given {
		first.board = board.New(o.Size)
		for i := range g.start {
			tile, err := g.spawner.Spawn(&first.board)
			if err != nil {
				return nil, err
			}
			first.board.Set(tile.Cell, tile.Exponent)
			g.start[i] = tile
		}
	}
	first.spawn = g.spawner.State()
	g.marks = append(make([]moment, 0, 4), first)
	g.steps = make([]packed, 0, block)
	g.present = first
	return g, nil
}

// Board returns the current position.
func (g *Game) Board() board.Board { return g.present.board }

// Score returns the sum of all rewards so far.
func (g *Game) Score() int64 { return g.present.score }

// Moves returns the number of moves made and not undone.
func (g *Game) Moves() int { return g.at }

// Over reports whether there is no legal move.
func (g *Game) Over() bool { return g.present.board.Terminal() }

// Won reports whether the winning tile has been made up to the current position.
func (g *Game) Won() bool { return g.present.won }

// PausedOnWin reports whether the game is won and Move is blocked until KeepPlaying or an undo.
func (g *Game) PausedOnWin() bool { return g.present.won && !g.keep }

// KeepPlaying lets the game continue after a win. It stays in effect when moves are undone back to before the win.
func (g *Game) KeepPlaying() { g.keep = true }

// Start returns the two start tiles, or zero values if the game started from Options.Board.
func (g *Game) Start() [2]Spawn { return g.start }

// StartBoard returns Options.Board. ok is false if the game started with two spawned tiles.
func (g *Game) StartBoard() (b board.Board, ok bool) {
	return g.given, g.given.Size() != board.Size{}
}

// Steps returns the moves made and not undone, with their spawns. It allocates 24 bytes per move; Step returns a
// single move without allocating.
func (g *Game) Steps() []Step {
	steps := make([]Step, g.Moves())
	for i := range steps {
		steps[i] = g.Step(i)
	}
	return steps
}

// Step returns move number i, counted from 0, with its spawn. It panics if i is out of range.
func (g *Game) Step(i int) Step { return g.steps[:g.at][i].unpack() }

// LastStep returns the last move with its spawn; ok is false before the first move.
func (g *Game) LastStep() (s Step, ok bool) {
	if g.Moves() == 0 {
		return Step{}, false
	}
	return g.Step(g.Moves() - 1), true
}

// LastSpawn returns the newest tile: the spawn of the last move, or the second start tile before
// the first move.
func (g *Game) LastSpawn() Spawn {
	if s, ok := g.LastStep(); ok {
		return s.Spawn
	}
	return g.start[1]
}

// Move slides, adds the reward to the score and spawns a tile. It fails with ErrIllegal (wrapped),
// ErrOver or ErrWon, or with the spawner's error, and then changes nothing. After a move, undone
// moves can no longer be redone.
func (g *Game) Move(d board.Direction) error {
	from := &g.present
	if from.won && !g.keep {
		return ErrWon
	}
	after, reward, moved := from.board.Slide(d)
	if !moved {
		if from.board.Terminal() {
			return ErrOver
		}
		return fmt.Errorf("%v: %w", d, ErrIllegal)
	}
	g.slid = after // a local variable would escape to the heap, because Spawn is an interface method
	tile, err := g.spawner.Spawn(&g.slid)
	if err != nil {
		return err
	}
	next := from.after(after, reward, tile)
	next.spawn = g.spawner.State()
	g.steps = append(g.steps[:g.at], pack(Step{d, tile}))
	g.marks = g.marks[:g.at/block+1]
	g.at++
	g.present = next
	if g.at%block == 0 {
		g.marks = append(g.marks, next)
	}
	return nil
}

// Foresee returns a copy of the random spawner, from which the next spawns can be computed. ok is
// false if spawns are not random. Use it only for players that are declared to see future spawns.
func (g *Game) Foresee() (copied Random, ok bool) {
	r, ok := g.spawner.(*Random)
	if !ok {
		return Random{}, false
	}
	return *r, true
}

// packed is a Step in 16 bits: the move in bits 0 and 1, the cell in bits 2 to 7, the exponent
// above.
type packed uint16

func pack(s Step) packed {
	return packed(s.Move) | packed(s.Spawn.Cell)<<2 | packed(s.Spawn.Exponent)<<8
}

func (p packed) unpack() Step {
	return Step{board.Direction(p & 3), Spawn{int(p >> 2 & 63), uint8(p >> 8)}}
}

// after returns the moment that follows m when a move results in the board slid and then tile
// spawns on it. It does not set the spawner's state.
func (m *moment) after(slid board.Board, reward int64, tile Spawn) moment {
	won := m.won || reward >= 1<<WinExponent && slid.Largest() >= WinExponent
	slid.Set(tile.Cell, tile.Exponent)
	return moment{board: slid, score: m.score + reward, won: won}
}

// Stop is a condition that ends a game: a tile of at least Tile, or a sum of all tiles of at least
// Sum. The largest tile and the sum never decrease in a game, so a condition that is reached once
// stays reached. The zero value is no condition.
type Stop struct {
	Tile int64 // a power of two; 0: no such condition
	Sum  int64 // 0: no such condition
}

// ParseStop parses a tile such as "32768" or a sum such as "sum=28672".
func ParseStop(text string) (Stop, error) {
	number, isSum := strings.CutPrefix(text, "sum=")
	n, err := strconv.ParseInt(number, 10, 64)
	s := Stop{Tile: n}
	if isSum {
		s = Stop{Sum: n}
	}
	if err != nil || s == (Stop{}) || s.Validate() != nil {
		return Stop{}, fmt.Errorf("goal %q: must be a tile (a power of two from 4 to 2^%d) or sum=N with N at least 4", text, board.MaxExponent)
	}
	return s, nil
}

// Validate returns an error unless the condition is a tile (a power of two) from 4 to
// 2^MaxExponent, a sum from 4 to 2^(MaxExponent+1), or no condition.
func (s Stop) Validate() error {
	switch {
	case s.Tile != 0 && s.Sum != 0:
		return fmt.Errorf("goal tile %d and goal sum %d are both given: give one of them", s.Tile, s.Sum)
	case s.Tile != 0 && (s.Tile < 4 || s.Tile > 1<<board.MaxExponent || s.Tile&(s.Tile-1) != 0):
		return fmt.Errorf("goal tile %d: must be a power of two from 4 to 2^%d", s.Tile, board.MaxExponent)
	case s.Sum != 0 && (s.Sum < 4 || s.Sum > 1<<(board.MaxExponent+1)):
		return fmt.Errorf("goal sum %d: must be from 4 to 2^%d", s.Sum, board.MaxExponent+1)
	}
	return nil
}

// Reached reports whether a board satisfies the condition. No board satisfies the zero Stop.
func (s Stop) Reached(b *board.Board) bool {
	return s.Tile != 0 && b.Largest() >= uint8(bits.TrailingZeros64(uint64(s.Tile))) || s.Sum != 0 && b.Sum() >= s.Sum
}

// String returns the text that ParseStop reads, or "" for no condition.
func (s Stop) String() string {
	switch {
	case s.Sum != 0:
		return "sum=" + strconv.FormatInt(s.Sum, 10)
	case s.Tile != 0:
		return strconv.FormatInt(s.Tile, 10)
	}
	return ""
}

// MarshalText writes the text that ParseStop reads.
func (s Stop) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Stop) UnmarshalText(text []byte) (err error) {
	*s = Stop{}
	if len(text) > 0 {
		*s, err = ParseStop(string(text))
	}
	return err
}
