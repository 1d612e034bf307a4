package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"afterstate/board"
	"afterstate/game"
	"afterstate/player"
	"afterstate/player/bot"
	"afterstate/player/bot/remote"
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
				return strings.Repeat("x", 70_000)
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

// start serves the bot and returns its URL and the authority to trust.
func (b *testBot) start(scheme string) (url string, ca []byte) {
	b.seen = map[string]bool{}
	s := httptest.NewUnstartedServer(b)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if scheme == "wss" || scheme == "https" {
		s.StartTLS()
		ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	} else {
		s.Start()
	}
	b.t.Cleanup(s.Close)
	return scheme + "://" + s.Listener.Addr().String() + "/bot", ca
}

// options are those of a bot at a URL, with limits that no test reaches.
func options(t *testing.T, url string, ca []byte) bot.Options {
	t.Helper()
	dial, err := remote.Connect(url, ca)
	if err != nil {
		t.Fatal(err)
	}
	return bot.Options{Spec: "far", URL: url, Dial: dial, Timeout: time.Minute, Startup: time.Minute}
}

// playGame plays three moves of a game.
func playGame(ctx context.Context, p *bot.Player, index uint64) (moves int, err error) {
	start, _ := board.Parse("2,4,8/16,32,64/0,0,0")
	g, err := game.New(game.Options{Size: start.Size(), Board: start, Spawner: game.NewRandom(5, index, game.P4)})
	if err != nil {
		return 0, err
	}
	d := player.Driver{Player: p, Game: g}
	if err := d.Begin(ctx, 5, index); err != nil {
		return 0, err
	}
	for range 3 {
		if _, err := d.Move(ctx); err != nil {
			return g.Moves(), err
		}
	}
	return g.Moves(), nil
}

var remoteSchemes = []string{"ws", "wss", "http", "https"}

// A bot that misbehaves at turn 3 of game 1 forfeits that game with a reason that names the URL,
// and plays the others.
func TestRemote(t *testing.T) {
	long := fmt.Sprintf("a line of more than %d bytes", 65536)
	for way, want := range map[string]map[string]string{ // by way, reasons by protocol
		"":                    {"ws": "", "http": ""},
		"hang":                {"ws": `^no answer to best_move within 200ms: URL$`, "http": `^no answer to best_move within 200ms: URL$`},
		"gone":                {"ws": `^it closed the connection: URL: status 1001, "tea time"$`, "http": `^the connection broke: URL: EOF$`},
		"binary":              {"ws": `^a binary message: URL: want text$`, "http": `^HTTP status 502: URL: want 200: "upstream is down"$`},
		"rubbish":             {"ws": `^an answer that is no JSON-RPC 2.0 response: URL: .*thinking`, "http": `^an answer that is no JSON-RPC 2.0 response: URL: .*thinking`},
		"long":                {"ws": "^" + long + ": URL$", "http": "^" + long + `: URL: "x`},
		"other id":            {"ws": `^an answer to another question: URL: its id is \d+, the request's \d+$`, "http": `^an answer to another question: URL: its id`},
		"sideways":            {"ws": `^an answer that is not what best_move asks for: URL: .*"sideways"`, "http": `^an answer that is not what best_move asks for`},
		"illegal":             {"ws": `^an illegal move: URL: \w+ changes nothing on`, "http": `^an illegal move: URL`},
		"two answers":         {"ws": `^(it wrote without being asked|an answer to another question): URL`, "http": ""},
		"leaves after a game": {"ws": "", "http": ""},
		"restarts":            {"ws": "", "http": ""}, // at the first request of game 1
	} {
		for _, scheme := range remoteSchemes {
			t.Run(way+" "+scheme, func(t *testing.T) {
				b := &testBot{t: t, way: way}
				url, ca := b.start(scheme)
				o := options(t, url, ca)
				if way == "hang" {
					o.Timeout = 200 * time.Millisecond
				}
				p := bot.New(o)
				for index := range uint64(3) {
					moves, err := playGame(t.Context(), p, index)
					reason := want["http"]
					if scheme[0] == 'w' {
						reason = want["ws"]
					}
					if index != 1 || reason == "" {
						if err != nil || moves != 3 {
							t.Errorf("game %d: %d moves, %v", index, moves, err)
						}
						continue
					}
					lost := player.Forfeited(t.Context(), err)
					if lost == nil || moves != 2 || !regexp.MustCompile(strings.ReplaceAll(reason, "URL", regexp.QuoteMeta(url))).MatchString(lost.Error()) {
						t.Errorf("game %d: %d moves, %v, want %s", index, moves, err, reason)
					}
				}
				if err := p.Close(); err != nil {
					t.Error(err)
				}
				b.check(scheme)
			})
		}
	}
}

// check counts connections: a fault or a lost connection opens another one.
func (b *testBot) check(scheme string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	want := 2
	switch {
	case b.way == "", scheme[0] == 'h' && (b.way == "two answers" || b.way == "leaves after a game"):
		want = 1
	case b.way == "leaves after a game":
		want = 3
	}
	if b.opened != want {
		b.t.Errorf("%d connections, want %d", b.opened, want)
	}
	if b.way == "" && b.heard[len(b.heard)-1] != "bye" {
		b.t.Errorf("no bye after %q", b.heard)
	}
}

func TestRemoteCannotBeReached(t *testing.T) {
	b := &testBot{t: t}
	plain, _ := b.start("http")
	secure, _ := b.start("https")
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := nobody.Addr().String()
	_ = nobody.Close()
	for url, want := range map[string]string{
		strings.Replace(plain, "/bot", "/other", 1):    `^HTTP status 404: URL: want 200: "no bot here"$`,
		strings.Replace(plain, "/bot", "/away", 1):     `^HTTP status 302: URL: want 200, not a redirect to "/bot"$`,
		"ws" + strings.TrimPrefix(plain, "http") + "x": `^HTTP status 404: URL: want a WebSocket \(101\)$`,
		secure: `^no connection: URL: tls: failed to verify certificate: x509: .*$`,
		"wss" + strings.TrimPrefix(secure, "https"): `^no connection: URL: .*tls: failed to verify certificate: x509: .*$`,
		"http://" + address:                         `^no connection: URL: dial tcp .*$`,
		"ws://" + address:                           `^no connection: URL: .*dial tcp .*$`,
	} {
		p := bot.New(options(t, url, nil))
		_, err := playGame(t.Context(), p, 0)
		lost := player.Forfeited(t.Context(), err)
		if lost == nil || !regexp.MustCompile(strings.ReplaceAll(want, "URL", regexp.QuoteMeta(url))).MatchString(lost.Error()) {
			t.Errorf("%v, want %s", err, want)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A bot that restarts refuses connections or drops them for a moment.
func TestRemoteRestarts(t *testing.T) {
	for _, scheme := range []string{"ws", "http"} {
		b := &testBot{t: t}
		refused := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch refused++; refused {
			case 1:
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			case 2:
				hangUp(t, w, r)
				return
			}
			r.URL.Path = "/bot"
			b.seen = map[string]bool{}
			b.ServeHTTP(w, r)
		}))
		p := bot.NewProgram(options(t, scheme+strings.TrimPrefix(s.URL, "http"), nil))
		name, version, err := p.Introduce(t.Context(), board.Size{Rows: 4, Cols: 4})
		if err != nil || name != `corner\u001b[31m bot` || version != "1.2" {
			t.Errorf("%s: %q, %q, %v", scheme, name, version, err)
		}
		s.Close()
	}
}

// The end of the caller's context is no fault of the bot.
func TestRemoteIsStopped(t *testing.T) {
	for _, scheme := range []string{"ws", "http"} {
		b := &testBot{t: t, way: "hang"}
		url, _ := b.start(scheme)
		o := options(t, url, nil)
		o.Timeout, o.Startup = 0, 0
		p := bot.New(o)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			for asked := 0; asked < 4 && t.Context().Err() == nil; { // hello and three moves
				time.Sleep(time.Millisecond)
				b.mu.Lock()
				asked = len(b.heard)
				b.mu.Unlock()
			}
		}()
		if moves, err := playGame(ctx, p, 1); moves != 2 || !errors.Is(err, context.Canceled) || player.Forfeited(ctx, err) != nil {
			t.Errorf("%s: %d moves, %v", scheme, moves, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
