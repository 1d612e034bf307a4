package search

import (
	"context"
	"math"
	"time"

	"github.com/afterstate2048/afterstate/internal/yield"
)

// Time management for all searches. A search has one value of type limits, which decides when the search stops and
// whether it starts another iteration, and one of type clock, which counts nodes.

// limits stops a search when its context ends or when it reaches a limit of time or nodes. Time and
// nodes apply from the second iteration on, so only the context can stop the first iteration.
type limits struct {
	ctx   context.Context
	time  time.Duration // time limit; 0: none
	nodes int64         // node limit; 0: none
	soft  bool          // do not start an iteration that will probably not finish
	clear float64       // see ExpectimaxOptions.ClearMargin; 0: off

	// Start of the search. It is set only if time is limited, since reading the clock takes as long
	// as evaluating one move.
	started  time.Time
	deadline time.Time // deadline of the current iteration; zero: none
	limit    int64     // node limit in the current iteration, counted from the start of the search
	spent    int64
	stopped  bool
	forecast forecast
	decided  Result // result of the last completed iteration
}

// begin resets the limits for a new search.
func (l *limits) begin(ctx context.Context, budget time.Duration, nodes int64, soft bool) {
	l.ctx, l.time, l.nodes, l.soft = ctx, budget, nodes, soft
	l.started, l.deadline, l.limit = time.Time{}, time.Time{}, math.MaxInt64
	if budget > 0 {
		l.started = time.Now()
	}
	l.spent, l.stopped, l.forecast = 0, false, forecast{}
}

// An iteration searches to a depth and gets the result of the previous iteration, nil for the first. It returns false
// if it was stopped.
type iteration func(depth int, before *Result) (Result, bool)

// deepen searches iteration after iteration, from first to deepest, and returns the result and the depth of the last
// completed iteration. It ends at the limits, when all moves are lost, and when cutOff returns false: then the depth
// limit cut off no line, so deeper iterations would be equal. deepen returns the context's error if the first iteration
// was stopped.
func (l *limits) deepen(first, deepest int, search iteration, cutOff func() bool) (_ Result, depth int, err error) {
	r := &l.decided // a local variable would escape to the heap
	var ok bool
	if *r, ok = search(first, nil); !ok {
		return Result{}, first, l.ctx.Err()
	}
	depth = first
	for next := first + 1; r.OK && next <= deepest && cutOff() && l.startsNext(r); next++ {
		deeper, ok := search(next, r)
		if !ok || math.IsInf(deeper.Best(), -1) {
			break // the search was stopped, or all moves are lost in this iteration and so in deeper ones
		}
		*r, depth = deeper, next
	}
	r.Nodes = l.spent
	return *r, depth, nil
}

// startsNext reports whether to start another iteration after an iteration with result r. The limits of time
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
	p := &l.forecast
	p.add(l.spent)
	after := p.spent + p.last*p.growth // predicted nodes of all iterations including the next
	late := l.time > 0 && time.Duration(after/p.spent*float64(time.Since(l.started))) > l.time
	return !l.soft || !late && after <= float64(l.limit)
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

// forecast predicts the number of nodes of the next iteration from the previous iterations.
type forecast struct{ spent, last, growth float64 }

// defaultGrowth is the assumed ratio of nodes from one iteration to the next after the first iteration.
const defaultGrowth = 4

// add records a completed iteration, given the total number of nodes of all iterations so far.
func (p *forecast) add(spent int64) {
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

// begin resets the clock for an iteration or a part of an iteration.
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
