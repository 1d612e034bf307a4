package serve

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

const (
	writeTime = 10 * time.Second
	pingEvery = 30 * time.Second
)

// socket serves a WebSocket until either side closes it.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	s.talking.Add(1)
	defer s.talking.Done()
	if !s.sockets.TryEnter() {
		refuse(w, http.StatusServiceUnavailable, "too many connections: try again later")
		return
	}
	defer s.sockets.Leave()
	if r.Header.Get("Sec-WebSocket-Key") == "" {
		refuse(w, http.StatusUpgradeRequired, "/ws is a WebSocket, which needs an upgrade request: send one, or use POST /api")
		return
	}
	// guard has checked the Origin header; the library does not know Options.Hosts.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has sent the error
	}
	conn.SetReadLimit(protocol.MaxReview)
	ctx, stop := context.WithCancel(r.Context())
	v := &viewer{Peer: s.host.NewPeer(), conn: conn, stop: stop}
	defer v.Close()
	// On shutdown, send a close frame. Cancelling the context of the read would close the connection without one.
	goodbye := context.AfterFunc(r.Context(), func() { _ = conn.Close(websocket.StatusGoingAway, "the server is shutting down") })
	defer goodbye()
	var workers sync.WaitGroup
	workers.Go(func() { v.write(ctx) })
	workers.Go(func() { v.Search(ctx) })
	why, code := "", websocket.StatusNormalClosure
	if err := v.read(ctx); err != nil {
		why, code = err.Error(), websocket.StatusPolicyViolation
	}
	stop()
	workers.Wait()
	_ = conn.Close(code, why)
}

// viewer is a client connected by WebSocket.
type viewer struct {
	*session.Peer
	conn *websocket.Conn
	stop context.CancelFunc
}

// read reads requests until the connection ends. It returns an error if the client violates the
// protocol.
func (v *viewer) read(ctx context.Context) error {
	for {
		kind, message, err := v.conn.Read(context.WithoutCancel(ctx))
		if err != nil {
			return nil // the connection ended, or the library reported the client's error
		}
		if kind != websocket.MessageText {
			return errors.New("binary message: messages must be text")
		}
		if request, wrong := protocol.ParsePageRequest(message); !v.Receive(ctx, request, wrong) {
			return nil
		}
	}
}

// write sends answers and frames until the connection ends. It closes the connection of a client
// that does not read a message in time.
func (v *viewer) write(ctx context.Context) {
	defer v.stop()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case line := <-v.Answers():
			err = v.send(ctx, line)
		case <-v.News():
			for _, frame := range v.Frames() {
				if err == nil {
					err = v.send(ctx, frame)
				}
			}
		case <-ping.C:
			late, cancel := inTimeToWrite(ctx)
			err = v.conn.Ping(late)
			cancel()
		}
		if err != nil {
			if ctx.Err() == nil { // otherwise a close frame is being sent
				_ = v.conn.CloseNow() // unblocks the reader, which does not depend on ctx
			}
			return
		}
	}
}

func (v *viewer) send(ctx context.Context, line []byte) error {
	late, cancel := inTimeToWrite(ctx)
	defer cancel()
	return v.conn.Write(late, websocket.MessageText, line)
}

// inTimeToWrite returns a context that limits the time for sending one message. The context
// outlives ctx, since cancelling a write would close the connection without a close frame.
func inTimeToWrite(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), writeTime)
}
