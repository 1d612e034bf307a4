package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

// A client that sends its request very slowly is cut off, and delays no other client.
func TestSlowBodies(t *testing.T) { synctest.Test(t, slowBodies) }

func slowBodies(t *testing.T) {
	s := must.Get(New(Options{Options: session.Options{Player: parsed(t, "greedy")}}))(t)
	listener := newPipes()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, listener) }()
	body := requestText(1, protocol.MethodHello, "")
	head := fmt.Sprintf("POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(body))
	begin := time.Now()
	healthy := func() {
		t.Helper()
		conn := listener.dial()
		defer conn.Close()
		_, _ = io.WriteString(conn, head+body)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("%+v, %v", res, err)
		}
	}
	var all sync.WaitGroup
	for _, sent := range []string{"", "P", "POST /api HTTP/1.1\r\n", "POST /api HTTP/1.1\r\nHost: localhost\r\nX: ", head[:len(head)-2], head, head + "{", head + body[:9], head + body[:len(body)-1], "GET / HTTP/1.1\r\nHost: localhost\r\n"} {
		all.Go(func() {
			conn := listener.dial()
			defer conn.Close()
			_, _ = io.WriteString(conn, sent)
			answer, err := io.ReadAll(conn)
			if took := time.Since(begin); err != nil || took < headerTime || took > bodyTime+time.Second {
				t.Errorf("after %q the connection ends after %v: %v", sent, took, err)
			}
			if strings.HasPrefix(sent, head) && !strings.Contains(string(answer), "the body did not arrive within 10 s") {
				t.Errorf("after %q comes %q", sent, answer)
			}
		})
	}
	synctest.Wait()
	healthy() // while they wait
	if time.Since(begin) > 0 {
		t.Errorf("others waited %v", time.Since(begin))
	}
	all.Wait()
	healthy()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// The queue for searches and the time of a search are limited.
func TestSearchFlood(t *testing.T) {
	const deep = `{"board":"2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2","player":"minimax(depth=40)"}`
	brief := start(t, Options{Options: session.Options{Searches: 1, SearchTime: 100 * time.Millisecond}})
	if got := brief.ask("analyze", deep); got != "-32000 analyze: no answer within 100ms: use fewer plies or nodes, or a limit such as time=1s" {
		t.Error(got)
	}
	c := start(t, Options{Options: session.Options{Searches: 2, SearchTime: time.Hour}}) // so that none ends before it is cancelled
	l := c.dial()
	busy := 0
	for range 3 * session.MaxQueued {
		l.send("analyze", deep)
	}
	// Moves are not held up by what waits.
	l.send("game.open", `{"seed":1}`)
	for {
		data := string(l.read())
		if strings.Contains(data, `"undone"`) {
			break
		}
		if strings.Contains(data, "searches of this connection are waiting") {
			busy++
		} else {
			t.Fatal(data)
		}
	}
	if busy < 2*session.MaxQueued-2 || busy > 2*session.MaxQueued {
		t.Errorf("%d of %d searches were refused", busy, 3*session.MaxQueued)
	}
	// All of them can be cancelled.
	for id := 1; id <= 3*session.MaxQueued; id++ {
		l.send("cancel", fmt.Sprintf(`{"id":%d}`, id))
	}
	cancelled := 0
	for done := 0; done < 3*session.MaxQueued; {
		data := string(l.read())
		switch {
		case strings.Contains(data, `"result":{}`):
			done++
		case strings.Contains(data, "cancelled"):
			cancelled++
		}
	}
	for cancelled < session.MaxQueued-3 {
		if strings.Contains(string(l.read()), "cancelled") {
			cancelled++
		}
	}
	c.healthy()
}

// Two searches with the same id are independent: the end of one does not end the other.
func TestSameID(t *testing.T) {
	l := start(t, Options{}).dial()
	for range 2 {
		l.id = 0
		l.send("analyze", `{"board":"2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2","player":"expectimax(eval=gradient,plies=2)"}`)
	}
	for range 2 {
		if got := outcome(t, l.read()); !strings.HasPrefix(got, "{") {
			t.Error(got)
		}
	}
}

// Messages that are too long, binary or not JSON are refused or end the connection.
func TestHostileMessages(t *testing.T) {
	c := start(t, Options{})
	for _, x := range []struct {
		kind websocket.MessageType
		data string
	}{
		{websocket.MessageText, strings.Repeat("x", 1<<20)},
		{websocket.MessageBinary, "{}"},
	} {
		l := c.dial()
		_ = l.conn.Write(t.Context(), x.kind, []byte(x.data))
		ctx, cancel := context.WithTimeout(t.Context(), testTime)
		if _, _, err := l.conn.Read(ctx); websocket.CloseStatus(err) == -1 {
			t.Errorf("%.20q is not refused: %v", x.data, err)
		}
		cancel()
	}
	l := c.dial()
	for _, text := range []string{"", " ", "{", "[]", "null", `"x"`, strings.Repeat("[", 9999), "\x00", `{"jsonrpc":"1.0"}`, strings.Repeat(" ", 60_000)} {
		must.Do(t, l.conn.Write(t.Context(), websocket.MessageText, []byte(text)))
		refused(t, text, 0, 0, string(l.read()), "")
	}
	c.healthy()
}

func TestTooManyConnections(t *testing.T) {
	c := start(t, Options{Clients: 3})
	for range 3 {
		c.dial()
	}
	_, res, err := websocket.Dial(t.Context(), c.http.URL+"/ws", nil)
	if err == nil || res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a fourth connection: %v", err)
	}
	c.healthy()
}
