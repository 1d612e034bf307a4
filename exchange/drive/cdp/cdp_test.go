package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/internal/must"
)

// fake is the DevTools port of a browser with one tab.
type fake struct{ *Browser }

// newFake returns a browser whose list of tabs is list, and whose tabs answer calls with serve until that
// returns false.
func newFake(t *testing.T, list string, serve func(ws *websocket.Conn, call string) bool) *fake {
	t.Helper()
	f := &fake{}
	mux := http.NewServeMux()
	mux.HandleFunc("/json/list", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, list) })
	mux.HandleFunc("/json/new", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		_, _ = fmt.Fprintf(w, `{"id":"NEW","type":"page","url":%q}`, r.URL.RawQuery)
	})
	mux.HandleFunc("/devtools/page/", func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		for {
			_, call, err := ws.Read(context.Background())
			if err != nil || !serve(ws, string(call)) {
				return
			}
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	var err error
	if f.Browser, err = At(s.Listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	return f
}

func send(ws *websocket.Conn, text string) {
	_ = ws.Write(context.Background(), websocket.MessageText, []byte(text))
}

func id(call string) (n int) {
	var m struct{ ID int }
	_ = json.Unmarshal([]byte(call), &m)
	return m.ID
}

func TestCalls(t *testing.T) {
	events := make(chan string, 10)
	var held string
	arrived := make(chan struct{})
	f := newFake(t, `[{"id":"W","type":"service_worker","url":"x"},{"id":"A1","type":"page","url":"http://a.example/","title":"\u001b[31m","webSocketDebuggerUrl":"ws://evil.example/devtools/page/A1"}]`,
		func(ws *websocket.Conn, call string) bool {
			switch {
			case strings.Contains(call, "First"): // answered after the second
				held = call
				close(arrived)
			case strings.Contains(call, "Second"):
				send(ws, `{"method":"Page.event","params":{"n":1}}`)
				send(ws, `{"id":99,"result":{}}`) // nobody's
				send(ws, fmt.Sprintf(`{"id":%d,"result":{"n":2}}`, id(call)))
				send(ws, fmt.Sprintf(`{"id":%d,"result":{"n":1}}`, id(held)))
			case strings.Contains(call, "Third"): // the fourth is not answered: its context has ended
				send(ws, fmt.Sprintf(`{"id":%d,"error":{"code":-32000,"message":"no\u001b such method"}}`, id(call)))
			}
			return true
		})
	tabs, err := f.Tabs(t.Context())
	if err != nil || len(tabs) != 1 || tabs[0].ID != "A1" {
		t.Fatal(tabs, err)
	}
	c := must.Get(f.Attach(t.Context(), tabs[0], func(method string, params json.RawMessage) { events <- method + string(params) }))(t)
	defer c.Close()
	var first, second struct{ N int }
	done := make(chan error)
	go func() { done <- c.Call(t.Context(), "First", nil, &first) }()
	<-arrived
	must.Do(t, c.Call(t.Context(), "Second", map[string]int{"a": 1}, &second))
	if err := <-done; err != nil || first.N != 1 || second.N != 2 {
		t.Error(first, second, err)
	}
	if e := <-events; e != `Page.event{"n":1}` {
		t.Error(e)
	}
	var refused *Error
	if err := c.Call(t.Context(), "Third", nil, nil); !errors.As(err, &refused) || err.Error() != `Third: "no\x1b such method"` {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Call(ended, "Fourth", nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := c.Call(t.Context(), "Second", nil, &second); err != nil {
		t.Errorf("after a call that was given up: %v", err)
	}
}

// The error of a connection says what happened to the tab.
func TestLost(t *testing.T) {
	for name, test := range map[string]struct {
		end  func(ws *websocket.Conn) bool
		want string
	}{
		"closed": {func(ws *websocket.Conn) bool {
			send(ws, `{"method":"Inspector.detached","params":{"reason":"target_closed"}}`)
			return true
		}, "the tab is lost: it was closed"},
		"crashed": {func(ws *websocket.Conn) bool {
			send(ws, `{"method":"Inspector.targetCrashed","params":{}}`)
			return true
		}, "the tab is lost: its page crashed"},
		"ended":     {func(ws *websocket.Conn) bool { _ = ws.Close(websocket.StatusGoingAway, ""); return false }, "it was closed"},
		"gone":      {func(*websocket.Conn) bool { return false }, "the browser ended the connection"},
		"no JSON":   {func(ws *websocket.Conn) bool { send(ws, "\x1b[31m"); return true }, "the browser sent an invalid DevTools message"},
		"too large": {func(ws *websocket.Conn) bool { send(ws, strings.Repeat("x", maxMessage+1)); return true }, "a message of more than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, "[]", func(ws *websocket.Conn, _ string) bool { return test.end(ws) })
			c := must.Get(f.Attach(t.Context(), Tab{ID: "A"}, nil))(t)
			defer c.Close()
			if err := c.Call(t.Context(), "Any", nil, nil); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
			<-c.Done()
			if err := c.Call(t.Context(), "Any", nil, nil); !errors.Is(err, ErrLost) {
				t.Errorf("afterwards %v", err)
			}
		})
	}
}

// The error for a port that is not a browser's names the port, and no other host is contacted.
func TestHostilePorts(t *testing.T) {
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(elsewhere.Close)
	for want, handler := range map[string]http.HandlerFunc{
		"answers 302": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) },
		`answers 404, "no \x1b[31m page"`: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(404)
			_, _ = io.WriteString(w, "no \x1b[31m page")
		},
		"does not answer in JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"more than 1048576 bytes": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat(" ", maxMessage+1))
		},
	} {
		s := httptest.NewServer(handler)
		b := must.Get(At(s.Listener.Addr().String()))(t)
		if _, err := b.Tabs(t.Context()); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), b.Address()) {
			t.Errorf("%v, want %s", err, want)
		}
		s.Close()
	}
	const address = "127.0.0.1:1" // a port that no test is given
	b := must.Get(At(address))(t)
	if _, err := b.Tabs(t.Context()); err == nil || !strings.Contains(err.Error(), "no browser answers at "+address) {
		t.Error(err)
	}
	for _, id := range []string{"", "../../json/close/A", "A/B", "A?x", strings.Repeat("A", 101)} {
		if _, err := b.Attach(t.Context(), Tab{ID: id}, nil); err == nil || !strings.Contains(err.Error(), "the tab has the invalid id") {
			t.Errorf("%q: %v", id, err)
		}
	}
	if reached {
		t.Error("another host was reached")
	}
}

func TestAt(t *testing.T) {
	for _, good := range []string{"127.0.0.1:9222", "localhost:1", "[::1]:9222", "box.example:65535"} {
		if _, err := At(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "9222", ":9222", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "http://127.0.0.1:9222", "127.0.0.1:9222/x", "a@b:1", "a/b:1", "a b:1"} {
		if _, err := At(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestOpen(t *testing.T) {
	f := newFake(t, "[]", nil)
	tab, err := f.Open(t.Context(), "http://a.example/?x=1&y#z")
	if err != nil || tab.ID != "NEW" || tab.URL != "http%3A%2F%2Fa.example%2F%3Fx%3D1%26y%23z" {
		t.Error(tab, err)
	}
}

// The error for a program that is not a browser names it, and no profile is left.
func TestLaunchNoBrowser(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	if _, err := Launch(t.Context(), LaunchOptions{Path: "false"}); err == nil || !strings.Contains(err.Error(), `false: the browser ended at once`) {
		t.Error(err)
	}
	if _, err := Launch(t.Context(), LaunchOptions{Path: "/nowhere/chromium"}); !errors.Is(err, ErrPath) || !strings.Contains(err.Error(), "/nowhere/chromium") {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
