package search

import (
	"context"
	"math"
	"time"

	"github.com/afterstate2048/afterstate/internal/yield"
)

// Time management for all searches. A search has one value of type limits, which decides when the search stops and
// whether it starts another level, and one of type clock, which counts nodes.

// limits stops a search when its context ends or when it reaches a limit of time or nodes. Time and
// nodes apply from the second level on, so only the context can stop the first level.
type limits struct {
	ctx   context.Context
	time  time.Duration // time limit; 0: none
	nodes int64         // node limit; 0: none
	soft  bool          // do not start a level that will probably not finish
	clear float64       // see ExpectimaxOptions.ClearMargin; 0: off

	// Start of the search. It is set only if time is limited, since reading the clock takes as long
	// as evaluating one move.
	started  time.Time
	deadline time.Time // deadline of the current level; zero: none
	limit    int64     // node limit in the current level, counted from the start of the search
	spent    int64
	stopped  bool
	levels   levels
	decided  Result // result of the last completed level
}

// begin resets the limits for a new search.
func (l *limits) begin(ctx context.Context, budget time.Duration, nodes int64, soft bool) {
	l.ctx, l.time, l.nodes, l.soft = ctx, budget, nodes, soft
	l.started, l.deadline, l.limit = time.Time{}, time.Time{}, math.MaxInt64
	if budget > 0 {
		l.started = time.Now()
	}
	l.spent, l.stopped, l.levels = 0, false, levels{}
}

// deepen searches level after level, from first to deepest, and returns the result and the depth of the last
// completed level. It ends at the limits, when all moves are lost, and when cutOff returns false: then the depth
// limit cut off no line, so deeper levels would be equal. The function level searches one level; it gets the result
// of the previous level (nil for the first) and returns false if it was stopped. deepen returns the context's error
// if the first level was stopped.
func (l *limits) deepen(first, deepest int, level func(depth int, before *Result) (Result, bool), cutOff func() bool) (_ Result, depth int, err error) {
	r := &l.decided // a local variable would escape to the heap
	var ok bool
	if *r, ok = level(first, nil); !ok {
		return Result{}, first, l.ctx.Err()
	}
	depth = first
	for next := first + 1; r.OK && next <= deepest && cutOff() && l.startsNext(r); next++ {
		deeper, ok := level(next, r)
		if !ok || math.IsInf(deeper.Best(), -1) {
			break // the search was stopped, or all moves are lost in this level and so in deeper ones
		}
		*r, depth = deeper, next
	}
	r.Nodes = l.spent
	return *r, depth, nil
}

// startsNext reports whether to start another level after a level with result r. The limits of time
// and nodes apply from its first call on.
func (l *limits) startsNext(r *Result) bool {
	if l.clear > 0 && r.Plies >= clearPlies && r.lead() > l.clear {
		return false
	}
	if l.time > 0 {
		l.deadline = l.started.Add(l.time)
	}
	if l.nodes > 0 {
		l.limit = l.nodes
	}
	if l.check(0) {
		return false
	}
	l.levels.add(l.spent)
	after := l.levels.spent + l.levels.last*l.levels.growth // predicted nodes of all levels including the next
	overruns := after > float64(l.limit) || l.time > 0 && time.Duration(after/l.levels.spent*float64(time.Since(l.started))) > l.time
	return !l.soft || !overruns
}

// clearPlies is the minimum depth at which ClearMargin may end deepening. docs/lab/search.md lists
// how often a shallower search is wrong.
const clearPlies = 4

// check adds nodes to the number of nodes spent and reports whether the search must stop.
func (l *limits) check(nodes int64) bool {
	yield.Point()
	l.spent += nodes
	late := !l.deadline.IsZero() && !time.Now().Before(l.deadline)
	l.stopped = l.stopped || late || l.spent >= l.limit || l.ctx.Err() != nil
	return l.stopped
}

// levels predicts the number of nodes of the next level from the previous levels.
type levels struct{ spent, last, growth float64 }

// defaultGrowth is the assumed ratio of nodes from one level to the next after the first level.
const defaultGrowth = 4

// add records a completed level, given the total number of nodes of all levels so far.
func (p *levels) add(spent int64) {
	last := float64(spent) - p.spent
	p.growth = defaultGrowth
	if p.last > 0 {
		p.growth = last / p.last
	}
	p.spent, p.last = float64(spent), last
}

// clock counts nodes and checks the limits at intervals.
type clock struct {
	limits  *limits
	every   int64 // number of nodes between two checks
	pending int64 // number of nodes not yet added to the limits
	room    int64 // value of pending at the next check
	stopped bool
}

// Nodes between two checks. A check reads the time. The work between two checks takes some tens of
// microseconds, so deadlines are overrun only slightly.
const (
	checkEvery  = 256  // for Expectimax and Minimax
	checkEvery4 = 4096 // for Expectimax4
)

// begin resets the clock for a level or a part of a level.
func (c *clock) begin(l *limits, every int64) {
	*c = clock{limits: l, every: every}
	c.scheduleCheck()
}

func (c *clock) scheduleCheck() { c.room = min(c.every, c.limits.limit-c.limits.spent) }

// count adds n nodes and reports whether the search must stop.
func (c *clock) count(n int64) bool {
	c.pending += n
	if c.pending >= c.room {
		c.stopped = c.limits.check(c.pending)
		c.pending = 0
		c.scheduleCheck()
	}
	return c.stopped
}

// end adds the pending nodes to the limits.
func (c *clock) end() {
	c.limits.spent += c.pending
	c.pending = 0
}
