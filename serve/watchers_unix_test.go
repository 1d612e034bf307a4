//go:build unix

package serve

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"afterstate/wire"
)

// processorTime is what this process has used, in seconds.
func processorTime(t *testing.T) float64 {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

// watched plays a game at full speed before so many watchers, who are in this process
// too; lazy ones never read. It tells the game's speed and what a move took of all
// processors, in milliseconds.
func (c *client) watched(watchers int, lazy bool, measure time.Duration) (perSecond, cost float64) {
	t := c.t
	t.Helper()
	l := c.dial()
	at, key := l.watch(`{"player":"expectimax(eval=gradient,nodes=3000)","size":"6x6","seed":1}`)
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	var frames atomic.Int64
	for range watchers - 1 {
		conn, _, err := websocket.Dial(ctx, c.http.URL+"/ws", nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Write(ctx, websocket.MessageText, []byte(requestText(1, wire.MethodWatchJoin, "{"+at+"}"))); err != nil {
			t.Fatal(err)
		}
		readers.Go(func() {
			defer conn.CloseNow()
			for !lazy {
				if _, _, err := conn.Read(ctx); err != nil {
					return
				}
				frames.Add(1)
			}
			<-ctx.Done()
		})
	}
	first := l.await("all watchers", func(f *wire.Frame) bool { return f.Watchers == watchers && f.Moves > 0 })
	begin, used := time.Now(), processorTime(t)
	last := first
	for time.Since(begin) < measure && !last.Over {
		last = l.await("a frame", func(*wire.Frame) bool { return true })
	}
	made := float64(last.Moves - first.Moves)
	perSecond, cost = made/time.Since(begin).Seconds(), 1000*(processorTime(t)-used)/made
	l.ask(wire.MethodWatchSet, fmt.Sprintf(`{%s,"key":%q,"running":false}`, at, key.Key))
	stop()
	readers.Wait()
	if watchers > 1 && !lazy && frames.Load() < int64(watchers) {
		t.Errorf("%d watchers saw %d frames", watchers, frames.Load())
	}
	return perSecond, cost
}

// Watchers do not slow a game down, neither those who look nor those who connect and
// never read. What counts is processor time, since other work on the machine changes
// the speed at any moment; that of the clients themselves is in it.
func TestManyWatchers(t *testing.T) {
	c := start(t, Options{})
	const many = 200
	measure := 2 * time.Second
	if testing.Short() {
		measure = 700 * time.Millisecond
	}
	for _, lazy := range []bool{false, true} {
		least := 1000.0
		for range 3 { // what is met by chance only adds
			speed, alone := c.watched(1, false, measure)
			speedMany, watched := c.watched(many, lazy, measure)
			t.Logf("alone %.0f moves/s, %.3f ms of processors a move; %d watchers (lazy: %v) %.0f moves/s, %.3f ms", speed, alone, many, lazy, speedMany, watched)
			if least = min(least, watched/alone); least < 1.25 {
				break
			}
		}
		if least > 2 {
			t.Errorf("with %d watchers (lazy: %v) a move takes %.2f times as much", many, lazy, least)
		}
	}
}
