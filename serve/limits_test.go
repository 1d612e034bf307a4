package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/serve/session"
)

// ask opens a connection from an address, asks for a path with headers, and is the status;
// 0 if the connection is closed without an answer. The connection stays open.
func (p *pipes) ask(t *testing.T, from, path, headers string) (status int) {
	t.Helper()
	near := p.dial(from)
	t.Cleanup(func() { _ = near.Close() })
	_, err := io.WriteString(near, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n"+headers+"\r\n")
	if err != nil {
		return 0
	}
	res, err := http.ReadResponse(bufio.NewReader(near), nil)
	if err != nil {
		return 0
	}
	if status = res.StatusCode; status != http.StatusSwitchingProtocols {
		_, _ = io.Copy(io.Discard, res.Body)
	}
	synctest.Wait() // until the server waits for the next request
	return status
}

// served serves on pipes, within a bubble of synctest.
func served(t *testing.T, o Options) *pipes {
	t.Helper()
	o.Player = fakes(func(context.Context, search.Query) error { return nil })
	o.Capabilities.Networks = catalog.NoNetworks
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
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

const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

// Connections that one client leaves open block no client, itself included.
func TestIdleConnections(t *testing.T) { synctest.Test(t, idleConnections) }

func idleConnections(t *testing.T) {
	const clients = 64 // so 128 connections, 32 of one address
	p := served(t, Options{Clients: clients})
	for i := range 3 * clients {
		if status := p.ask(t, "192.0.2.1", "/", ""); status != http.StatusOK {
			t.Fatalf("connection %d of one client: %d", i, status)
		}
	}
	if status := p.ask(t, "192.0.2.2", "/", ""); status != http.StatusOK {
		t.Errorf("another client beside them: %d", status)
	}
	// IPv6 clients have many addresses each.
	for i := range 3 * clients {
		if status := p.ask(t, fmt.Sprintf("2001:db8::%x", i+1), "/", ""); status != http.StatusOK {
			t.Fatalf("connection %d of one network: %d", i, status)
		}
	}
	// Many clients leave as many open as there may be.
	for i := range 4 * clients {
		if status := p.ask(t, fmt.Sprintf("198.51.100.%d", i%250), "/", ""); status != http.StatusOK {
			t.Fatalf("connection %d of many clients: %d", i, status)
		}
	}
}

// One client has some WebSockets, and the others have the rest.
func TestSocketsOfOneClient(t *testing.T) { synctest.Test(t, socketsOfOneClient) }

func socketsOfOneClient(t *testing.T) {
	p := served(t, Options{Clients: 64})
	for i := range 16 {
		if status := p.ask(t, "192.0.2.1", "/ws", upgrade); status != http.StatusSwitchingProtocols {
			t.Fatalf("socket %d: %d", i, status)
		}
	}
	if status := p.ask(t, "192.0.2.1", "/ws", upgrade); status != http.StatusServiceUnavailable {
		t.Errorf("one socket too many: %d", status)
	}
	for range 40 { // and connections that wait for its requests
		if status := p.ask(t, "192.0.2.1", "/", ""); status != http.StatusOK {
			t.Errorf("the page beside 16 sockets: %d", status)
		}
	}
	if status := p.ask(t, "192.0.2.2", "/ws", upgrade); status != http.StatusSwitchingProtocols {
		t.Errorf("another client's socket: %d", status)
	}
}

// A single local user may have as many tabs as browsers allow sockets.
func TestManyTabs(t *testing.T) { synctest.Test(t, manyTabs) }

func manyTabs(t *testing.T) {
	p := served(t, Options{})
	for i := range 255 {
		if status := p.ask(t, "127.0.0.1", "/ws", upgrade); status != http.StatusSwitchingProtocols {
			t.Fatalf("tab %d: %d", i, status)
		}
	}
	if status := p.ask(t, "127.0.0.1", "/", ""); status != http.StatusOK {
		t.Errorf("one more tab: %d", status)
	}
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

// What replays a game waits for a place as searches do.
func TestReplaysTakePlaces(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	c := start(t, Options{Options: session.Options{Searches: 1, Player: fakes(func(ctx context.Context, _ search.Query) error {
		entered <- struct{}{}
		<-leave
		return nil
	})}})
	recorded := c.dial()
	recorded.ask("game.open", `{"size":"3x3","seed":7,"moves":"Aw","move_count":1}`)
	record := recorded.ask("game.record", "")
	searching := c.dial()
	for _, x := range []struct{ method, params, want string }{
		{"game.open", `{"size":"3x3","seed":7,"moves":"Aw","move_count":1}`, `"moves":1`},
		{"game.open", `{"size":"3x3","seed":7,"spawn":"adversary"}`, `"moves":0`},
		{"game.replay", `{"size":"3x3","seed":7,"moves":"Aw","move_count":1}`, `"record"`},
		{"review.open", record, `"moves":1`},
		{"review.show", strings.TrimSuffix(record, "}") + `,"move":1}`, `"board"`},
	} {
		searching.send("analyze", `{"board":"2,2/0,4"}`)
		<-entered
		l := c.dial()
		l.send(x.method, x.params)
		eventually(t, x.method+" in the queue", func() bool { return c.host.Load().InOrder == 1 })
		if got := c.dial().ask("game.open", `{"seed":1}`); !strings.Contains(got, `"moves":0`) {
			t.Errorf("a new game, which takes no place: %s", got)
		}
		leave <- struct{}{}
		if got := outcome(t, l.read()); !strings.Contains(got, x.want) {
			t.Errorf("%s: %s", x.method, got)
		}
		searching.read()
	}
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

// All open games together have a bound; who leaves makes room.
func TestKeptMoves(t *testing.T) {
	const atOnce = 1024 // for how many moves room is made when a game grows
	c := start(t, Options{})
	const open = `{"size":"3x3","seed":7,"moves":"Aw","move_count":1}`
	l := c.dial()
	if got := l.ask("game.open", open); !strings.Contains(got, `"moves":1`) {
		t.Fatal(got)
	}
	if err := c.host.Reserve(session.MaxMoves - 1); err != nil || c.host.Load().Moves != session.MaxMoves {
		t.Fatalf("one game of a move holds %d: %v", c.host.Load().Moves-session.MaxMoves+1, err)
	}
	want := fmt.Sprintf("-32001 the open games have %d moves, the maximum here: try again later", session.MaxMoves)
	if got := c.ask("game.open", open); got != want {
		t.Error(got)
	}
	for move := range 4 { // some of these change the board
		got := l.ask("game.move", fmt.Sprintf(`{"move":%q}`, []string{"up", "left", "down", "right"}[move]))
		if got != want {
			t.Error(got)
		}
	}
	_ = c.host.Reserve(1 - session.MaxMoves) // less never fails
	if got := l.ask("game.move", `{"move":"left"}`); !strings.HasPrefix(got, "{") || c.host.Load().Moves != 1+atOnce {
		t.Errorf("%s, %d kept", got, c.host.Load().Moves)
	}
	if got := c.ask("game.open", open); !strings.HasPrefix(got, "{") || c.host.Load().Moves != 1+atOnce {
		t.Errorf("over HTTP: %s, %d kept", got, c.host.Load().Moves)
	}
	if got := l.ask("game.open", `{"moves":"Aw","move_count":1,"seed":7,"spawn":"nobody"}`); !strings.HasPrefix(got, "-32602") || c.host.Load().Moves != 1+atOnce {
		t.Errorf("a game that cannot be: %s, %d kept", got, c.host.Load().Moves)
	}
	_ = l.conn.CloseNow()
	eventually(t, "room", func() bool { return c.host.Load().Moves == 0 })
}
