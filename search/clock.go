package search

import (
	"context"
	"math"
	"time"
)

// clock ends a search: by its context, a deadline, or a number of nodes.
type clock struct {
	ctx      context.Context
	deadline time.Time // zero: none
	limit    int64     // nodes; at most this many
	nodes    int64
	check    int64 // nodes at which to look at the time again
	stopped  bool
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
	late := !c.deadline.IsZero() && !time.Now().Before(c.deadline)
	if late || c.nodes >= c.limit || c.ctx.Err() != nil {
		c.stopped = true
	}
	c.check = min(c.nodes+lookEvery, c.limit)
}
