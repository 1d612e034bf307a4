package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/bot"
	"github.com/afterstate2048/afterstate/player/bot/remote"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// options returns the options of a bot at a URL, with limits that no test reaches.
func options(url string) bot.Options {
	return bot.Options{Spec: "far", URL: url, Dial: remote.Connect(url), Timeout: time.Minute, Startup: time.Minute}
}

// limitFaultyTurn removes the time limit from all answers but the one to turn 3 of game 1, so that a
// slow machine loses no other game.
func limitFaultyTurn(dial bot.Dialer) bot.Dialer {
	return func(ctx context.Context) (bot.Transport, error) {
		t, err := dial(ctx)
		return &patient{t}, err
	}
}

type patient struct{ bot.Transport }

func (p *patient) Send(ctx context.Context, request []byte) ([]byte, error) {
	if !bytes.Contains(request, []byte(`"turn":3`)) || !bytes.Contains(request, []byte(`"game":1`)) {
		ctx = context.WithoutCancel(ctx)
	}
	return p.Transport.Send(ctx, request)
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
	long := fmt.Sprintf("a line of more than %d bytes", 1<<20)
	for way, want := range map[string]map[string]string{ // by way, reasons by protocol
		"":                    {"ws": "", "http": ""},
		"hang":                {"ws": `^no answer to best_move within 200ms: URL$`, "http": `^no answer to best_move within 200ms: URL$`},
		"gone":                {"ws": `^the program closed the connection: URL: status 1001, "tea time"$`, "http": `^the connection was lost: URL: EOF$`},
		"binary":              {"ws": `^a binary message: URL: must be text$`, "http": `^HTTP status 502: URL: must be 200: "upstream is down"$`},
		"rubbish":             {"ws": `^an answer that is not a JSON-RPC 2.0 response: URL: .*thinking`, "http": `^an answer that is not a JSON-RPC 2.0 response: URL: .*thinking`},
		"long":                {"ws": "^" + long + ": URL$", "http": "^" + long + `: URL: "x`},
		"other id":            {"ws": `^an answer to another request: URL: the answer has id \d+, the request \d+$`, "http": `^an answer to another request: URL: the answer has id`},
		"sideways":            {"ws": `^an invalid answer to best_move: URL: .*"sideways"`, "http": `^an invalid answer to best_move`},
		"illegal":             {"ws": `^an illegal move: URL: \w+ changes nothing on`, "http": `^an illegal move: URL`},
		"two answers":         {"ws": `^(a message before a request|an answer to another request): URL`, "http": ""},
		"leaves after a game": {"ws": "", "http": ""},
		"restarts":            {"ws": "", "http": ""}, // at the first request of game 1
	} {
		for _, scheme := range remoteSchemes {
			t.Run(way+" "+scheme, func(t *testing.T) {
				b := &testBot{t: t, way: way}
				url := b.start(scheme)
				o := options(url)
				o.Dial = limitFaultyTurn(o.Dial)
				if way == "hang" {
					o.Timeout = 200 * time.Millisecond
				}
				p := bot.NewProgram(o).New()
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
				must.Do(t, p.Close())
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
	plain := b.start("http")
	secure := strings.Replace(b.start("https"), "127.0.0.1", "localhost", 1) // its certificate is for 127.0.0.1
	const address = "127.0.0.1:1"                                            // a port that no test is given
	for url, want := range map[string]string{
		strings.Replace(plain, "/bot", "/other", 1):    `^HTTP status 404: URL: must be 200: "no bot here"$`,
		strings.Replace(plain, "/bot", "/away", 1):     `^HTTP status 302: URL: must be 200, not a redirect to "/bot"$`,
		"ws" + strings.TrimPrefix(plain, "http") + "x": `^HTTP status 404: URL: must be a WebSocket \(101\)$`,
		secure: `^no connection: URL: tls: failed to verify certificate: x509: .*$`,
		"wss" + strings.TrimPrefix(secure, "https"): `^no connection: URL: .*tls: failed to verify certificate: x509: .*$`,
		"http://" + address:                         `^no connection: URL: dial tcp .*$`,
		"ws://" + address:                           `^no connection: URL: .*dial tcp .*$`,
	} {
		p := bot.NewProgram(options(url)).New()
		_, err := playGame(t.Context(), p, 0)
		lost := player.Forfeited(t.Context(), err)
		if lost == nil || !regexp.MustCompile(strings.ReplaceAll(want, "URL", regexp.QuoteMeta(url))).MatchString(lost.Error()) {
			t.Errorf("%v, want %s", err, want)
		}
		must.Do(t, p.Close())
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
		p := bot.NewProgram(options(scheme + strings.TrimPrefix(s.URL, "http")))
		name, version, err := p.Introduce(t.Context(), board.Size{Rows: 4, Cols: 4})
		if err != nil || name != `corner\u001b[31m bot` || version != "1.2" {
			t.Errorf("%s: %q, %q, %v", scheme, name, version, err)
		}
		s.Close()
	}
}

// The end of the caller's context is not a fault of the bot.
func TestRemoteIsStopped(t *testing.T) {
	for _, scheme := range []string{"ws", "http"} {
		b := &testBot{t: t, way: "hang"}
		url := b.start(scheme)
		o := options(url)
		o.Timeout, o.Startup = 0, 0
		p := bot.NewProgram(o).New()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			for requests := 0; requests < 4 && t.Context().Err() == nil; { // hello and three moves
				time.Sleep(time.Millisecond)
				b.mu.Lock()
				requests = len(b.heard)
				b.mu.Unlock()
			}
		}()
		if moves, err := playGame(ctx, p, 1); moves != 2 || !errors.Is(err, context.Canceled) || player.Forfeited(ctx, err) != nil {
			t.Errorf("%s: %d moves, %v", scheme, moves, err)
		}
		must.Do(t, p.Close())
	}
}
