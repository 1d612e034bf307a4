package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"afterstate/wire"
)

// socket is a bot behind a WebSocket. Each request and each response is one text message.
type socket struct {
	exchange
	url    string
	conn   *websocket.Conn
	client *http.Client
	stop   context.CancelFunc // ends listen
	heard  chan []byte        // messages of the bot
	gone   chan struct{}      // closed when no more messages can come, after err is set
	err    error
}

var errBinary = errors.New("a binary message")

func dialSocket(ctx context.Context, url string, client *http.Client, limit time.Duration) (*socket, error) {
	timed, cancel := within(ctx, limit)
	defer cancel()
	conn, r, err := websocket.Dial(timed, url, &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		client.CloseIdleConnections()
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case timed.Err() != nil:
		return nil, fault(fmt.Sprintf("no connection within %v", limit), url)
	case r != nil && r.StatusCode != http.StatusSwitchingProtocols:
		return nil, badStatus(url, r, "a WebSocket (101)", "")
	default:
		return nil, noConnection(url, err)
	}
	conn.SetReadLimit(wire.MaxLine)
	listening, stop := context.WithCancel(context.Background())
	s := &socket{url: url, conn: conn, client: client, stop: stop, heard: make(chan []byte, 1), gone: make(chan struct{})}
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

func (s *socket) ask(ctx context.Context, limit time.Duration, method string, params any, read func(result []byte) error) error {
	request, err := s.request(method, params)
	if err != nil {
		return err
	}
	select {
	case unasked := <-s.heard:
		return unaskedFault(unasked)
	default:
	}
	timed, cancel := within(ctx, limit)
	defer cancel()
	// What listen reads explains a failure better than the write's error.
	_ = s.conn.Write(timed, websocket.MessageText, bytes.TrimSuffix(request, []byte("\n")))
	select {
	case message := <-s.heard:
		return s.understand(message, method, read)
	case <-s.gone:
	case <-timed.Done():
	}
	select {
	case message := <-s.heard: // the last one before the connection ended
		return s.understand(message, method, read)
	default:
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case timed.Err() != nil:
		return lateFault(method, limit)
	}
	return s.loss()
}

// loss returns why there are no more messages.
func (s *socket) loss() error {
	var closed websocket.CloseError
	switch {
	case errors.Is(s.err, websocket.ErrMessageTooBig):
		return fault(fmt.Sprintf("a line of more than %d bytes", wire.MaxLine), s.url)
	case errors.Is(s.err, errBinary):
		return fault("a binary message", s.url+": want text")
	case errors.As(s.err, &closed):
		text := fmt.Sprintf("%s: status %d", s.url, closed.Code)
		if closed.Reason != "" {
			text += ", " + quoted([]byte(closed.Reason))
		}
		return &dropped{fault("it closed the connection", text)}
	}
	return &dropped{fault("the connection broke", s.url+": "+cause(s.err))}
}

func (s *socket) bye() {
	if s.ask(context.Background(), byeTimeout, wire.MethodBye, nil, func([]byte) error { return nil }) != nil {
		return
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = s.conn.Close(websocket.StatusNormalClosure, "") // end closes it in any case
	}()
	select {
	case <-closed:
	case <-time.After(byeTimeout):
	}
}

func (s *socket) end() (exit, stderr string) {
	s.stop()
	_ = s.conn.CloseNow() // it may be closed already
	<-s.gone
	s.client.CloseIdleConnections()
	return "", ""
}
