package session

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
)

// shown is a connection that keeps the newest frame.
type shown struct {
	mu     sync.Mutex
	newest protocol.Frame
}

func (s *shown) Offer(_ string, line []byte) {
	var message struct{ Params json.RawMessage }
	if err := json.Unmarshal(line, &message); err != nil {
		panic(err)
	}
	var f protocol.Frame
	if err := json.Unmarshal(message.Params, &f); err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = f
}

func (s *shown) frame() protocol.Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newest
}

func (s *shown) Drop(string) {}

func (s *shown) Cancel(json.RawMessage) {}

// startHost returns a host that is closed at the end of the test.
func startHost(t *testing.T, o Options) *Host {
	t.Helper()
	h := must.Get(NewHost(o))(t)
	t.Cleanup(h.Close)
	return h
}

// newClient returns a client that is closed before its host.
func newClient(t *testing.T, h *Host, conn Connection) *Client {
	t.Helper()
	c := h.NewClient(conn)
	t.Cleanup(c.Close)
	return c
}

func newTestHost(t *testing.T) *Host {
	t.Helper()
	caps := catalog.Capabilities{Networks: catalog.NoNetworks}
	m := must.Get(catalog.Parse("random", caps))(t)
	return startHost(t, Options{Name: "test", Version: "1.2.3", Player: m, Capabilities: caps, Searches: 1})
}

// does calls a method that must succeed.
func does[T any](t *testing.T, c *Client, method, params string) T {
	t.Helper()
	result, err := c.Call(t.Context(), method, []byte(params))
	if err != nil {
		t.Fatalf("%s %s: %v", method, params, err)
	}
	return result.(T)
}

// watch.set with a player replaces the player of a running game, which continues from its current board. Requests may
// name the server's own player by its spec, even if it is a kind that requests may not name otherwise.
func TestTakenOver(t *testing.T) {
	own := `exec(cmd="my bot")`
	caps := catalog.Capabilities{Networks: catalog.NoNetworks}
	m := must.Get(catalog.Parse("greedy", caps))(t)
	m.Spec = own
	h := startHost(t, Options{Name: "test", Player: m, Capabilities: caps, Searches: 1})
	conn := new(shown)
	c := newClient(t, h, conn)
	quoted, _ := json.Marshal(own)
	if listed := does[protocol.Players](t, c, "players.list", `{}`).Players[0]; listed.Name != own {
		t.Errorf("the first player is %+v", listed)
	}
	if _, err := c.Call(t.Context(), "watch.start", []byte(`{"player":"exec(cmd=\"your bot\")"}`)); err == nil {
		t.Error("another program is started")
	}
	key := does[protocol.WatchKey](t, c, "watch.start", `{"size":"6x6","seed":1,"player":`+string(quoted)+`,"running":false}`)
	at := `{"id":"` + key.ID + `","key":"` + key.Key + `"`
	does[protocol.Empty](t, c, "watch.join", `{"id":"`+key.ID+`"}`)
	until := func(what string, reached func(f protocol.Frame) bool) protocol.Frame {
		t.Helper()
		for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(time.Millisecond) {
			if f := conn.frame(); f.ID != "" && reached(f) {
				return f
			}
		}
		t.Fatalf("never %s: %+v", what, conn.frame())
		return protocol.Frame{}
	}
	for n := range 3 {
		does[protocol.Empty](t, c, "watch.step", at+"}")
		until("a step", func(f protocol.Frame) bool { return f.Moves == n+1 })
	}
	before := until("greedy's decision", func(f protocol.Frame) bool {
		return f.DecisionCurrent && f.Player == own && f.Decision.Player == "greedy"
	})
	if r := does[protocol.GameRecord](t, c, "watch.record", `{"id":"`+key.ID+`"}`); !strings.Contains(r.Record, `my bot`) {
		t.Errorf("the record is %s", r.Record)
	}
	if _, err := c.Call(t.Context(), "watch.set", []byte(at+`,"player":"nobody"}`)); err == nil || !strings.Contains(err.Error(), `watch.set: player: no player is called "nobody"`) {
		t.Errorf("nobody takes over: %v", err)
	}
	does[protocol.Empty](t, c, "watch.set", at+`,"player":"snake(depth=0)"}`)
	after := until("the snake's decision", func(f protocol.Frame) bool {
		return f.DecisionCurrent && f.Player == "snake(depth=0)" && f.Decision.Player != "greedy"
	})
	if after.Board != before.Board || after.Moves != before.Moves || after.Running {
		t.Errorf("taken over at %+v, not at %+v", after, before)
	}
	does[protocol.Empty](t, c, "watch.step", at+"}")
	until("its step", func(f protocol.Frame) bool { return f.Moves == before.Moves+1 })
	if r := does[protocol.GameRecord](t, c, "watch.record", `{"id":"`+key.ID+`"}`); !strings.Contains(r.Record, `"several players"`) {
		t.Errorf("the record is %s", r.Record)
	}
}

// A game without viewers pauses, resumes when one joins, and ends when none does.
func TestNeglected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, conn := newTestHost(t), new(shown)
		c := newClient(t, h, conn)
		key := does[protocol.WatchKey](t, c, "watch.start", `{"size":"6x6","seed":1,"moves_per_s":0.1}`)
		at := `{"id":"` + key.ID + `"}`
		does[protocol.Empty](t, c, "watch.join", at)
		rests := func() bool {
			t.Helper()
			m := must.Get(h.games.find(key.ID))(t)
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.idle
		}
		time.Sleep(2 * restAfter)
		synctest.Wait()
		if conn.frame().Moves == 0 || !conn.frame().Running || rests() {
			t.Fatalf("paused or ended while a viewer is present: %+v", conn.frame())
		}
		does[protocol.Empty](t, c, "watch.leave", at)
		time.Sleep(restAfter - 2*sweepEvery)
		if rests() {
			t.Error("the game pauses as soon as its last viewer leaves")
		}
		time.Sleep(4 * sweepEvery)
		if !rests() {
			t.Error("the game goes on without viewers")
		}
		does[protocol.Empty](t, c, "watch.join", at)
		before := conn.frame().Moves
		time.Sleep(restAfter)
		synctest.Wait()
		if !conn.frame().Running || conn.frame().Moves <= before || rests() {
			t.Errorf("watched again after move %d: %+v", before, conn.frame())
		}
		does[protocol.Empty](t, c, "watch.leave", at)
		time.Sleep(goAfter - 2*sweepEvery)
		rests() // it is there
		time.Sleep(4 * sweepEvery)
		if _, err := h.games.find(key.ID); err == nil {
			t.Error("the game does not end without viewers")
		}
	})
}

// A watcher that never reads delays neither the game nor those who read, and only the newest frame waits for it.
func TestUnreadFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, conn := newTestHost(t), new(shown)
		c, lazy := newClient(t, h, conn), h.NewPeer()
		defer lazy.Close()
		key := does[protocol.WatchKey](t, c, "watch.start", `{"size":"6x6","seed":1,"moves_per_s":20}`)
		for _, watcher := range []*Client{c, lazy.client} {
			does[protocol.Empty](t, watcher, "watch.join", `{"id":"`+key.ID+`"}`)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if f := conn.frame(); f.Watchers != 2 || f.Moves < 15 {
			t.Errorf("after a second: %+v", f)
		}
		if n := len(lazy.Frames()); n != 1 {
			t.Errorf("%d frames wait", n)
		}
	})
}

// A host without training runs and experiments answers what is asked about them.
func TestClientWithoutExperiments(t *testing.T) {
	c := newClient(t, newTestHost(t), nil)
	for method, x := range map[string]struct{ params, want string }{
		"training.show":    {`{"run":"x"}`, `no run is called \"x\"`},
		"experiments.list": {`{}`, `"result":{"experiments":[],"can_start":false}`},
		"experiments.stop": {`{"name":"x"}`, `"code":-32600,"message":"this server does not store experiments"`},
		"tre":              {`{}`, "did you mean tree?"},
	} {
		answer, _ := c.Reply(context.Background(), protocol.Request{ID: []byte("1"), Method: method, Params: []byte(x.params)})
		if !strings.Contains(string(answer), x.want) {
			t.Errorf("%s: %s", method, answer)
		}
	}
	if got := does[protocol.TrainingList](t, c, "training.list", `{}`); len(got.Runs) != 0 {
		t.Errorf("%+v", got)
	}
}
