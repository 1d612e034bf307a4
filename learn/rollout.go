package learn

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Rollout is a game that is played on from an afterstate.
type Rollout struct {
	Board bitboard.Board // before: the afterstate, as ntuple.Word lays it out; then the last board
	Spawn rand.PCG       // draws the spawns, as package game does
	Slip  rand.PCG       // draws the slips
	Score int64          // the rewards of all moves are added to it
	Moves int            // the moves made are added to it
	// Until ends the game, unless it is 0, at the first afterstate with a tile of this exponent or a
	// larger one after at least Least moves in all.
	Until uint8
	Least int
	// Last ends the game, unless it is 0, at the afterstate of this move.
	Last int
	// End is how the game ended.
	End End
	// Tag is the caller's.
	Tag uint64
}

// End is the end of a rollout.
type End int

const (
	// GameOver: Board is post-spawn and has no legal move.
	GameOver End = iota
	// Made: Board is the first afterstate that meets Until.
	Made
	// TooLarge: Board is an afterstate with two tiles of 32768, which a bitboard cannot merge. The
	// game can be continued on a board.Board with Spawn.
	TooLarge
	// Stopped: Board is the afterstate of move Last.
	Stopped
)

// Rollouts plays games of one network greedily, as [Play] does, several in lockstep: the weights
// that one game reads are prefetched while the others choose their moves. It allocates nothing while
// it plays. It is not safe for concurrent use.
type Rollouts struct {
	rules rules
	net   *ntuple.Network
	lanes []lane
	// Slips is how much the player slips, as in [Options]. 0: it plays greedily.
	Slips float32
}

type lane struct {
	turn
	game Rollout
}

// Lanes is the number of games in lockstep that is fastest (BenchmarkRollouts).
const Lanes = 8

// checkEvery is how many moves of all lanes are made between two calls of stop.
const checkEvery = 256

// NewRollouts returns rollouts with the given number of games in lockstep and probability of a 4.
func NewRollouts(n *ntuple.Network, lanes int, p4 float64) *Rollouts {
	r := &Rollouts{rules: rulesWith(n.Size, p4), net: n, lanes: make([]lane, lanes)}
	for i := range r.lanes {
		r.lanes[i].batch = n.NewBatch()
	}
	return r
}

// Play plays the games that next sets, until it returns false and all games have ended, or stop
// returns true. done is called with each game that ended. A game's course depends on what next has
// set only. The functions run in the caller's goroutine.
func (r *Rollouts) Play(stop func() bool, next func(*Rollout) bool, done func(*Rollout)) {
	active := 0
	for active < len(r.lanes) && r.refill(&r.lanes[active], next, done) {
		active++
	}
	for moves := 0; active > 0; {
		for i := 0; i < active; {
			l := &r.lanes[i]
			if r.step(l) {
				i++
				continue
			}
			done(&l.game)
			if !r.refill(l, next, done) { // the last lane moves here
				active--
				r.lanes[i], r.lanes[active] = r.lanes[active], r.lanes[i]
			}
		}
		if moves += active; moves >= checkEvery {
			moves = 0
			if stop() {
				return
			}
		}
	}
}

// refill begins the next game in a lane, and reports games that end before their first choice. It
// returns false if there is no other game.
func (r *Rollouts) refill(l *lane, next func(*Rollout) bool, done func(*Rollout)) bool {
	for next(&l.game) {
		if r.nextTurn(l, math.MaxUint8) { // any tile may be there
			return true
		}
		done(&l.game)
	}
	return false
}

// step makes the move of a lane. It returns false if the game has ended.
func (r *Rollouts) step(l *lane) bool {
	g := &l.game
	best, _ := l.choose(r.net, r.Slips, &g.Slip)
	g.Board = l.batch.Boards[best]
	g.Score += int64(l.points[best])
	g.Moves++
	if g.Moves == g.Last {
		g.End = Stopped
		return false
	}
	if g.Moves == g.Least {
		return r.nextTurn(l, math.MaxUint8)
	}
	return r.nextTurn(l, uint8(bits.Len32(uint32(l.points[best]))))
}

// nextTurn adds a tile to the afterstate of a lane and begins the turn. It returns false if the game
// has ended. Only tiles of exponents up to made can be new.
func (r *Rollouts) nextTurn(l *lane, made uint8) bool {
	g := &l.game
	if made >= bitboard.MaxExponent && g.Board.PairOfLargest() {
		g.End = TooLarge
		return false
	}
	if g.Until != 0 && made >= g.Until && g.Moves >= g.Least && largest(g.Board) >= int(g.Until) {
		g.End = Made
		return false
	}
	g.Board = r.rules.spawn(g.Board, g.Spawn.Uint64())
	g.End = GameOver
	return l.begin(&r.rules, r.net, g.Board)
}
