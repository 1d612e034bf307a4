package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

// Serve answers until its context ends; then sockets are closed, games stop and nothing
// is left behind (see TestMain).
func TestServe(t *testing.T) {
	m := must.Get(catalog.Parse("auto", catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	s := must.Get(New(Options{Options: session.Options{Player: m, Capabilities: catalog.Capabilities{Networks: catalog.NoNetworks}}}))(t)
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, listener) }()
	conn, _, err := websocket.Dial(t.Context(), "ws://"+listener.Addr().String()+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	l := &line{t: t, conn: conn}
	l.watch(`{"player":"random","size":"6x6","moves_per_s":20}`)
	l.await("moves", func(f *protocol.Frame) bool { return f.Moves > 1 })
	// A search is under way too.
	l.send("analyze", `{"board":"2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2","player":"minimax(depth=40)"}`)
	stop()
	for {
		if _, _, err = conn.Read(t.Context()); err != nil {
			break
		}
	}
	// What was sent last may be unread yet; then the system resets the connection.
	if websocket.CloseStatus(err) != websocket.StatusGoingAway && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the socket ends by %v", err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := listener.Accept(); !errors.Is(err, net.ErrClosed) { // another process may listen there by now
		t.Errorf("the listener is not closed: %v", err)
	}
}

// Every answer has the headers that keep browsers safe, and the page needs nothing
// that they forbid.
func TestHeaders(t *testing.T) {
	c := start(t, Options{})
	for _, path := range []string{"/", "/app.js", "/app.css", "/nothing"} {
		res, _ := c.get(path)
		h := res.Header
		csp := h.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, h)
		}
		if path == "/nothing" {
			if res.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s", path, res.Status)
			}
			continue
		}
		if res.StatusCode != http.StatusOK || h.Get("ETag") == "" {
			t.Errorf("%s: %s %v", path, res.Status, h)
		}
		if again, _ := c.get(path, "If-None-Match: "+h.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s again: %s", path, again.Status)
		}
	}
}

// The page is small: its first scripts take less than 98 kB on the wire.
func TestPageSize(t *testing.T) {
	p := thePage()
	size := 0
	for name, f := range p.files {
		if name == "/app.js" || strings.HasPrefix(name, "/chunk-") {
			size += len(f.gzip)
		}
	}
	if size == 0 || size >= 98_000 {
		t.Errorf("the first scripts take %d bytes compressed: must be less than 98000", size)
	}
	t.Logf("the first scripts: %d bytes compressed", size)
	if html := string(p.files["/"].whole); strings.Contains(html, "http://") || strings.Contains(html, "https://") || strings.Contains(html, "style=") {
		t.Errorf("the page loads from elsewhere or has styles inline:\n%s", html)
	}
}

// The answer to bye arrives before the connection closes.
func TestByeIsAnswered(t *testing.T) {
	c := start(t, Options{})
	for range 50 {
		if got := c.dial().ask(protocol.MethodBye, ""); got != "{}" {
			t.Fatalf("bye is answered by %s", got)
		}
	}
}
