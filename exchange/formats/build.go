package formats

import (
	"errors"
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// builder replays a game while it is read, and checks every move.
type builder struct {
	g      AnnotatedRecord // before end is called, only Player and Times of its Record are set
	now    board.Board
	tiles  []game.Spawn  // start tiles
	played *game.Replica // nil before the first move
}

// fromBoard returns the builder of a game that starts from a board. If the board has exactly two tiles,
// each a 2 or a 4, they are the start tiles; otherwise the game has the board as its start board.
func fromBoard(start board.Board) *builder {
	tiles, _ := game.StartTiles(&start)
	return &builder{now: start, tiles: tiles}
}

// place adds a start tile.
func (b *builder) place(s game.Spawn) error {
	b.tiles = append(b.tiles, s)
	if err := s.Check(&b.now); err != nil {
		return fmt.Errorf("start tile %d: %w", len(b.tiles), err)
	}
	b.now.Set(s.Cell, s.Exponent)
	return nil
}

// begin starts the replay if it has not started yet: with two start tiles, or else from the current board.
func (b *builder) begin() (err error) {
	if b.played == nil {
		if len(b.tiles) != 2 { // some programs start with one tile
			b.tiles = nil
		}
		b.played, err = game.NewReplica(b.now, b.tiles)
	}
	return err
}

// moves returns the number of moves so far.
func (b *builder) moves() int {
	if b.played == nil {
		return 0
	}
	return b.played.Moves()
}

// wrong adds the number of the next move and the board before it to an error.
func (b *builder) wrong(err error) error {
	return fmt.Errorf("move %d: %w, on board %v", b.moves()+1, err, b.now)
}

// move makes a move with its new tile.
func (b *builder) move(d board.Direction, s game.Spawn) error {
	if b.moves() >= MaxMoves {
		return fmt.Errorf("more than %d moves", MaxMoves)
	}
	if err := b.begin(); err != nil {
		return err
	}
	b.played.Next(s)
	err := record.Move(b.played.Game, d)
	b.now = b.played.Board()
	return err
}

// timed appends the time of the last move.
func (b *builder) timed(ms int64) error {
	if ms > record.MaxTime {
		return fmt.Errorf("move %d took %d ms: must be at most %d", b.moves(), ms, int64(record.MaxTime))
	}
	b.g.Times = append(b.g.Times, ms)
	return nil
}

// moveTo makes a move in direction d that leads to the board next.
func (b *builder) moveTo(d board.Direction, next *board.Board) error {
	after, _, moved := b.now.Slide(d)
	s, ok := game.SpawnBetween(&after, next)
	if moved && !ok {
		return b.wrong(fmt.Errorf("the move %v and one new tile cannot lead to %v", d, next))
	}
	return b.move(d, s)
}

// follow makes the move that leads to the board next. If several moves do, it makes the first of them in the
// order up, right, down, left, and ambiguous is true.
func (b *builder) follow(next *board.Board) (ambiguous bool, err error) {
	if b.now.Size() != next.Size() {
		return false, fmt.Errorf("move %d: the board size changes from %v to %v", b.moves()+1, b.now.Size(), next.Size())
	}
	steps := game.StepsBetween(&b.now, next)
	if *next == b.now {
		return false, b.wrong(errors.New("the board is the same as in the previous row: each move must change it"))
	}
	if len(steps) == 0 {
		return false, b.wrong(fmt.Errorf("no move and new tile lead to %v", next))
	}
	return len(steps) > 1, b.move(steps[0].Move, steps[0].Spawn)
}

// undo undoes the last count moves.
func (b *builder) undo(count int) error {
	if count < 1 || count > b.moves() {
		return fmt.Errorf("after move %d: cannot undo %d moves", b.moves(), count)
	}
	for range count {
		b.played.Undo()
	}
	b.now = b.played.Board()
	return nil
}

// end returns the game.
func (b *builder) end() (*AnnotatedRecord, error) {
	if err := b.begin(); err != nil {
		return nil, err
	}
	g := b.g
	g.Record = record.Of(b.played.Game, record.Meta{Spawn: record.Imported, Player: g.Player})
	if slices.ContainsFunc(b.g.Times, func(ms int64) bool { return ms > 0 }) { // programs that do not measure times write 0
		g.Times = b.g.Times
	}
	return &g, nil
}

// position is a step of a game, with the board and the score before its move.
type position struct {
	game.Step
	number int // number of moves before this step
	board  board.Board
	score  int64 // including StartScore
	reward int64
}

// each calls tile for both start tiles, unless tile is nil or the game starts from a board, and then calls do for
// each move. It returns an error if a move breaks the rules.
func (g *AnnotatedRecord) each(tile func(game.Spawn), do func(p *position) error) error {
	played, err := g.Replay()
	if err != nil {
		return err
	}
	b, given := played.StartBoard()
	if !given {
		b = board.New(g.Board.Size())
		for _, s := range played.Start() {
			b.Set(s.Cell, s.Exponent)
			if tile != nil {
				tile(s)
			}
		}
	}
	score := g.StartScore
	for i := range g.Moves {
		p := position{Step: played.Step(i), number: i, board: b, score: score}
		b, p.reward, _ = b.Slide(p.Move)
		if err := do(&p); err != nil {
			return err
		}
		b.Set(p.Spawn.Cell, p.Spawn.Exponent)
		score += p.reward
	}
	return nil
}
