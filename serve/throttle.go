package serve

import (
	"io"
	"log"
	"sync"
	"time"
)

// throttledLog logs events that clients can trigger, limited to a few lines a minute.
var throttledLog = log.New(&throttledWriter{out: log.Writer}, "", log.LstdFlags)

// throttledWriter drops lines beyond linesPerMinute.
type throttledWriter struct {
	out func() io.Writer

	mu    sync.Mutex
	since time.Time
	lines int
}

const linesPerMinute = 60

func (c *throttledWriter) Write(line []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.since) >= time.Minute {
		c.since, c.lines = now, 0
	}
	c.lines++
	if c.lines > linesPerMinute {
		return len(line), nil
	}
	return c.out().Write(line)
}
