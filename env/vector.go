package env

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Vector is a batch of environments that are stepped together. It is not safe for concurrent use.
type Vector struct {
	rules rules
	slots []slot
}

// Buffers are the outputs of a step: slices owned by the caller with one entry for each
// environment. Nil slices are skipped; a slice that is too short makes the step panic.
type Buffers struct {
	Rewards    []float64
	Terminated []bool
	Truncated  []bool
	Illegal    []bool // the action moved nothing
	Current    View   // observations after the step
	// Final is written with SameStep only: the last observations of the episodes that ended in this
	// step. Other entries are unchanged.
	Final View
}

// View is the destination of observations.
type View struct {
	Observations []uint8   // ObservationSize bytes for each environment
	Legal        [][4]bool // whether each direction is legal
	Scores       []int64   // sum of all merged tiles of the episode
}

// NewVector returns a Vector of n environments. Environment i starts with game i of the seed
// o.Seed.
func NewVector(n int, o Options) (*Vector, error) {
	r, err := newRules(o)
	if err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("%d environments: must be at least 1", n)
	}
	v := &Vector{rules: r, slots: make([]slot, n)}
	if !r.four {
		boards := make([]board.Board, n)
		for i := range v.slots {
			v.slots[i].wide = &boards[i]
		}
	}
	for i := range v.slots {
		v.Reset(i, o.Seed)
	}
	return v, nil
}

// VectorBytes returns the memory in bytes that NewVector needs for n environments of a size.
func VectorBytes(n int64, size board.Size) int64 {
	each := int64(unsafe.Sizeof(slot{}))
	if size != bitboard.Size && size != (board.Size{}) {
		each += int64(unsafe.Sizeof(board.Board{}))
	}
	return memory.Times(n, each)
}

// Len returns the number of environments.
func (v *Vector) Len() int { return len(v.slots) }

// ObservationSize returns the number of bytes of one environment's observation.
func (v *Vector) ObservationSize() int { return v.rules.observationSize }

// Size returns the size of the boards.
func (v *Vector) Size() board.Size { return v.rules.Size }

// Reset starts game i of a seed in environment i. The seed counts as shared by all environments:
// after game g, Next starts game g+Len.
func (v *Vector) Reset(i int, seed uint64) {
	v.rules.begin(&v.slots[i], seed, uint64(i))
	v.slots[i].separateSeed = false
}

// Begin starts a game in environment i with a separate seed. Next then starts the following game of that
// seed.
func (v *Vector) Begin(i int, seed, game uint64) {
	v.rules.begin(&v.slots[i], seed, game)
	v.slots[i].separateSeed = true
}

// Next starts the next game of environment i. With a separate seed, the number of the game
// increases by 1. With a shared seed, it increases by Len, so that no two environments play the
// same game.
func (v *Vector) Next(i int) {
	s := &v.slots[i]
	by := uint64(len(v.slots))
	if s.separateSeed {
		by = 1
	}
	v.rules.begin(s, s.seed, s.game+by)
}

// Observe writes the current observations of all environments.
func (v *Vector) Observe(out *View) { v.rules.observe(v.slots, 0, out) }

// Step makes the move actions[i] in each environment i. It panics if the number of actions differs
// from Len, or if an action is invalid.
func (v *Vector) Step(actions []board.Direction, out *Buffers) {
	if len(actions) != len(v.slots) {
		panic(fmt.Sprintf("env: %d actions for %d environments", len(actions), len(v.slots)))
	}
	for at := 0; at < len(actions); at += block {
		v.stepBlock(at, actions[at:min(at+block, len(actions))], out)
	}
}

// block is the number of environments that are processed together, in stages: the slides of all of
// them, then the spawns of all, then the legal moves of all.
const block = 32

func (v *Vector) stepBlock(at int, actions []board.Direction, out *Buffers) {
	slots := v.slots[at : at+len(actions)]
	var done [block]bool
	var merged [block]int64
	if v.rules.four && v.rules.Spawner == nil {
		v.rules.moveBlock(slots, actions, &done, &merged)
	}
	for k, d := range actions {
		if d > board.Left {
			panic(fmt.Sprintf("env: action %d is %v: must be a direction", at+k, d))
		}
		s := &slots[k]
		reward, moved := 0.0, true
		switch {
		case done[k&(block-1)]:
			v.rules.finish(s, merged[k&(block-1)])
			reward = v.rules.reward(merged[k&(block-1)])
		case !s.ended():
			reward, moved = v.rules.step(s, d)
		case v.rules.Autoreset == NextStep:
			v.Next(at + k)
		}
		out.set(at+k, s, reward, !moved)
		if s.ended() && v.rules.Autoreset == SameStep {
			v.rules.observe(v.slots[at+k:at+k+1], at+k, &out.Final)
			v.Next(at + k)
		}
	}
	v.rules.observe(slots, at, &out.Current)
}

// moveBlock makes the legal moves on boards that nibbles represent exactly, and marks them in done.
func (r *rules) moveBlock(slots []slot, actions []board.Direction, done *[block]bool, merged *[block]int64) {
	for k, d := range actions {
		s, k := &slots[k], k&(block-1)
		if done[k] = s.legal>>(d&7)&1 != 0 && !s.slow && !s.ended(); done[k] {
			s.board, merged[k] = slide(s.board, d)
		}
	}
	for k := range slots {
		if done[k&(block-1)] {
			slots[k].board = r.spawn(slots[k].board, slots[k].random.Uint64())
		}
	}
	for k := range slots {
		if done[k&(block-1)] {
			slots[k].legal = legalFour(slots[k].board)
		}
	}
}

func (out *Buffers) set(i int, s *slot, reward float64, illegal bool) {
	write(out.Rewards, i, reward)
	write(out.Terminated, i, s.terminated)
	write(out.Truncated, i, s.truncated)
	write(out.Illegal, i, illegal)
}

// write sets element i of an output that is not skipped.
func write[T any](to []T, i int, value T) {
	if to != nil {
		to[i] = value
	}
}

// Sample writes a random legal action for each environment, or up when no action is legal.
func (v *Vector) Sample(r *rand.PCG, actions []board.Direction) {
	var word uint64
	for i := range v.slots {
		if i%4 == 0 {
			word = r.Uint64()
		}
		legal := v.slots[i].legal
		k := word & 0xffff * uint64(bits.OnesCount8(legal)) >> 16
		word >>= 16
		actions[i] = nth[legal&15][k&3]
	}
}

// nth lists, for each set of legal moves, its directions in ascending order.
var nth = func() (all [16][4]board.Direction) {
	for set := range all {
		k := 0
		for _, d := range board.Directions {
			if set>>d&1 != 0 {
				all[set][k] = d
				k++
			}
		}
	}
	return all
}()

// Board returns the board of environment i.
func (v *Vector) Board(i int) board.Board { return v.slots[i].full() }

// Score returns the sum of all merged tiles of the episode of environment i.
func (v *Vector) Score(i int) int64 { return v.slots[i].score }

// Game returns the seed and number of environment i's game.
func (v *Vector) Game(i int) (seed, game uint64) { return v.slots[i].seed, v.slots[i].game }

// Ended reports whether the episode of environment i has terminated or was truncated.
func (v *Vector) Ended(i int) (terminated, truncated bool) {
	return v.slots[i].terminated, v.slots[i].truncated
}

// Place replaces the board and score of the episode in environment i and sets its step count to 0. The random
// generator of the spawns is unchanged. It fails if the board has another size or no tile, if no
// move is legal on it, or if its tiles sum to more than a game of this size can reach.
func (v *Vector) Place(i int, b board.Board, score int64) error {
	return v.rules.place(&v.slots[i], &b, score)
}

// Snapshot returns the complete state of environment i.
func (v *Vector) Snapshot(i int) State { return v.rules.snapshot(&v.slots[i]) }

// Restore sets environment i to a snapshot of an environment with the same board size.
func (v *Vector) Restore(i int, s State) error { return v.rules.restore(&v.slots[i], &s) }

// masks maps each set of legal moves to an array that is true for the legal directions.
var masks = func() (all [16][4]bool) {
	for set := range all {
		for d := range 4 {
			all[set][d] = set>>d&1 != 0
		}
	}
	return all
}()

// observe writes the observations of environments to out, starting at index at.
func (r *rules) observe(slots []slot, at int, out *View) {
	if out.Observations != nil {
		observations := out.Observations[at*r.observationSize : (at+len(slots))*r.observationSize]
		for k := range slots {
			switch s, observation := &slots[k], observations[k*r.observationSize:(k+1)*r.observationSize]; {
			case r.Observation == Planes:
				r.planes(s, observation)
			default:
				r.exponents(s, observation)
			}
		}
	}
	if out.Legal != nil {
		legal := out.Legal[at : at+len(slots)]
		for k := range slots {
			legal[k] = masks[slots[k].legal&15]
		}
	}
	if out.Scores != nil {
		scores := out.Scores[at : at+len(slots)]
		for k := range slots {
			scores[k] = slots[k].score
		}
	}
}

// planes writes a slot's board as one-hot planes; see Planes.
func (r *rules) planes(s *slot, dst []uint8) {
	clear(dst)
	var cells [maxCells]uint8
	r.exponents(s, cells[:r.cells])
	for i, e := range cells[:r.cells] {
		dst[int(e)*r.cells+i] = 1
	}
}

// exponents writes the exponents of a slot's board, one byte per cell.
func (r *rules) exponents(s *slot, dst []uint8) {
	switch {
	case !r.four:
		writeExponents(s.wide, dst)
	case s.tall != 0:
		b := s.full()
		writeExponents(&b, dst)
	default:
		spread(s.board, dst)
	}
}

// spread writes the nibbles of a board as bytes.
func spread(b bitboard.Board, dst []uint8) {
	_ = dst[15]
	binary.LittleEndian.PutUint64(dst, eight(uint32(b)))
	binary.LittleEndian.PutUint64(dst[8:], eight(uint32(b>>32)))
}

// eight expands eight nibbles to bytes.
func eight(n uint32) uint64 {
	x := uint64(n)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	return (x | x<<4) & 0x0f0f0f0f0f0f0f0f
}

// writeExponents writes the exponents of a board, one byte per cell.
func writeExponents(b *board.Board, dst []uint8) {
	cols := b.Size().Cols
	for r := range b.Size().Rows {
		row := b.Row(r)
		for c := range cols {
			dst[r*cols+c] = uint8(row >> (8 * c))
		}
	}
}

// Afterstates writes the results of the four slides in environment i to entry i of the slices, in the order of
// directions: the boards as exponents (4 times one byte per cell), the sums of merged tiles, and whether each slide
// is legal. An illegal slide leaves the board unchanged and has the sum 0. Nil slices are skipped.
func (v *Vector) Afterstates(boards []uint8, merged [][4]int64, legal [][4]bool) {
	cells := v.rules.cells
	for i := range v.slots {
		s := &v.slots[i]
		var to []uint8
		if boards != nil {
			to = boards[4*cells*i : 4*cells*(i+1)]
		}
		var sums *[4]int64
		if merged != nil {
			sums = &merged[i]
		}
		if legal != nil {
			legal[i] = masks[s.legal&15]
		}
		if v.rules.four && !s.slow {
			afterstatesFour(s.board, to, sums)
			continue
		}
		b := s.full()
		var all [4]board.Afterstate
		b.Afterstates(&all)
		for d := range all {
			if to != nil {
				writeExponents(&all[d].Board, to[d*cells:])
			}
			if sums != nil {
				sums[d] = all[d].Reward
			}
		}
	}
}

func afterstatesFour(b bitboard.Board, to []uint8, sums *[4]int64) {
	var all [4]bitboard.Afterstate
	b.Afterstates(&all)
	for d := range all {
		if to != nil {
			spread(all[d].Board, to[16*d:])
		}
		if sums != nil {
			sums[d] = int64(all[d].Reward)
		}
	}
}
