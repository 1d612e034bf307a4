package env

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/rules/board"
)

// State is a snapshot of an environment: everything that its future depends on.
type State struct {
	Board      board.Board
	Score      int64
	Steps      int64
	Seed, Game uint64
	Random     rand.PCG // the generator of the spawns
	Terminated bool
	Truncated  bool
}

func (r *rules) snapshot(s *slot) State {
	return State{s.full(), s.score, s.steps, s.seed, s.game, s.random, s.terminated, s.truncated}
}

// MaxScore is the largest score, and number of steps, that a state may contain. It leaves enough
// headroom that no game overflows an int64.
const MaxScore = 1 << 62

// restore sets the slot to a state. On an error the slot is unchanged.
func (r *rules) restore(s *slot, from *State) error {
	if err := r.check(&from.Board); err != nil {
		return err
	}
	if from.Score < 0 || from.Steps < 0 || from.Score > MaxScore || from.Steps > MaxScore {
		return fmt.Errorf("score %d after %d steps: want both from 0 to %d", from.Score, from.Steps, int64(MaxScore))
	}
	r.set(s, &from.Board)
	s.score, s.steps, s.seed, s.game, s.random = from.Score, from.Steps, from.Seed, from.Game, from.Random
	s.terminated, s.truncated = from.Terminated || s.legal == 0, from.Truncated
	return nil
}

func (r *rules) place(s *slot, b *board.Board, score int64) error {
	if legal(b) == 0 {
		return fmt.Errorf("board %v: no move is legal on it", b)
	}
	return r.restore(s, &State{Board: *b, Score: score, Seed: s.seed, Game: s.game, Random: s.random})
}

// StateBytes is the length of an encoded State.
const StateBytes = 4 + maxCells + 4*8 + 16

const (
	maxCells     = board.MaxSide * board.MaxSide
	stateVersion = 1
	pcgBytes     = 16
	pcgFront     = "pcg:" // prefix that math/rand/v2 writes before the 16 bytes
)

// AppendBinary appends the state in StateBytes bytes: a version, rows, columns, flags, 36
// exponents, score, steps, seed, game, and the generator; numbers are little-endian.
func (s State) AppendBinary(to []byte) ([]byte, error) {
	size := s.Board.Size()
	flags := byte(0)
	if s.Terminated {
		flags |= 1
	}
	if s.Truncated {
		flags |= 2
	}
	to = append(to, stateVersion, byte(size.Rows), byte(size.Cols), flags)
	var cells [maxCells]uint8
	if size.Valid() {
		writeExponents(&s.Board, cells[:])
	}
	to = append(to, cells[:]...)
	for _, x := range [...]uint64{uint64(s.Score), uint64(s.Steps), s.Seed, s.Game} {
		to = binary.LittleEndian.AppendUint64(to, x)
	}
	var random [len(pcgFront) + pcgBytes]byte
	if _, err := s.Random.AppendBinary(random[:0]); err != nil {
		return nil, err
	}
	return append(to, random[len(pcgFront):]...), nil
}

// UnmarshalBinary decodes the output of AppendBinary.
func (s *State) UnmarshalBinary(data []byte) error {
	if len(data) != StateBytes {
		return fmt.Errorf("a state of %d bytes: want %d", len(data), StateBytes)
	}
	size := board.Size{Rows: int(data[1]), Cols: int(data[2])}
	if data[0] != stateVersion || !size.Valid() || data[3] > 3 {
		return errors.New("these bytes are no state of this version")
	}
	read := State{Board: board.New(size), Terminated: data[3]&1 != 0, Truncated: data[3]&2 != 0}
	for i := range size.Cells() {
		e := data[4+i]
		if e > board.MaxExponent {
			return fmt.Errorf("a state with a tile of 2^%d: want at most 2^%d", e, board.MaxExponent)
		}
		read.Board.Set(i, e)
	}
	rest := data[4+maxCells:]
	number := func(k int) uint64 { return binary.LittleEndian.Uint64(rest[8*k:]) }
	read.Score, read.Steps, read.Seed, read.Game = int64(number(0)), int64(number(1)), number(2), number(3)
	if err := read.Random.UnmarshalBinary(append([]byte(pcgFront), rest[4*8:]...)); err != nil {
		return err
	}
	*s = read
	return nil
}
