package exchange

import (
	"errors"
	"fmt"

	"afterstate/board"
	"afterstate/game"
	"afterstate/game/record"
)

// builder replays a game as it is read, and checks every move.
type builder struct {
	g     Game
	now   board.Board
	marks []mark // before every markEvery-th move, for undo
}

// mark is the state before a move.
type mark struct {
	board board.Board
	score int64
}

const markEvery = 64

// fromTiles begins with two start tiles, in their order.
func fromTiles(size board.Size, tiles []game.Spawn) (*builder, error) {
	b := &builder{now: board.New(size)}
	for i, s := range tiles {
		if err := checkTile(&b.now, s); err != nil {
			return nil, fmt.Errorf("start tile %d: %w", i+1, err)
		}
		b.now.Set(s.Cell, s.Exponent)
	}
	b.g.Spawns = append([]game.Spawn(nil), tiles...)
	return b, nil
}

// fromBoard begins at a board: with two start tiles if it has only two and they are 2s or 4s, from
// a start board otherwise.
func fromBoard(start board.Board) *builder {
	b := &builder{now: start}
	if tiles, ok := game.StartTiles(&start); ok {
		b.g.Spawns = tiles
	} else {
		b.g.Start = start
	}
	return b
}

func checkTile(b *board.Board, s game.Spawn) error {
	size := b.Size()
	switch {
	case s.Exponent != 1 && s.Exponent != 2:
		return fmt.Errorf("the new tile is %d: want 2 or 4", board.Tile(s.Exponent))
	case s.Cell < 0 || s.Cell >= size.Cells():
		return fmt.Errorf("the new tile is on cell %d: a %v board has cells 0 to %d", s.Cell, size, size.Cells()-1)
	case b.Cell(s.Cell) != 0:
		return fmt.Errorf("the new %d is on %s, which holds %d", board.Tile(s.Exponent), game.CellName(size, s.Cell), board.Tile(b.Cell(s.Cell)))
	}
	return nil
}

// moves returns the number of moves so far.
func (b *builder) moves() int { return len(b.g.Moves) }

// wrong is an error about the coming move and the board before it.
func (b *builder) wrong(err error) error {
	return fmt.Errorf("move %d: %w, on board %v", b.moves()+1, err, b.now)
}

// slide returns the board after a legal move.
func (b *builder) slide(d board.Direction) (after board.Board, reward int64, err error) {
	if b.moves() >= MaxMoves {
		return after, 0, fmt.Errorf("more than %d moves", MaxMoves)
	}
	after, reward, moved := b.now.Slide(d)
	switch {
	case !moved && b.now.Terminal():
		err = b.wrong(fmt.Errorf("%v comes after the end of the game", d))
	case !moved:
		err = b.wrong(fmt.Errorf("%v changes nothing", d))
	}
	return after, reward, err
}

// move makes a move with its new tile.
func (b *builder) move(d board.Direction, s game.Spawn) error {
	after, reward, err := b.slide(d)
	if err != nil {
		return err
	}
	if err := checkTile(&after, s); err != nil {
		return b.wrong(fmt.Errorf("after %v %w", d, err))
	}
	b.add(d, s, &after, reward)
	return nil
}

// timed appends the time of the last move.
func (b *builder) timed(ms int64) error {
	if ms > MaxTime {
		return fmt.Errorf("move %d took %d ms: want at most %d", b.moves(), ms, int64(MaxTime))
	}
	b.g.Times = append(b.g.Times, ms)
	return nil
}

func (b *builder) add(d board.Direction, s game.Spawn, after *board.Board, reward int64) {
	if b.moves()%markEvery == 0 {
		b.marks = append(b.marks, mark{b.now, b.g.Score})
	}
	after.Set(s.Cell, s.Exponent)
	b.now = *after
	b.g.Score += reward
	b.g.Moves = append(b.g.Moves, d)
	b.g.Spawns = append(b.g.Spawns, s)
}

// moveTo makes the move that leads to a board.
func (b *builder) moveTo(d board.Direction, next *board.Board) error {
	after, reward, err := b.slide(d)
	if err != nil {
		return err
	}
	s, ok := game.SpawnBetween(&after, next)
	if !ok {
		return b.wrong(fmt.Errorf("%v and a new tile do not lead to %v", d, next))
	}
	b.add(d, s, &after, reward)
	return nil
}

// follow makes the one move that leads to a board. If several do, it is the lowest direction, and
// ambiguous is true.
func (b *builder) follow(next *board.Board) (ambiguous bool, err error) {
	if b.moves() >= MaxMoves {
		return false, fmt.Errorf("more than %d moves", MaxMoves)
	}
	if b.now.Size() != next.Size() {
		return false, fmt.Errorf("move %d: a board of %v follows one of %v", b.moves()+1, next.Size(), b.now.Size())
	}
	steps := game.StepsBetween(&b.now, next)
	if len(steps) == 0 {
		return false, b.wrong(fmt.Errorf("no move and new tile lead to %v", next))
	}
	return len(steps) > 1, b.move(steps[0].Move, steps[0].Spawn)
}

// undo takes back the last moves.
func (b *builder) undo(count int) error {
	if count < 1 || count > b.moves() {
		return fmt.Errorf("after move %d: %d moves are undone", b.moves(), count)
	}
	keep := b.moves() - count
	moves, spawns := b.g.Moves, b.g.Spawns
	first := len(spawns) - len(moves)
	block := keep / markEvery
	m := b.marks[block]
	b.marks = b.marks[:block]
	b.now, b.g.Score = m.board, m.score
	b.g.Moves, b.g.Spawns = moves[:block*markEvery], spawns[:first+block*markEvery]
	for i := block * markEvery; i < keep; i++ {
		after, reward, _ := b.now.Slide(moves[i])
		b.add(moves[i], spawns[first+i], &after, reward)
	}
	return nil
}

func tilesBoard(size board.Size, tiles []game.Spawn) board.Board {
	start := board.New(size)
	for _, s := range tiles {
		start.Set(s.Cell, s.Exponent)
	}
	return start
}

// end returns the game.
func (b *builder) end() *Game {
	g := b.g
	g.Spawn = Spawn
	g.Board = b.now
	g.Times = knownTimes(g.Times)
	return &g
}

// knownTimes returns the times, nil if none is above 0: programs that do not measure write 0.
func knownTimes(times []int64) []int64 {
	for _, t := range times {
		if t > 0 {
			return times
		}
	}
	return nil
}

// StartBoard returns the board before the first move.
func (g *Game) StartBoard() (board.Board, error) {
	if g.Start.Size() != (board.Size{}) {
		return g.Start, nil
	}
	tiles, err := g.startTiles()
	return tilesBoard(g.Board.Size(), tiles), err
}

// startTiles returns the two start tiles of a game without a start board.
func (g *Game) startTiles() ([]game.Spawn, error) {
	if g.Record.Spawn != record.Random {
		if len(g.Spawns) < 2 {
			return nil, errors.New("two start tiles are missing")
		}
		return g.Spawns[:2], nil
	}
	b := board.New(g.Board.Size())
	random := game.NewRandom(g.Seed, g.Record.Game, g.P4)
	var tiles []game.Spawn
	for range 2 {
		s, _ := random.Place(&b, random.Draw())
		tiles = append(tiles, s)
	}
	return tiles, nil
}

// position is what a step of a game is before its move.
type position struct {
	number int // of moves before
	board  board.Board
	score  int64 // with StartScore
	move   board.Direction
	spawn  game.Spawn
	reward int64
}

// each calls do for each move of a game. It fails on moves that break the rules.
func (g *Game) each(do func(p *position) error) error {
	b, err := g.StartBoard()
	if err != nil {
		return err
	}
	next := 0
	var random *game.Random
	first := 2
	if g.Start.Size() != (board.Size{}) {
		first = 0
	}
	if g.Record.Spawn == record.Random {
		random = game.NewRandom(g.Seed, g.Record.Game, g.P4)
		for range first {
			random.Draw()
		}
	} else if len(g.Spawns) != first+len(g.Moves) {
		return fmt.Errorf("%d new tiles are listed for %d moves", len(g.Spawns), len(g.Moves))
	}
	score := g.StartScore
	for i, d := range g.Moves {
		after, reward, moved := b.Slide(d)
		if !moved {
			return fmt.Errorf("move %d: %v changes nothing, on board %v", i+1, d, b)
		}
		p := position{number: i, board: b, score: score, move: d, reward: reward}
		if random != nil {
			p.spawn, _ = random.Place(&after, random.Draw())
		} else {
			p.spawn = g.Spawns[first+next]
			if err := checkTile(&after, p.spawn); err != nil {
				return fmt.Errorf("move %d: after %v %w, on board %v", i+1, d, err, b)
			}
			after.Set(p.spawn.Cell, p.spawn.Exponent)
			next++
		}
		if err := do(&p); err != nil {
			return err
		}
		b, score = after, score+reward
	}
	if b != g.Board || score-g.StartScore != g.Score {
		return fmt.Errorf("the moves end on board %v with score %d, and the game on %v with %d", b, score-g.StartScore, g.Board, g.Score)
	}
	return nil
}

// all calls tile for the start tiles and do for each move.
func (g *Game) all(tile func(game.Spawn), do func(p *position) error) error {
	tiles, err := g.startTiles()
	if err != nil {
		return err
	}
	for _, s := range tiles {
		tile(s)
	}
	return g.each(do)
}

// positions collects a game whose positions are listed.
type positions struct {
	b         *builder
	ambiguous int
}

// add appends a position. d, unless nil, is the move that led to it.
func (p *positions) add(next *board.Board, d *board.Direction) error {
	switch {
	case p.b == nil:
		p.b = fromBoard(*next)
		return nil
	case d != nil:
		return p.b.moveTo(*d, next)
	}
	ambiguous, err := p.b.follow(next)
	if ambiguous {
		p.ambiguous++
	}
	return err
}

func (p *positions) end() *Game {
	g := p.b.end()
	if p.ambiguous > 0 {
		g.Lost = append(g.Lost, Loss{"moves in doubt, since two directions lead to the next board", p.ambiguous})
	}
	return g
}
