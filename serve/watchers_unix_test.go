//go:build unix

package serve

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/protocol"
)

const manyWatchers = 200

// crowd is watchers of one game besides the one who started it. Lazy ones never read.
type crowd struct {
	stop    func() // lets all of them go and waits for it
	frames  []atomic.Int64
	seen    chan int // who has read its first frame; never a lazy one
	reading sync.WaitGroup
}

func (c *client) crowd(at string, n int, lazy bool) *crowd {
	c.t.Helper()
	ctx, cancel := context.WithCancel(c.t.Context())
	w := &crowd{frames: make([]atomic.Int64, n), seen: make(chan int, n)}
	w.stop = func() { cancel(); w.reading.Wait() }
	c.t.Cleanup(w.stop)
	for i := range n {
		conn, _, err := websocket.Dial(ctx, c.http.URL+"/ws", nil)
		if err != nil {
			c.t.Fatal(err)
		}
		if err := conn.Write(ctx, websocket.MessageText, []byte(requestText(1, "watch.join", "{"+at+"}"))); err != nil {
			c.t.Fatal(err)
		}
		w.reading.Go(func() {
			defer conn.CloseNow()
			for !lazy {
				_, data, err := conn.Read(ctx)
				if err != nil {
					return
				}
				if bytes.Contains(data, []byte(protocol.MethodFrame)) && w.frames[i].Add(1) == 1 {
					w.seen <- i
				}
			}
			<-ctx.Done()
		})
	}
	return w
}

// Each of many watchers gets frames, and the game continues although as many others connect and
// never read.
func TestManyWatchers(t *testing.T) {
	manyWatchers := manyWatchers
	if !soak.Wanted() {
		manyWatchers = 40
	}
	c := start(t, Options{})
	for _, lazy := range []bool{false, true} {
		l := c.dial()
		at, key := l.watch(`{"player":"random","size":"6x6","seed":1,"moves_per_s":20}`)
		w := c.crowd(at, manyWatchers-1, lazy)
		first := l.await("all watchers", func(f *protocol.Frame) bool { return f.Watchers == manyWatchers && f.Moves > 0 })
		l.await("moves before all of them", func(f *protocol.Frame) bool { return f.Moves > first.Moves+5 })
		for !lazy && len(w.seen) < manyWatchers-1 {
			l.await("frames of all watchers", func(*protocol.Frame) bool { return true }) // fails if there are no more
		}
		l.ask("watch.set", fmt.Sprintf(`{%s,"key":%q,"running":false}`, at, key.Key))
		w.stop()
	}
}

// BenchmarkWatchers is what a move of a game at full speed takes of all processors, in
// milliseconds, and how fast the game is, before one watcher and before many, who are in
// this process too.
func BenchmarkWatchers(b *testing.B) {
	for _, x := range []struct {
		name   string
		others int
		lazy   bool
	}{{"1", 0, false}, {"200", manyWatchers - 1, false}, {"200-lazy", manyWatchers - 1, true}} {
		b.Run(x.name, func(b *testing.B) {
			c := start(b, Options{})
			l := c.dial()
			at, _ := l.watch(`{"player":"expectimax(eval=gradient,nodes=3000)","size":"6x6","seed":1}`)
			c.crowd(at, x.others, x.lazy)
			first := l.await("all watchers", func(f *protocol.Frame) bool { return f.Watchers == x.others+1 && f.Moves > 0 })
			last, used := first, processorTime(b)
			for b.Loop() {
				now := last.Moves
				last = l.await("a move", func(f *protocol.Frame) bool { return f.Moves > now || f.Over })
				if last.Over {
					b.Fatal("the game is over: must be a smaller -benchtime")
				}
			}
			made := float64(last.Moves - first.Moves)
			b.ReportMetric(made/b.Elapsed().Seconds(), "moves/s")
			b.ReportMetric(1000*(processorTime(b)-used)/made, "cpu-ms/move")
		})
	}
}

// processorTime is what this process has used, in seconds.
func processorTime(t testing.TB) float64 {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
