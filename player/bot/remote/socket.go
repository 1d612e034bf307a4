//go:build !js

package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/bot"
	"github.com/afterstate2048/afterstate/protocol"
)

// closeTimeout is the time limit for the closing handshake.
const closeTimeout = time.Second

// socket is a bot behind a WebSocket. Each request and each response is one text message.
type socket struct {
	conn   *websocket.Conn
	client *http.Client
	failed bool               // the last Send failed
	stop   context.CancelFunc // ends listen
	heard  chan []byte        // messages of the bot
	gone   chan struct{}      // closed when no more messages can come, after err is set
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
	conn.SetReadLimit(protocol.MaxLine)
	listening, stop := context.WithCancel(context.Background())
	s := &socket{conn: conn, client: client, stop: stop, heard: make(chan []byte, 1), gone: make(chan struct{})}
	go s.listen(listening)
	return s, nil
}

// listen reads all the time, also between requests: it answers pings, and notices at once that the
// bot has closed the connection.
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
	// What listen reads explains a failure better than the write's error.
	_ = s.conn.Write(ctx, websocket.MessageText, request)
	select {
	case message := <-s.heard:
		return message, nil
	case <-s.gone:
	case <-ctx.Done():
	}
	select {
	case message := <-s.heard: // the last one before the connection ended
		return message, nil
	default:
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, s.loss()
}

// loss returns why there are no more messages.
func (s *socket) loss() error {
	var closed websocket.CloseError
	switch {
	case errors.Is(s.err, websocket.ErrMessageTooBig):
		return protocol.ErrTooLong
	case errors.Is(s.err, errBinary):
		return &player.Forfeit{Reason: "a binary message", Detail: "want text"}
	case errors.As(s.err, &closed):
		text := fmt.Sprintf("status %d", closed.Code)
		if closed.Reason != "" {
			text += ", " + bot.Quoted([]byte(closed.Reason))
		}
		return &bot.UnavailableError{Fault: &player.Forfeit{Reason: "it closed the connection", Detail: text}}
	}
	return broken(s.err)
}

// Close performs the closing handshake within closeTimeout, unless the last Send failed.
func (s *socket) Close() {
	if !s.failed {
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			_ = s.conn.Close(websocket.StatusNormalClosure, "") // CloseNow closes it in any case
		}()
		select {
		case <-closed:
		case <-time.After(closeTimeout):
		}
	}
	s.stop()
	_ = s.conn.CloseNow() // it may be closed already
	<-s.gone
	s.client.CloseIdleConnections()
}
