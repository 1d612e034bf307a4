package env

import "afterstate/board"

// Env is one environment.
type Env struct {
	rules rules
	slot  slot
}

// Outcome is what one step brought.
type Outcome struct {
	Reward     float64
	Terminated bool
	Truncated  bool
	Illegal    bool // the action moved nothing
}

// New is an environment at the beginning of game 0 of its seed.
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

// Reset begins a game of a seed.
func (e *Env) Reset(seed, game uint64) { e.rules.begin(&e.slot, seed, game) }

// Next begins the next game of the same seed.
func (e *Env) Next() { e.Reset(e.slot.seed, e.slot.game+1) }

// Step makes a move. When the episode has ended it does nothing, and tells so again.
// It panics on a direction that does not exist.
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

// Board is the board as it is.
func (e *Env) Board() board.Board { return e.slot.full() }

// Score is the sum of all merged tiles of the episode.
func (e *Env) Score() int64 { return e.slot.score }

// Steps is the number of steps of the episode, illegal ones among them.
func (e *Env) Steps() int64 { return e.slot.steps }

// Game says which game is played.
func (e *Env) Game() (seed, game uint64) { return e.slot.seed, e.slot.game }

// Legal tells for each direction whether it moves something.
func (e *Env) Legal() [4]bool { return masks[e.slot.legal] }

// Observation is what there is to see, appended to dst: ObservationSize bytes.
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

// ObservationSize is the number of bytes of an observation.
func (e *Env) ObservationSize() int { return e.rules.seen }

// Afterstates makes all four slides, without the spawns that would follow.
func (e *Env) Afterstates(out *[4]board.Afterstate) {
	b := e.slot.full()
	b.Afterstates(out)
}

// Place puts a board into the episode and makes its score and its steps what is said
// and 0. The spawns to come stay what they are. It fails on a board of another size, and
// on one that no game of this size could have.
func (e *Env) Place(b board.Board, score int64) error { return e.rules.place(&e.slot, &b, score) }

// Snapshot is all that the future depends on.
func (e *Env) Snapshot() State { return e.rules.snapshot(&e.slot) }

// Restore goes back to a snapshot, of this environment or of another one of its size.
func (e *Env) Restore(s State) error { return e.rules.restore(&e.slot, &s) }
