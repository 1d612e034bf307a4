package env

import "github.com/afterstate2048/afterstate/rules/board"

// Env is a single environment. It is not safe for concurrent use.
type Env struct {
	rules rules
	slot  slot
}

// Outcome is the result of one step.
type Outcome struct {
	Reward     float64
	Terminated bool
	Truncated  bool
	Illegal    bool // the action moved nothing
}

// New returns an environment at the beginning of game 0 of its seed.
func New(o Options) (*Env, error) {
	r, err := newRules(o)
	if err != nil {
		return nil, err
	}
	e := &Env{rules: r}
	if !r.four {
		e.slot.wide = new(board.Board)
	}
	e.Reset(o.Seed, 0)
	return e, nil
}

// Reset begins game number game of a seed.
func (e *Env) Reset(seed, game uint64) { e.rules.begin(&e.slot, seed, game) }

// Next begins the next game of the same seed.
func (e *Env) Next() { e.Reset(e.slot.seed, e.slot.game+1) }

// Step makes a move. After the end of the episode it changes nothing and reports the end again. It
// panics on an invalid direction.
func (e *Env) Step(d board.Direction) Outcome {
	if d > board.Left {
		panic("env: " + d.String())
	}
	s := &e.slot
	if s.ended() {
		return Outcome{Terminated: s.terminated, Truncated: s.truncated}
	}
	reward, moved := e.rules.step(s, d)
	return Outcome{reward, s.terminated, s.truncated, !moved}
}

// Board returns the current board.
func (e *Env) Board() board.Board { return e.slot.full() }

// Score returns the sum of all merged tiles of the episode.
func (e *Env) Score() int64 { return e.slot.score }

// Steps returns the number of steps of the episode, illegal moves included.
func (e *Env) Steps() int64 { return e.slot.steps }

// Game returns the seed and number of the current game.
func (e *Env) Game() (seed, game uint64) { return e.slot.seed, e.slot.game }

// Legal reports for each direction whether it is legal.
func (e *Env) Legal() [4]bool { return masks[e.slot.legal] }

// Observation appends the current observation, ObservationSize bytes, to dst.
func (e *Env) Observation(dst []uint8) []uint8 {
	at := len(dst)
	dst = append(dst, make([]uint8, e.rules.seen)...)
	if e.rules.Observation == Planes {
		e.rules.planes(&e.slot, dst[at:])
	} else {
		e.rules.exponents(&e.slot, dst[at:])
	}
	return dst
}

// ObservationSize returns the number of bytes of an observation.
func (e *Env) ObservationSize() int { return e.rules.seen }

// Place replaces the board and score of the episode and sets its step count to 0. The random
// generator of the spawns is unchanged. It fails on a board of another size, and on one that no
// game of this size can reach.
func (e *Env) Place(b board.Board, score int64) error { return e.rules.place(&e.slot, &b, score) }

// Snapshot returns the complete state.
func (e *Env) Snapshot() State { return e.rules.snapshot(&e.slot) }

// Restore restores a snapshot of this environment or of another one of its size.
func (e *Env) Restore(s State) error { return e.rules.restore(&e.slot, &s) }
