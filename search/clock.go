package search

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// clock ends a search: by its context, a deadline, or a number of nodes.
type clock struct {
	ctx      context.Context
	deadline time.Time // zero: none
	limit    int64     // nodes; at most this many, but for some of each other thread
	nodes    int64
	check    int64 // nodes at which to look at the time again
	stopped  bool
	team     *team // nil: alone
	told     int64 // nodes that the team has heard of
}

// team is what the clocks of threads have in common that search one position.
type team struct {
	spent   atomic.Int64
	stopped atomic.Bool
}

// lookEvery is how many nodes pass between two looks at the time: some tens of
// microseconds, so that looking costs nothing and a deadline is met closely.
const lookEvery = 256

func newClock(ctx context.Context, budget time.Duration, nodes int64) clock {
	c := clock{ctx: ctx, limit: nodes}
	if nodes <= 0 {
		c.limit = math.MaxInt64
	}
	if budget > 0 {
		c.deadline = time.Now().Add(budget)
	}
	c.check = min(lookEvery, c.limit)
	return c
}

// count adds nodes and tells whether the search must stop.
func (c *clock) count(n int64) bool {
	c.nodes += n
	if c.nodes >= c.check {
		c.look()
	}
	return c.stopped
}

func (c *clock) look() {
	spent := c.nodes
	if c.team != nil {
		spent = c.team.spent.Add(c.nodes - c.told)
		c.told = c.nodes
		c.stopped = c.team.stopped.Load()
	}
	late := !c.deadline.IsZero() && !time.Now().Before(c.deadline)
	if late || spent >= c.limit || c.ctx.Err() != nil {
		c.stopped = true
	}
	if c.stopped && c.team != nil {
		c.team.stopped.Store(true)
	}
	c.check = c.nodes + min(lookEvery, c.limit-spent)
}

// gather makes a team of this clock and the others, which begin at no nodes.
func (c *clock) gather(others []*clock) {
	c.team = &team{}
	c.team.spent.Store(c.nodes)
	c.told = c.nodes
	for _, o := range others {
		*o = *c
		o.nodes, o.told, o.check = 0, 0, 0
	}
}

// part ends the team; this clock has then counted what the others did.
func (c *clock) part(others []*clock) {
	c.team = nil
	for _, o := range others {
		c.nodes += o.nodes
		c.stopped = c.stopped || o.stopped
	}
	c.check = c.nodes // others may have used up what was left
}
