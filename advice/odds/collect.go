package odds

import (
	"math/bits"
	"sync"

	"github.com/afterstate2048/afterstate/rules/board"
)

// outcome is the result of one game.
type outcome struct {
	score   int64
	moves   int
	largest uint8
	over    bool // the game ended without a legal move
}

// round holds the games of one round.
type round struct {
	games   [4]outcome
	missing int
}

// collector hands out games and adds up complete rounds in their order.
type collector struct {
	o     *Options
	legal []board.Direction

	mu      sync.Mutex
	result  *Odds
	taken   uint64  // games handed out
	pending []round // from round result.Games on
	stopped bool
}

// whole reports whether the games of a round are played to the end.
func (o *Options) whole(round uint64) bool {
	return o.WholeEvery > 0 && round%uint64(o.WholeEvery) == 0
}

// take returns the next game: the number of its round and its move. ok is false when no game is left.
func (c *collector) take() (number uint64, move board.Direction, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := uint64(len(c.legal))
	if c.stopped || n == 0 || c.o.Games > 0 && c.taken >= n*uint64(c.o.Games) {
		return 0, 0, false
	}
	number, move = c.taken/n, c.legal[c.taken%n]
	c.taken++
	return number, move, true
}

// over reports whether no game is wanted any more.
func (c *collector) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopped
}

// deliver records the outcome of a game.
func (c *collector) deliver(number uint64, move board.Direction, x outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return
	}
	i := int(number) - c.result.Games
	for len(c.pending) <= i {
		c.pending = append(c.pending, round{missing: len(c.legal)})
	}
	c.pending[i].games[move] = x
	c.pending[i].missing--
	done := 0
	for done < len(c.pending) && c.pending[done].missing == 0 && !c.stopped {
		c.add(&c.pending[done])
		done++
	}
	c.pending = c.pending[:copy(c.pending, c.pending[done:])]
}

// add adds the next round to the result.
func (c *collector) add(r *round) {
	o := c.result
	whole := c.o.whole(uint64(o.Games))
	o.Games++
	if whole {
		o.Whole++
	}
	limit := o.Asked[len(o.Asked)-1]
	for k, d := range c.legal {
		m, x := &o.Moves[d], &r.games[d]
		for i, e := range o.Tiles {
			if x.largest >= e && (whole || e <= limit) {
				m.Made[i]++
			}
		}
		if whole && x.largest >= limit {
			m.Whole++
		}
		if x.over && x.moves <= Soon {
			m.SoonOver++
		}
		if whole {
			m.Score.add(float64(x.score))
			m.Length.add(float64(x.moves))
		}
		for _, other := range c.legal[k+1:] {
			o.pairs[d][other].add(x, &r.games[other], o.Goal(), whole)
		}
	}
	c.look()
}

func (p *pair) add(a, b *outcome, goal uint8, whole bool) {
	switch first, other := a.largest >= goal, b.largest >= goal; {
	case first && other:
		p.both++
	case first:
		p.first++
	case other:
		p.other++
	default:
		p.none++
	}
	if whole {
		p.score.add(float64(a.score - b.score))
	}
}

// look reports the progress and applies the early stop after a power of two of rounds.
func (c *collector) look() {
	n := c.result.Games
	if n&(n-1) != 0 {
		return
	}
	if c.o.Progress != nil {
		c.o.Progress(c.result.clone())
	}
	if n >= firstLook && !c.o.Exact && c.result.clear(bits.Len(uint(n/firstLook))) {
		c.result.Stopped, c.stopped = Clear, true
	}
}
