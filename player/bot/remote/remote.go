//go:build !js

// Package remote connects to bots that are already running, on any machine: over WebSocket (URLs with
// the scheme ws or wss) or HTTP (http or https).
//
//	caps := catalog.Capabilities{Connect: remote.Connect}
//
// This package only transports bytes. Package player/bot sends the requests, limits their time and
// reads the responses. docs/protocol.md describes the transports and the protocol.
package remote

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/bot"
	"github.com/afterstate2048/afterstate/protocol"
)

// Connect returns a dialer for the bot at a URL with the scheme ws, wss, http or https. It trusts the system's
// certificate authorities, which the environment variables SSL_CERT_FILE and SSL_CERT_DIR replace.
func Connect(url string) bot.Dialer {
	return func(ctx context.Context) (bot.Transport, error) {
		transport := &http.Transport{
			Proxy:             http.ProxyFromEnvironment,
			ForceAttemptHTTP2: true,
			IdleConnTimeout:   90 * time.Second,
		}
		client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // do not follow: connect only to the address in the spec
		}}
		if strings.HasPrefix(url, "http") {
			return &poster{url: url, client: client, session: rand.Text()}, nil
		}
		return dialSocket(ctx, url, client)
	}
}

// noConnection returns the fault for a connection that cannot be opened.
func noConnection(err error) error {
	f := &player.ForfeitError{Reason: "no connection", Detail: cause(err)}
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF) {
		return &bot.UnavailableError{Fault: f}
	}
	return f
}

// broken returns the fault for an open connection that failed.
func broken(err error) error {
	return &bot.UnavailableError{Fault: &player.ForfeitError{Reason: "the connection was lost", Detail: cause(err)}}
}

// badStatus returns the fault for a response with an unexpected HTTP status. body is the beginning of the response's
// body.
func badStatus(r *http.Response, want string, body []byte) error {
	text := "must be " + want
	if to := r.Header.Get("Location"); to != "" {
		text += ", not a redirect to " + bot.Quoted([]byte(to))
	}
	if body := strings.TrimSpace(string(body)); body != "" {
		text += ": " + bot.Quoted([]byte(body))
	}
	f := &player.ForfeitError{Reason: fmt.Sprintf("HTTP status %d", r.StatusCode), Detail: text}
	switch r.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &bot.UnavailableError{Fault: f}
	}
	return f
}

// cause returns the text of an error without the method and the URL of the request.
func cause(err error) string {
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return strings.TrimPrefix(err.Error(), "failed to WebSocket dial: ")
}

// closeTimeout is the time limit for the closing handshake.
const closeTimeout = time.Second

// socket is a WebSocket connection to a bot. Each request and each response is one text message.
type socket struct {
	conn   *websocket.Conn
	client *http.Client
	failed bool               // the last Send failed
	stop   context.CancelFunc // ends listen
	heard  chan []byte        // messages from the bot
	gone   chan struct{}      // closed when no more messages can arrive; err is set before
	err    error
}

var errBinary = errors.New("a binary message")

func dialSocket(ctx context.Context, url string, client *http.Client) (*socket, error) {
	conn, r, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		client.CloseIdleConnections()
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r != nil && r.StatusCode != http.StatusSwitchingProtocols:
		return nil, badStatus(r, "a WebSocket (101)", nil)
	default:
		return nil, noConnection(err)
	}
	conn.SetReadLimit(protocol.MaxAnswer)
	listening, stop := context.WithCancel(context.Background())
	s := &socket{conn: conn, client: client, stop: stop, heard: make(chan []byte, 1), gone: make(chan struct{})}
	go s.listen(listening)
	return s, nil
}

// listen reads continuously, also between requests, so that pings are answered and a connection that
// the bot has closed is noticed at once.
func (s *socket) listen(ctx context.Context) {
	defer close(s.gone)
	for {
		kind, message, err := s.conn.Read(ctx)
		if err == nil && kind != websocket.MessageText {
			err = errBinary
		}
		if err != nil {
			s.err = err
			return
		}
		select {
		case s.heard <- message:
		case <-ctx.Done():
			s.err = ctx.Err()
			return
		}
	}
}

func (s *socket) Send(ctx context.Context, request []byte) (response []byte, err error) {
	defer func() { s.failed = err != nil }()
	select {
	case unasked := <-s.heard:
		return unasked, bot.ErrUnasked
	default:
	}
	// Ignore the error: what listen reads explains a failure better.
	_ = s.conn.Write(ctx, websocket.MessageText, request)
	select {
	case message := <-s.heard:
		return message, nil
	case <-s.gone:
	case <-ctx.Done():
	}
	select {
	case message := <-s.heard: // the last message may have arrived before the connection ended
		return message, nil
	default:
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, s.loss()
}

// loss returns the error that explains why no more messages can come.
func (s *socket) loss() error {
	var closed websocket.CloseError
	switch {
	case errors.Is(s.err, websocket.ErrMessageTooBig):
		return protocol.ErrTooLong
	case errors.Is(s.err, errBinary):
		return &player.ForfeitError{Reason: "a binary message", Detail: "must be text"}
	case errors.As(s.err, &closed):
		text := fmt.Sprintf("status %d", closed.Code)
		if closed.Reason != "" {
			text += ", " + bot.Quoted([]byte(closed.Reason))
		}
		return &bot.UnavailableError{Fault: &player.ForfeitError{Reason: "the program closed the connection", Detail: text}}
	}
	return broken(s.err)
}

// Close performs the closing handshake within closeTimeout, unless the last Send failed.
func (s *socket) Close() {
	if !s.failed {
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			_ = s.conn.Close(websocket.StatusNormalClosure, "") // ignore the error: CloseNow closes it in any case
		}()
		select {
		case <-closed:
		case <-time.After(closeTimeout):
		}
	}
	s.stop()
	_ = s.conn.CloseNow() // ignore the error: the connection may be closed already
	<-s.gone
	s.client.CloseIdleConnections()
}

// poster is a connection to a bot by HTTP. Each request of the protocol is sent as the body of a POST request, and
// its response is the body of the HTTP response.
type poster struct {
	url     string
	client  *http.Client
	session string // distinguishes concurrent games, whose requests may arrive on any connection
	sent    int64  // number of requests
	reached bool   // a response has arrived
}

func (p *poster) Send(ctx context.Context, request []byte) (response []byte, err error) {
	// Clone the request, because the client may read the body even after Do has returned.
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(bytes.Clone(request)))
	if err != nil {
		return nil, err
	}
	p.sent++
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json")
	q.Header.Set("User-Agent", "afterstate")
	q.Header.Set("Afterstate-Session", p.session)
	// With this header, Go's HTTP client sends the request again if the server has closed the reused connection.
	q.Header.Set("Idempotency-Key", p.session+"-"+strconv.FormatInt(p.sent, 10))
	r, err := p.client.Do(q)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case p.reached:
		return nil, broken(err)
	default:
		return nil, noConnection(err)
	}
	defer r.Body.Close()
	p.reached = true
	body, err := io.ReadAll(io.LimitReader(r.Body, protocol.MaxAnswer+1))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, broken(err)
	case r.StatusCode != http.StatusOK:
		return nil, badStatus(r, "200", body[:min(len(body), 200)])
	case len(body) > protocol.MaxAnswer:
		return body, protocol.ErrTooLong
	}
	return body, nil
}

func (p *poster) Close() { p.client.CloseIdleConnections() }
