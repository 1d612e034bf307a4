package session

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// slowNetworks takes a while to load a network for 2x2.
type slowNetworks struct {
	loads *int
	takes time.Duration
}

func (s slowNetworks) Find(string, bool) (models.Source, error) {
	size := board.Size{Rows: 2, Cols: 2}
	network := models.Shared{Open: func() (*ntuple.Network, error) {
		*s.loads++
		time.Sleep(s.takes)
		l, err := ntuple.ParseLayout(size, "01 012")
		if err != nil {
			return nil, err
		}
		return ntuple.New(l)
	}}
	return models.Source{Size: func() (board.Size, bool) { return size, true }, Load: network.Load, Loaded: network.Loaded}, nil
}

// slowHost is a host whose player has such a network, and how often it was loaded.
func slowHost(t *testing.T, takes time.Duration) (_ *Host, loads *int) {
	t.Helper()
	loads = new(int)
	caps := catalog.Capabilities{Networks: slowNetworks{loads, takes}.Find}
	maker := must.Get(catalog.Parse("ntuple(plies=1)", caps))(t)
	return startHost(t, Options{Name: "test", Player: maker, Capabilities: caps, SearchTime: 10 * time.Second}), loads
}

const (
	deadBoard = `"board":[[2,4],[4,2]]`
	oneMove   = `"board":[[2,4],[0,0]]`
	ofRecord  = `{"record":"{\"afterstate_record\":1,\"size\":\"2x2\",\"spawn\":\"random\",\"p4\":0.1,\"seed\":1,\"game\":0,\"player\":\"greedy\",\"move_count\":11,\"moves\":\"EAEB\",\"board\":[[8,16],[2,4]],\"score\":60}"}`
)

// Loading a network is no part of the time of a request, nor of elapsed_ms. (For explain, whose
// rollouts take real time, see package explain.)
func TestLoadingIsNoSearchTime(t *testing.T) {
	for method, params := range map[string]string{
		"analyze":               `{"board":[[2,2],[0,0]]}`,
		protocol.MethodBestMove: `{"board":[[2,2],[0,0]],"time_ms":5}`,
		"tree":                  `{"board":[[2,2],[0,0]]}`,
		"review.values":         strings.TrimSuffix(ofRecord, "}") + `,"player":"ntuple(plies=1)"}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			h, _ := slowHost(t, 30*time.Second)
			c := newClient(t, h, nil)
			start := time.Now()
			result, err := c.Call(t.Context(), method, []byte(params))
			if err != nil || time.Since(start) != 30*time.Second {
				t.Fatalf("%s: %v after %v", method, err, time.Since(start))
			}
			text, err := json.Marshal(result)
			if err != nil || method == "analyze" && !strings.Contains(string(text), `"elapsed_ms":0,`) {
				t.Errorf("%s: %s, %v", method, text, err)
			}
			if values, ok := result.(protocol.ReviewValues); ok && len(values.Moves) != 11 {
				t.Errorf("%d of 11 moves reviewed", len(values.Moves))
			}
		})
	}
}

// A request that waits too long for a network says so, and does not blame the search.
func TestLoadingTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, loads := slowHost(t, 5*time.Minute)
		c := newClient(t, h, nil)
		_, err := c.Call(t.Context(), "analyze", []byte(`{"board":[[2,2],[0,0]]}`))
		var known *protocol.Error
		if !errors.As(err, &known) || known.Code != protocol.CodeBusy || !strings.Contains(known.Message, "the network is still being loaded") {
			t.Error(err)
		}
		time.Sleep(5 * time.Minute)
		if _, err := c.Call(t.Context(), "analyze", []byte(`{"board":[[2,2],[0,0]]}`)); err != nil || *loads != 1 {
			t.Errorf("later: %v, %d loads", err, *loads)
		}
	})
}

// Boards that leave no choice are answered without a network, over every transport.
func TestAnswersWithoutNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, loads := slowHost(t, 30*time.Second)
		c := newClient(t, h, nil)
		s := must.Get(New(Options{Name: "test", Player: h.o.Player, PrepareOnHello: true}))(t)
		defer s.Close()
		start := time.Now()
		for _, x := range []struct{ method, params, want string }{
			{"rules.inspect", oneMove, `"over":false`},
			{protocol.MethodBestMove, deadBoard, `{"move":null}`},
			{protocol.MethodBestMove, oneMove, `{"move":"down"}`},
			{"analyze", deadBoard, `"move":null`},
			{"analyze", oneMove, `"move":"down"`},
			{"explain", deadBoard, `"move":null`},
			{"explain", oneMove, `"move":"down"`},
			{"tree", deadBoard, `"move":null`},
		} {
			callers := map[string]func() (any, error){"a client": func() (any, error) { return c.Call(t.Context(), x.method, []byte("{"+x.params+"}")) }}
			if x.method != "tree" {
				callers["a session"] = func() (any, error) { return s.Call(t.Context(), x.method, []byte("{"+x.params+"}")) }
			}
			for name, call := range callers {
				result, err := call()
				text, _ := json.Marshal(result)
				if err != nil || !strings.Contains(string(text), x.want) {
					t.Errorf("%s: %s %s: %s, %v", name, x.method, x.params, text, err)
				}
			}
		}
		if *loads != 0 || time.Since(start) != 0 {
			t.Errorf("%d loads in %v", *loads, time.Since(start))
		}
	})
}

// Requests that wait for a place of one that loads a network are not refused for that.
func TestWaitingForWhoLoads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, loads := slowHost(t, 30*time.Second)
		h.searches = make(Slots, 1)
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				c := newClient(t, h, nil)
				if _, err := c.Call(t.Context(), "analyze", []byte(`{"board":[[2,2],[0,0]]}`)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if *loads != 1 {
			t.Errorf("%d loads", *loads)
		}
	})
}

// told is a connection that keeps when it was notified of what.
type told struct {
	shown
	mu     sync.Mutex
	begin  time.Time
	events []event
}

type event struct {
	at      time.Duration
	loading bool
}

func (c *told) Offer(game string, line []byte) {
	if game != "" {
		c.shown.Offer(game, line)
		return
	}
	var message struct {
		Method string
		Params protocol.Loading
	}
	if err := json.Unmarshal(line, &message); err != nil || message.Method != protocol.MethodLoading {
		panic(string(line))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, event{time.Since(c.begin), message.Params.Loading})
}

// A lasting connection is notified when a request waits for a network for long, and when it is there.
func TestLoadingIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := slowHost(t, 30*time.Second)
		conn := &told{begin: time.Now()}
		c := newClient(t, h, conn)
		for range 2 {
			must.Get(c.Call(t.Context(), "analyze", []byte(`{"board":[[2,2],[0,0]]}`)))(t)
		}
		if want := []event{{300 * time.Millisecond, true}, {30 * time.Second, false}}; !slices.Equal(conn.events, want) {
			t.Errorf("%v, want %v", conn.events, want)
		}
	})
}

// A watched game begins at once, and its frames say that its player loads a network.
func TestWatchWhileLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := slowHost(t, 30*time.Second)
		conn := new(told)
		c := newClient(t, h, conn)
		start := time.Now()
		key := does[protocol.WatchKey](t, c, "watch.start", `{"size":"2x2","seed":1,"moves_per_s":1}`)
		does[protocol.Empty](t, c, "watch.join", `{"id":"`+key.ID+`"}`)
		if time.Since(start) != 0 {
			t.Errorf("the search began after %v", time.Since(start))
		}
		for _, x := range []struct {
			after   time.Duration
			loading bool
		}{{200 * time.Millisecond, false}, {time.Second, true}, {29 * time.Second, true}, {40 * time.Second, false}} {
			time.Sleep(x.after - time.Since(start))
			if f := conn.frame(); f.Loading != x.loading || (f.Moves > 0) != (x.after > 30*time.Second) {
				t.Errorf("after %v: loading %v, %d moves", x.after, f.Loading, f.Moves)
			}
		}
		if _, err := c.Call(t.Context(), "watch.start", []byte(`{"size":"3x3","seed":1}`)); err == nil || !strings.Contains(err.Error(), "the network is for 2x2 boards") {
			t.Errorf("another size: %v", err)
		}
	})
}
