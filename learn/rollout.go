package learn

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Rollout is a game that starts from an afterstate.
type Rollout struct {
	Board bitboard.Board // at the start: an afterstate in the layout of ntuple.Pack; at the end: the last board
	Wide  board.Board    // in place of Board on sizes of more than 16 cells
	Spawn rand.PCG       // draws the spawns, as package game does
	Slip  rand.PCG       // draws the slips
	Score int64          // Play adds the rewards of all moves to Score
	Moves int            // Play adds the number of moves to Moves
	// Until, if not 0, ends the game at the first afterstate, from move number Least on, with a tile
	// of this exponent or a larger one.
	Until uint8
	Least int
	// Last, if not 0, ends the game at the afterstate of move number Last.
	Last int
	// End says why the game ended.
	End End
	// Tag is for use by the caller.
	Tag uint64
}

// Place sets the board of the rollout. It returns false for tiles above 32768, which a network does not know.
func (g *Rollout) Place(b *board.Board) (ok bool) {
	if g.Board, _ = ntuple.Pack(b); !ntuple.Packs(b.Size()) {
		g.Wide = *b
	}
	return b.Largest() <= bitboard.MaxExponent
}

// Value returns the value of the rollout's board, an afterstate.
func (g *Rollout) Value(n *ntuple.Network) float32 {
	if n.Wide() {
		return n.ValueOf(&g.Wide)
	}
	return n.Value(g.Board)
}

// End is the reason why a rollout ended.
type End int

const (
	// GameOver means that Board is a post-spawn board without a legal move.
	GameOver End = iota
	// Made means that Board is the first afterstate that satisfies Until and Least.
	Made
	// TooLarge means that Board is an afterstate with two tiles of 32768, which a bitboard cannot
	// merge. The game can be continued on a board.Board with Spawn.
	TooLarge
	// Stopped means that Board is the afterstate of move Last.
	Stopped
)

// Rollouts plays games with one network greedily, as [Play] does (TestRollouts). It plays several
// games in lockstep: the weights of one game are prefetched while the other games choose their
// moves. Play allocates no memory. Rollouts is not safe for concurrent use.
type Rollouts struct {
	rules  rules
	random *game.Random // for boards of more than 16 cells; only its method Place is used
	net    *ntuple.Network
	lanes  []lane
	// Slips sets how often the player makes mistakes, as in [Options]. With 0 the player is greedy.
	Slips float32
}

type lane struct {
	turn
	wide *ntuple.WideBatch // contains batch; nil for boards that fit into a word
	game Rollout
}

// Lanes is the number of games in lockstep that is fastest (BenchmarkRollouts).
const Lanes = 8

// checkEvery is the number of moves, of all lanes together, between two calls of stop.
const checkEvery = 256

// NewRollouts returns a Rollouts that plays the given number of games in lockstep. p4 is the
// probability that a spawn is a 4.
func NewRollouts(n *ntuple.Network, lanes int, p4 float64) *Rollouts {
	r := &Rollouts{random: game.NewRandom(0, 0, p4), net: n, lanes: make([]lane, lanes)}
	if !n.Wide() {
		r.rules = rulesWith(n.Size, p4)
	}
	for i := range r.lanes {
		l := &r.lanes[i]
		if n.Wide() {
			l.wide = n.NewWideBatch()
			l.batch = &l.wide.Batch
		} else {
			l.batch = n.NewBatch()
		}
	}
	return r
}

// Play calls next to set up each game, until next returns false, and plays the games. It calls done
// with each game that has ended, and returns when all have ended or stop returns true. A game
// depends only on the values that next has set. Play calls the functions in the caller's goroutine.
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
			if !r.refill(l, next, done) { // no further game: the last active lane moves to this place
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

// refill starts the next game in a lane. It calls done for games that end before their first choice,
// and returns false if next returns false.
func (r *Rollouts) refill(l *lane, next func(*Rollout) bool, done func(*Rollout)) bool {
	for next(&l.game) {
		if r.nextTurn(l, math.MaxUint8) { // no bound: the board may already have any tile
			return true
		}
		done(&l.game)
	}
	return false
}

// step makes the next move in a lane. It returns false if the game has ended.
func (r *Rollouts) step(l *lane) bool {
	g := &l.game
	best, _ := l.choose(r.net, r.Slips, &g.Slip)
	if l.wide != nil {
		g.Wide = l.wide.Boards[best]
	} else {
		g.Board = l.batch.Boards[best]
	}
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
// has ended. made is an upper bound of the exponents of the tiles that the last move made.
func (r *Rollouts) nextTurn(l *lane, made uint8) bool {
	g := &l.game
	if l.wide != nil {
		return r.nextWide(l, made)
	}
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

// nextWide does what nextTurn does, for boards of more than 16 cells.
func (r *Rollouts) nextWide(l *lane, made uint8) bool {
	g := &l.game
	if g.Until != 0 && made >= g.Until && g.Moves >= g.Least && g.Wide.Largest() >= g.Until {
		g.End = Made
		return false
	}
	r.random.Place(&g.Wide, g.Spawn.Uint64())
	g.End = GameOver
	return l.beginWide(l.wide, r.net, &g.Wide)
}
