package serve

import (
	"io"
	"log"
	"sync"
	"time"
)

// calmLog is the log of what clients can bring about: a few lines a minute.
var calmLog = log.New(&calm{out: log.Writer}, "", log.LstdFlags)

// calm drops what comes too often.
type calm struct {
	out func() io.Writer

	mu    sync.Mutex
	since time.Time
	lines int
}

const linesPerMinute = 60

func (c *calm) Write(line []byte) (int, error) {
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
