package record

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Version is the version of the records that this package writes and reads.
const Version = 1

// Random is the spawn rule whose tiles follow from the seed.
const Random = "random"

const wantRule = `"random" or the text of another rule`

// Meta is the part of a record that a game.Game does not hold.
type Meta struct {
	Spawn  string  // the spawn rule: Random or another rule's text; Of reads "" as Random
	P4     float64 // probability of a 4, with Random only
	Seed   uint64
	Game   uint64 // number of the game within the seed
	Player string // the player's spec
}

// Record is a recorded game. Its size is that of its board.
type Record struct {
	Meta
	Start  board.Board // the board that the game began from; zero: two spawned tiles
	Moves  []board.Direction
	Spawns []game.Spawn // the start tiles, unless Start is given, and one per move; nil with Random
	Board  board.Board  // at the end
	Score  int64        // at the end
}

// Of returns the record of a game, without its undone moves. With Random the game's spawner must be
// NewRandom(m.Seed, m.Game, m.P4); otherwise the record does not replay.
func Of(g *game.Game, m Meta) Record {
	if m.Spawn == "" {
		m.Spawn = Random
	}
	r := Record{Meta: m, Moves: make([]board.Direction, 0, g.Moves()), Board: g.Board(), Score: g.Score()}
	r.Start, _ = g.StartBoard()
	for i := range g.Moves() {
		r.Moves = append(r.Moves, g.Step(i).Move)
	}
	if m.Spawn == Random {
		return r
	}
	r.P4 = 0
	start := g.Start()
	r.Spawns = append(make([]game.Spawn, 0, g.Moves()+len(start)), start[:r.startTiles()]...)
	for i := range g.Moves() {
		r.Spawns = append(r.Spawns, g.Step(i).Spawn)
	}
	return r
}

// startTiles returns the number of tiles that spawned before the first move.
func (r *Record) startTiles() int {
	if r.Start.Size() != (board.Size{}) {
		return 0
	}
	return 2
}

// Replay replays the game. It fails if a move breaks the rules, with the number of the move, or if
// the final board or score differ from the record's.
func (r Record) Replay() (*game.Game, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	var spawner game.Spawner = &game.Scripted{Spawns: r.Spawns}
	if r.Spawn == Random {
		spawner = game.NewRandom(r.Seed, r.Game, r.P4)
	}
	return r.play(spawner, false)
}

// play makes the moves of the record in a new game and compares its end.
func (r *Record) play(spawner game.Spawner, stopAtWin bool) (*game.Game, error) {
	g, err := game.New(game.Options{Size: r.Board.Size(), Board: r.Start, Spawner: spawner, StopAtWin: stopAtWin})
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	for _, d := range r.Moves {
		if g.PausedOnWin() {
			g.KeepPlaying()
		}
		if err := Move(g, d); err != nil {
			return nil, err
		}
	}
	if g.Board() != r.Board {
		return nil, fmt.Errorf("board is %v: the moves end on %v", r.Board, g.Board())
	}
	if g.Score() != r.Score {
		return nil, fmt.Errorf("score is %d: the moves score %d", r.Score, g.Score())
	}
	return g, nil
}

// Move makes a move of a game. Its error names the move and the board before it.
func Move(g *game.Game, d board.Direction) error {
	err := g.Move(d)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, game.ErrIllegal):
		err = fmt.Errorf("%v changes nothing", d)
	case errors.Is(err, game.ErrOver):
		err = fmt.Errorf("%v comes after the end of the game", d)
	default:
		err = fmt.Errorf("after %v %w", d, err)
	}
	return fmt.Errorf("move %d: %w, on board %v", g.Moves()+1, err, g.Board())
}

// check reports whether the record can be written and replayed. Records from Of and Parse are
// valid; callers may build others.
func (r *Record) check() error {
	if size := r.Board.Size(); !size.Valid() {
		return fmt.Errorf("size %v: want rows and columns from %d to %d", size, board.MinSide, board.MaxSide)
	}
	if start := r.Start.Size(); r.startTiles() == 0 && start != r.Board.Size() {
		return fmt.Errorf("start is a board of %v: size says %v", start, r.Board.Size())
	}
	if r.Spawn == "" {
		return errors.New(`spawn is "": want ` + wantRule)
	}
	if !utf8.ValidString(r.Spawn) || !utf8.ValidString(r.Player) {
		return fmt.Errorf("spawn %.40q, player %.40q: want UTF-8", r.Spawn, r.Player)
	}
	if r.Score < 0 {
		return fmt.Errorf("score is %d: want 0 or more", r.Score)
	}
	for i, d := range r.Moves {
		if d > board.Left {
			return fmt.Errorf("move %d is direction %d: want 0 to 3", i+1, uint8(d))
		}
	}
	return r.checkSpawns()
}

func (r *Record) checkSpawns() error {
	if r.Spawn == Random {
		if !(r.P4 >= 0 && r.P4 <= 1) {
			return fmt.Errorf("p4 is %v: want a probability from 0 to 1", r.P4)
		}
		if r.Spawns != nil {
			return fmt.Errorf("spawns are listed: those of spawn %q follow from the seed", Random)
		}
		return nil
	}
	if want := len(r.Moves) + r.startTiles(); len(r.Spawns) != want {
		return fmt.Errorf("spawns lists %d tiles: want %d, one a move and two at the start unless it is given", len(r.Spawns), want)
	}
	cells := r.Board.Size().Cells()
	for i, s := range r.Spawns {
		if s.Cell < 0 || s.Cell >= cells {
			return fmt.Errorf("spawn %d is on cell %d: a %v board has cells 0 to %d", i+1, s.Cell, r.Board.Size(), cells-1)
		}
		if s.Exponent != 1 && s.Exponent != 2 {
			return fmt.Errorf("spawn %d is a tile of 2^%d: want 2 or 4", i+1, s.Exponent)
		}
	}
	return nil
}
