package arena

import (
	"errors"
	"fmt"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Recorded is a game's outcome with its moves.
type Recorded struct {
	Outcome
	// Trace holds the moves in two bits each, as record.PackMoves writes them. If tiles do not
	// follow from the seed, they come after the moves in one byte each, start tiles first:
	// twice the cell, plus 1 for a 4. See Import for imported games.
	Trace []byte
}

// traceOf returns the trace of a game with these moves. The game has them too, but scattered in
// memory.
func traceOf(moves []board.Direction, g *game.Game, random bool) []byte {
	trace := record.PackMoves(moves)
	if random {
		return trace
	}
	if _, from := g.StartBoard(); !from {
		for _, tile := range g.Start() {
			trace = append(trace, spawnByte(tile))
		}
	}
	for i := range moves {
		trace = append(trace, spawnByte(g.Step(i).Spawn))
	}
	return trace
}

func spawnByte(s game.Spawn) byte { return byte(2*s.Cell) + s.Exponent - 1 }

// Replay plays the recorded game again. An error means that the trace breaks a rule or leads to
// another outcome.
func (r *Recorded) Replay(s Setup) (*game.Game, error) {
	g, err := r.replay(s)
	if err != nil {
		return nil, fmt.Errorf("game %d of seed %d: its record does not replay: %w", r.Index, r.Seed, err)
	}
	return g, nil
}

func (r *Recorded) replay(s Setup) (*game.Game, error) {
	packed, tiles, err := r.split()
	if err != nil {
		return nil, err
	}
	moves, err := record.UnpackMoves(packed, r.Moves)
	if err != nil {
		return nil, err
	}
	o := game.Options{Size: s.Size}
	if s.Starts != nil {
		o.Board = s.Starts.of(r.Index).Board
	}
	if p4, random := s.RandomSpawns(); random {
		o.Spawner = game.NewRandom(r.Seed, r.Index, p4)
	} else {
		if s.Imported() {
			if o.Board, tiles, err = importedStart(s.Size, tiles, r.Moves); err != nil {
				return nil, err
			}
		}
		o.Spawner = scripted(tiles)
	}
	g, err := game.New(o)
	if err != nil {
		return nil, err
	}
	for i, d := range moves {
		if err := g.Move(d); err != nil {
			return nil, fmt.Errorf("move %d (%v): %w", i+1, d, err)
		}
	}
	if b := g.Board(); g.Score() != r.Score || b.Largest() != r.Largest {
		return nil, errors.New(outcome(g.Score(), b.Largest()) + ", where it had " + outcome(r.Score, r.Largest))
	}
	return g, nil
}

// split returns the two parts of the trace: the packed moves, and the tiles.
func (r *Recorded) split() (moves, tiles []byte, err error) {
	if r.Moves < 0 || r.Moves > 4*len(r.Trace) { // Moves may be any number
		return nil, nil, fmt.Errorf("%d bytes do not hold %d moves", len(r.Trace), r.Moves)
	}
	packed := (r.Moves + 3) / 4
	return r.Trace[:packed], r.Trace[packed:], nil
}

func outcome(score int64, largest uint8) string {
	return fmt.Sprintf("score %d and largest tile %d", score, board.Tile(largest))
}

// Meta is the metadata for the record of a game with this setup.
func (s Setup) Meta(index uint64, player string) record.Meta {
	m := record.Meta{Spawn: s.Spawn, Seed: s.Seed, Game: index, Player: player}
	if p4, random := s.RandomSpawns(); random {
		m.Spawn, m.P4 = record.Random, p4
	}
	return m
}
