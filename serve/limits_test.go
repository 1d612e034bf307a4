package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/serve/session"
)

// ask opens a connection, asks for the page, and is the status; 0 if the connection is closed without an answer.
// The connection stays open.
func (p *pipes) ask(t *testing.T) (status int) {
	t.Helper()
	near := p.dial()
	t.Cleanup(func() { _ = near.Close() })
	if _, err := io.WriteString(near, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return 0
	}
	res, err := http.ReadResponse(bufio.NewReader(near), nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

// served serves on pipes, within a bubble of synctest.
func served(t *testing.T, o Options) *pipes {
	t.Helper()
	o.Player = fakes(func(context.Context, search.Query) error { return nil })
	o.Capabilities.Networks = catalog.NoNetworks
	s := must.Get(New(o))(t)
	p := newPipes()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, p) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return p
}

// A connection beyond the limit waits until another one ends, such as one that has been idle for long.
func TestConnectionsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const clients = 2
		p := served(t, Options{Clients: clients})
		begin := time.Now()
		for i := range 2*clients + 1 {
			status, wait := p.ask(t), time.Since(begin)
			if full := i == 2*clients; status != http.StatusOK || full && wait != idleTime || !full && wait != 0 {
				t.Errorf("connection %d: %d after %v", i, status, wait)
			}
		}
	})
}

// A client that sends and does not read is cut off.
func TestClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := served(t, Options{})
		transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return p.dial(), nil }}
		conn, _, err := websocket.Dial(t.Context(), "ws://localhost/ws", &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		begin := time.Now()
		for err == nil {
			err = conn.Write(t.Context(), websocket.MessageText, []byte(requestText(1, protocol.MethodHello, "")))
		}
		if took := time.Since(begin); took != writeTime {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

// A request beyond the limit of concurrent ones is refused.
func TestTooManyRequests(t *testing.T) {
	c := start(t, Options{})
	for range maxCalls {
		if !c.calls.TryEnter() {
			t.Fatal("fewer requests than maxCalls")
		}
	}
	status, answer := c.post(requestText(1, protocol.MethodHello, ""))
	refused(t, "one more request", status, http.StatusServiceUnavailable, answer, "too many requests at once: try again later")
	c.calls.Leave()
	c.healthy()
}

// fake is a player with given decisions.
type fake struct {
	decide func(context.Context, search.Query) error // before the first legal move is taken
}

func (fake) Start(_, _ uint64) {}

func (f fake) Decide(ctx context.Context, q search.Query) (d player.Decision, err error) {
	d.Board, d.Player = q.Board, "fake"
	for _, dir := range board.Directions {
		if _, _, moved := q.Board.Slide(dir); moved {
			d.Move, d.OK = dir, true
		}
	}
	return d, f.decide(ctx, q)
}

func fakes(decide func(context.Context, search.Query) error) catalog.Maker {
	return catalog.Maker{Spec: "fake", New: func() player.Player { return fake{decide} }}
}

// Watched games compute one after the other where there is one place, and all of them play.
func TestWatchedGamesTakePlaces(t *testing.T) {
	var thinking, maximum atomic.Int64
	c := start(t, Options{Options: session.Options{Searches: 1, Player: fakes(func(context.Context, search.Query) error {
		if n := thinking.Add(1); n > maximum.Load() {
			maximum.Store(n)
		}
		for range 100 {
			runtime.Gosched()
		}
		thinking.Add(-1)
		return nil
	})}})
	lines := make([]*line, 8)
	for i := range lines {
		lines[i] = c.dial()
		spawn := []string{"random", "adversary"}[i%2]
		lines[i].watch(fmt.Sprintf(`{"size":"3x3","seed":%d,"spawn":%q}`, i, spawn))
	}
	for _, l := range lines {
		l.await("the end", func(f *protocol.Frame) bool { return f.Over })
	}
	if maximum.Load() != 1 {
		t.Errorf("%d players thought at a time: must be 1", maximum.Load())
	}
	if got := lines[0].ask(protocol.MethodBestMove, `{"board":"2,2/0,4","player":"greedy"}`); got != `{"move":"right"}` {
		t.Errorf("a search beside them: %s", got)
	}
}

// watch.record does not wait for a player that thinks.
func TestRecordWhileThinking(t *testing.T) {
	thinking := make(chan struct{}, 1)
	c := start(t, Options{Options: session.Options{SearchTime: time.Hour, Player: fakes(func(ctx context.Context, q search.Query) error {
		if q.Score == 0 {
			return nil
		}
		select {
		case thinking <- struct{}{}:
		default:
		}
		<-ctx.Done()
		return ctx.Err()
	})}})
	l := c.dial()
	at, _ := l.watch(`{"size":"3x3","seed":5}`)
	<-thinking
	got := l.ask("watch.record", "{"+at+"}")
	if text := decode[protocol.GameRecord](t, got).Record; !strings.Contains(text, `"move_count":`) || strings.Contains(text, `"move_count":0`) {
		t.Errorf("the record so far: %s", got)
	}
}
