package remote_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// testBot is a bot behind HTTP and WebSocket that plays the first legal move. It misbehaves in its
// way at turn 3 of game 1, or restarts at turn 1.
type testBot struct {
	t   *testing.T
	way string

	mu     sync.Mutex
	away   bool     // it has restarted
	opened int      // WebSocket connections, or sessions of HTTP
	heard  []string // methods
	seen   map[string]bool
}

type botRequest struct {
	ID     int
	Method string
	Params struct {
		Legal      []string
		Turn, Game int
	}
}

const rightName = `{"name":" corner\u001b[31m bot ","version":"1.2","protocol":1,"wants_seed":true}`

// answer returns the text to send; hang and gone are behaviours that send none.
func (b *testBot) answer(data []byte) string {
	var r botRequest
	if err := json.Unmarshal(data, &r); err != nil {
		b.t.Errorf("%q: %v", data, err)
	}
	b.mu.Lock()
	b.heard = append(b.heard, r.Method)
	b.mu.Unlock()
	result := "{}"
	switch {
	case r.Method == "hello":
		result = rightName
	case r.Method == "best_move":
		move := r.Params.Legal[0]
		if b.way == "restarts" && r.Params.Turn == 1 && r.Params.Game == 1 && b.leave() {
			return b.way
		}
		if r.Params.Turn == 3 && r.Params.Game == 1 {
			switch b.way {
			case "hang", "gone", "binary":
				return b.way
			case "rubbish":
				return "thinking..."
			case "long":
				return strings.Repeat("x", 1<<20+1)
			case "other id":
				r.ID += 7
			case "sideways":
				move = "sideways"
			case "illegal":
				move = notIn(r.Params.Legal)
			}
		}
		result = fmt.Sprintf(`{"move":%q}`, move)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, r.ID, result)
}

// leave reports whether it is called for the first time.
func (b *testBot) leave() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	first := !b.away
	b.away = true
	return first
}

func notIn(legal []string) string {
	for _, d := range []string{"up", "right", "down", "left"} {
		if !strings.Contains(strings.Join(legal, " "), d) {
			return d
		}
	}
	return "sideways"
}

func (b *testBot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/away":
		http.Redirect(w, r, "/bot", http.StatusFound)
	case r.URL.Path != "/bot":
		http.Error(w, "no bot here", http.StatusNotFound)
	case r.Header.Get("Upgrade") != "":
		b.socket(w, r)
	default:
		b.post(w, r)
	}
}

func (b *testBot) post(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Idempotency-Key") == "" {
		b.t.Errorf("%s %v, %v", r.Method, r.Header, err)
	}
	b.mu.Lock()
	if session := r.Header.Get("Afterstate-Session"); !b.seen[session] {
		b.seen[session] = true
		b.opened++
	}
	b.mu.Unlock()
	switch text := b.answer(data); text {
	case "restarts":
		w.WriteHeader(http.StatusServiceUnavailable)
	case "hang":
		<-r.Context().Done()
	case "gone":
		drop(b.t, w)
	case "binary":
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, "upstream is down")
	default:
		_, _ = io.WriteString(w, text+"\n")
	}
}

// drop closes the connection of a request.
func drop(t *testing.T, w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	_ = conn.Close()
}

// hangUp closes the connection of a request: a WebSocket after it has been opened.
func hangUp(t *testing.T, w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") == "" {
		drop(t, w)
		return
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		t.Error(err)
		return
	}
	_ = conn.CloseNow()
}

func (b *testBot) socket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		b.t.Error(err)
		return
	}
	defer conn.CloseNow()
	b.mu.Lock()
	b.opened++
	b.mu.Unlock()
	for {
		_, data, err := conn.Read(r.Context())
		if err != nil {
			return
		}
		text := b.answer(data)
		switch text {
		case "hang":
			_, _, _ = conn.Read(r.Context()) // until the other side has closed
			return
		case "restarts":
			_ = conn.Close(websocket.StatusServiceRestart, "")
			return
		case "gone":
			_ = conn.Close(websocket.StatusGoingAway, "tea time")
			return
		case "binary":
			_ = conn.Write(r.Context(), websocket.MessageBinary, []byte{0, 255})
			continue
		}
		if err := conn.Write(r.Context(), websocket.MessageText, []byte(text)); err != nil {
			return
		}
		if b.way == "two answers" && bytes.Contains(data, []byte(`"turn":2`)) && bytes.Contains(data, []byte(`"game":1`)) {
			_ = conn.Write(r.Context(), websocket.MessageText, []byte(text))
		}
		if b.way == "leaves after a game" && bytes.Contains(data, []byte(`"turn":3`)) {
			_ = conn.Close(websocket.StatusNormalClosure, "")
			return
		}
	}
}

// TestMain trusts the certificate of httptest's servers. The system's authorities are read once, so it is set before.
func TestMain(m *testing.M) {
	s := httptest.NewTLSServer(nil)
	s.Close()
	file := filepath.Join(os.TempDir(), "afterstate-test-"+rand.Text()+".pem")
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	err := errors.Join(os.WriteFile(file, data, 0o600), os.Setenv("SSL_CERT_FILE", file))
	status := 1
	if err == nil {
		status = m.Run()
	}
	_ = os.Remove(file)
	os.Exit(status)
}

// start serves the bot and returns its URL. TestMain makes this process trust its certificate.
func (b *testBot) start(scheme string) (url string) {
	b.seen = map[string]bool{}
	s := httptest.NewUnstartedServer(b)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if scheme == "wss" || scheme == "https" {
		s.StartTLS()
	} else {
		s.Start()
	}
	b.t.Cleanup(s.Close)
	return scheme + "://" + s.Listener.Addr().String() + "/bot"
}
