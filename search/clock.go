package search

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// The time manager of all searches: limits belong to a search and say when it stops and
// whether another level begins; each of its threads counts nodes on a clock of its own.

// limits end a search: by its context, a time, or a number of nodes. They hold from the
// second level on, since the first one runs to its end whatever they are; the context
// always holds.
type limits struct {
	ctx   context.Context
	time  time.Duration // 0: none
	nodes int64         // 0: none
	soft  bool          // no level begins that will probably not be finished

	begun    time.Time
	deadline time.Time // of the present level; zero: none
	limit    int64     // of the present level, in nodes of the whole search
	spent    atomic.Int64
	stopped  atomic.Bool
	levels   levels
}

// begin begins a search.
func (l *limits) begin(ctx context.Context, budget time.Duration, nodes int64, soft bool) {
	l.ctx, l.time, l.nodes, l.soft = ctx, budget, nodes, soft
	l.begun, l.deadline, l.limit = time.Now(), time.Time{}, math.MaxInt64
	l.spent.Store(0)
	l.stopped.Store(false)
	l.levels = levels{}
}

// another reports, after a level, whether the next one begins. From here on time and
// nodes hold.
func (l *limits) another() bool {
	if l.time > 0 {
		l.deadline = l.begun.Add(l.time)
	}
	if l.nodes > 0 {
		l.limit = l.nodes
	}
	if l.look(0) {
		return false
	}
	l.levels.add(l.spent.Load())
	return !l.soft || !l.hopeless()
}

// hopeless reports whether the next level will probably not be finished.
func (l *limits) hopeless() bool {
	after := l.levels.afterNext()
	if after > float64(l.limit) {
		return true
	}
	return l.time > 0 && time.Duration(after/l.levels.spent*float64(time.Since(l.begun))) > l.time
}

// look adds nodes and reports whether the search must stop.
func (l *limits) look(nodes int64) bool {
	spent := l.spent.Add(nodes)
	late := !l.deadline.IsZero() && !time.Now().Before(l.deadline)
	if late || spent >= l.limit || l.ctx.Err() != nil {
		l.stopped.Store(true)
	}
	return l.stopped.Load()
}

// levels guess what the next level costs from the levels before it.
type levels struct{ spent, last, growth float64 }

// usualGrowth is how many times the nodes of a level the next one takes, as long
// as nothing is known.
const usualGrowth = 4

// add takes the nodes of all levels so far.
func (p *levels) add(spent int64) {
	last := float64(spent) - p.spent
	p.growth = usualGrowth
	if p.last > 0 {
		p.growth = last / p.last
	}
	p.spent, p.last = float64(spent), last
}

// afterNext is how many nodes all levels will have taken with the next one.
func (p *levels) afterNext() float64 { return p.spent + p.last*p.growth }

// clock counts the nodes of one thread, and looks at the limits from time to time.
type clock struct {
	limits  *limits
	every   int64 // nodes between two looks
	pending int64 // nodes that the limits do not know of
	room    int64 // pending ones at which to look again
	stopped bool
}

// A look takes some nanoseconds, so between two of them there are some tens of
// microseconds of work: a deadline is met closely.
const (
	lookEvery  = 256  // boards of Expectimax and Minimax
	lookEvery4 = 4096 // nodes of Expectimax4
)

// begin begins a level, or a part of one.
func (c *clock) begin(l *limits, every int64) {
	*c = clock{limits: l, every: every}
	c.more()
}

func (c *clock) more() { c.room = min(c.every, c.limits.limit-c.limits.spent.Load()) }

// count adds nodes and reports whether the search must stop.
func (c *clock) count(n int64) bool {
	c.pending += n
	if c.pending >= c.room {
		c.stopped = c.limits.look(c.pending)
		c.pending = 0
		c.more()
	}
	return c.stopped
}

// end adds what is pending.
func (c *clock) end() {
	c.limits.spent.Add(c.pending)
	c.pending = 0
}
