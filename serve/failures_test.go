package serve

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/serve/session"
)

// logged is what goes to the log while a test runs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func logs(t testing.TB) *logged {
	t.Helper()
	before, l := log.Writer(), new(logged)
	log.SetOutput(l)
	t.Cleanup(func() { log.SetOutput(before) })
	return l
}

// A player that panics costs its request an internal error. The server lives and its log
// contains the method and the stack.
func TestPanics(t *testing.T) {
	l := logs(t)
	boom := fakes(func(context.Context, search.Query) error { panic("lost its mind") })
	late := fakes(func(context.Context, search.Query) error { return nil })
	late.NewRollout = boom.New // in rollouts, which explain plays in goroutines of their own
	for name, maker := range map[string]catalog.Maker{"in its thoughts": boom, "in rollouts": late} {
		c := start(t, Options{Options: session.Options{Player: maker}})
		for _, x := range []struct{ method, params string }{
			{protocol.MethodBestMove, `{"board":"2,2/0,4"}`},
			{"analyze", `{"board":"2,2/0,4"}`},
			{"explain", `{"board":"2,2/0,4"}`},
		} {
			if name == "in rollouts" && x.method != "explain" {
				continue
			}
			want := fmt.Sprintf(`-32603 %q: internal error, see the server's log`, x.method)
			for door, got := range map[string]string{"HTTP": c.ask(x.method, x.params), "WebSocket": c.dial().ask(x.method, x.params)} {
				if got != want {
					t.Errorf("%s %s over %s: %s", x.method, name, door, got)
				}
			}
			if text := l.String(); !strings.Contains(text, fmt.Sprintf("%q: panic: lost its mind\n", x.method)) || !strings.Contains(text, "session.(*Client).Reply") {
				t.Errorf("%s %s: the log has %q", x.method, name, text)
			}
		}
		c.healthy()
	}
	c := start(t, Options{Options: session.Options{Player: boom}})
	watching := c.dial()
	watching.watch(`{"seed":1}`)
	if f := watching.await("a complaint", func(f *protocol.Frame) bool { return f.Error != "" }); f.Error != "the player failed by an internal error, see the server's log" || f.Running {
		t.Errorf("%+v", f)
	}
	if !strings.Contains(l.String(), "a player that thinks about ") {
		t.Errorf("the log has %q", l)
	}
	c.healthy()
}

// emptyNetwork is a network of no weights for 4x4.
func emptyNetwork() catalog.Capabilities {
	size := board.Size{Rows: 4, Cols: 4}
	network := models.Shared{Open: func() (*ntuple.Network, error) {
		l, err := ntuple.Named(size, "2x4")
		if err != nil {
			return nil, err
		}
		return ntuple.New(l)
	}}
	return catalog.Capabilities{Networks: func(string, bool) (models.Source, error) {
		return models.Source{Size: func() (board.Size, bool) { return size, true }, Load: network.Load, Loaded: network.Loaded}, nil
	}}
}

// A player without a network for a size is refused as a param wherever it is named.
func TestSizesWithoutNetwork(t *testing.T) {
	caps := emptyNetwork()
	runner := runnerWith(t, 1, caps)
	c := start(t, Options{Options: session.Options{Capabilities: caps}, Runner: runner})
	const record = `{\"afterstate_record\":1,\"size\":\"2x2\",\"spawn\":\"random\",\"p4\":0.1,\"seed\":1,\"game\":0,\"player\":\"greedy\",\"move_count\":11,\"moves\":\"EAEB\",\"board\":[[8,16],[2,4]],\"score\":60}`
	for _, spec := range []string{"champion", "ntuple", "ntuple(plies=2,impl=generic)"} {
		for _, x := range []struct{ method, params string }{
			{protocol.MethodBestMove, `{"board":"2,2/0,4","player":%q}`},
			{"analyze", `{"board":"2,2/0,4","player":%q}`},
			{"explain", `{"board":"2,2/0,4","player":%q}`},
			{"tree", `{"board":"2,2/0,4","player":%q}`},
			{"watch.start", `{"size":"2x2","player":%q}`},
			{"review.values", `{"record":"` + record + `","player":%q}`},
			{"experiments.start", `{"size":"2x2","games":1,"players":["greedy",%q]}`},
		} {
			params := fmt.Sprintf(x.params, spec)
			for door, got := range map[string]string{"HTTP": c.ask(x.method, params), "WebSocket": c.dial().ask(x.method, params)} {
				if !strings.HasPrefix(got, "-32602 "+x.method+": ") || !strings.HasSuffix(got, "the network is for 4x4 boards, but this board is 2x2") {
					t.Errorf("%s %s over %s: %s", x.method, params, door, got)
				}
			}
		}
		if got := c.ask(protocol.MethodBestMove, fmt.Sprintf(`{"board":"2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0","player":%q}`, spec)); !strings.HasPrefix(got, `{"move":`) {
			t.Errorf("%s on 4x4: %s", spec, got)
		}
	}
}
