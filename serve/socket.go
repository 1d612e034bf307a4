package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"afterstate/session"
	"afterstate/wire"
)

const (
	maxQueued = 16 // limit of queued searches of a connection
	maxUnread = 64 // limit of unread answers of a client
	// maxHeld limits the bytes of unread answers, and separately those of queued searches; a
	// single message may be larger.
	maxHeld   = 128 << 10
	writeTime = 10 * time.Second
	pingEvery = 30 * time.Second
	// defaultRate is the limit of requests per second of a client; twice as many may arrive in a
	// burst.
	defaultRate = 2000
	// maxRefused is the number of requests beyond the rate after which the connection is closed.
	maxRefused = 1000
)

// socket serves a WebSocket until either side closes it.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	s.talking.Add(1)
	defer s.talking.Done()
	from := peerOf(r.RemoteAddr)
	if !s.sockets.take(from) {
		refuse(w, http.StatusServiceUnavailable, "too many connections: try again later")
		return
	}
	defer s.sockets.leave(from)
	if r.Header.Get("Sec-WebSocket-Key") == "" {
		refuse(w, http.StatusUpgradeRequired, "/ws is a WebSocket: want an upgrade, or POST /api")
		return
	}
	// guard has checked the Origin header; the library does not know Options.Hosts.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has sent the error
	}
	conn.SetReadLimit(wire.MaxLine)
	ctx, stop := context.WithCancel(r.Context())
	v := &viewer{
		conn: conn, stop: stop, queue: make(chan *asked, maxQueued),
		answers: make(chan []byte, maxUnread), taken: make(chan struct{}, 1), news: make(chan struct{}, 1),
		frames: map[string][]byte{}, under: map[string]*asked{},
	}
	c := s.host.NewClient(v)
	defer c.Close()
	// Cancelling the read's context would close the connection without a close frame.
	goodbye := context.AfterFunc(r.Context(), func() { _ = conn.Close(websocket.StatusGoingAway, "the server ends") })
	defer goodbye()
	var workers sync.WaitGroup
	workers.Go(func() { v.write(ctx) })
	workers.Go(func() { v.search(ctx, c) })
	why, code := "", websocket.StatusNormalClosure
	if err := v.read(ctx, c, s.rate); err != nil {
		why, code = err.Error(), websocket.StatusPolicyViolation
	}
	stop()
	workers.Wait()
	_ = conn.Close(code, why)
}

// viewer is a client's connection. It implements session.Connection.
type viewer struct {
	conn    *websocket.Conn
	stop    context.CancelFunc
	queue   chan *asked
	answers chan []byte
	taken   chan struct{} // an answer was written
	news    chan struct{} // frames are available

	mu     sync.Mutex
	unread int               // bytes of unread answers
	queued int               // bytes of queued searches
	frames map[string][]byte // the newest unsent frame of each watched game
	under  map[string]*asked // queued and running searches by id
}

// asked is a queued or running search.
type asked struct {
	ctx     context.Context
	end     context.CancelFunc
	request wire.Request
}

// read reads requests until the connection ends; the error is a protocol violation of the client.
func (v *viewer) read(ctx context.Context, c *session.Client, rate float64) error {
	bucket := bucket{rate: rate, left: 2 * rate, at: time.Now()}
	for {
		kind, message, err := v.conn.Read(context.WithoutCancel(ctx))
		if err != nil {
			return nil // the connection ended, or the library reported the client's error
		}
		if kind != websocket.MessageText {
			return errors.New("a binary message: want text")
		}
		request, wrong := wire.ParseRequest(message)
		switch {
		case wrong != nil:
		case !bucket.take(time.Now()):
			if bucket.refused > maxRefused {
				return errors.New("too many requests")
			}
			wrong = wire.Errorf(wire.CodeBusy, "too many requests: want at most %v a second", rate)
		case session.IsSearch(request.Method):
			wrong = v.enqueue(ctx, request)
			if wrong == nil {
				continue
			}
		}
		var answer []byte
		bye := false
		if wrong != nil {
			answer = wire.Refuse(nil, request, wrong)
		} else {
			answer, bye = c.Reply(ctx, request)
		}
		if !v.answer(ctx, answer) || bye {
			return nil
		}
	}
}

// bucket is a token bucket that limits the request rate.
type bucket struct {
	rate    float64
	left    float64
	at      time.Time
	refused int
}

func (b *bucket) take(now time.Time) bool {
	b.left = min(2*b.rate, b.left+b.rate*now.Sub(b.at).Seconds())
	b.at = now
	if b.left < 1 {
		b.refused++
		return false
	}
	b.left--
	return true
}

// enqueue queues a search. It returns an error if the queue is full.
func (v *viewer) enqueue(ctx context.Context, r wire.Request) *wire.Error {
	a := &asked{request: r}
	a.ctx, a.end = context.WithCancel(ctx)
	v.mu.Lock() // so that the search is registered before it can finish
	defer v.mu.Unlock()
	busy := wire.Errorf(wire.CodeBusy, "%d searches of this connection are waiting: wait for responses, or cancel some", len(v.queue))
	if v.queued > 0 && v.queued+len(r.Params) > maxHeld {
		a.end()
		return busy
	}
	select {
	case v.queue <- a:
		v.under[string(r.ID)] = a
		v.queued += len(r.Params)
		return nil
	default:
		a.end()
		return busy
	}
}

// Cancel cancels the search with an id, if any.
func (v *viewer) Cancel(id json.RawMessage) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if a := v.under[string(id)]; a != nil {
		a.end()
	}
}

// forget removes a finished search, unless its id has been reused.
func (v *viewer) forget(a *asked) {
	a.end()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.queued -= len(a.request.Params)
	if id := string(a.request.ID); v.under[id] == a {
		delete(v.under, id)
	}
}

// search runs the queued searches of the connection, one after the other.
func (v *viewer) search(ctx context.Context, c *session.Client) {
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-v.queue:
			answer := wire.Refuse(nil, a.request, wire.Errorf(wire.CodeCancelled, "cancelled"))
			if a.ctx.Err() == nil {
				answer, _ = c.Reply(a.ctx, a.request)
			}
			v.forget(a)
			if !v.answer(ctx, answer) {
				return
			}
		}
	}
}

// answer queues an answer after earlier ones. It blocks while the client does not read.
func (v *viewer) answer(ctx context.Context, line []byte) bool {
	if len(line) == 0 {
		return true
	}
	for !v.room(len(line)) {
		select {
		case <-v.taken:
		case <-ctx.Done():
			return false
		}
	}
	select {
	case v.answers <- line:
		return true
	case <-ctx.Done():
		return false
	}
}

// room reserves space for an answer: one answer of any size, or several small ones.
func (v *viewer) room(size int) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.unread > 0 && v.unread+size > maxHeld {
		return false
	}
	v.unread += size
	return true
}

// sent releases the space of an answer.
func (v *viewer) sent(size int) {
	v.mu.Lock()
	v.unread -= size
	v.mu.Unlock()
	select {
	case v.taken <- struct{}{}:
	default:
	}
}

// Offer queues the newest frame of a game. It never blocks: it replaces an older unsent frame.
func (v *viewer) Offer(game string, frame []byte) {
	v.mu.Lock()
	v.frames[game] = frame
	v.mu.Unlock()
	select {
	case v.news <- struct{}{}:
	default:
	}
}

// Drop removes the queued frame of a game.
func (v *viewer) Drop(game string) {
	v.mu.Lock()
	delete(v.frames, game)
	v.mu.Unlock()
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
		case line := <-v.answers:
			err = v.send(ctx, line)
			v.sent(len(line))
		case <-v.news:
			for _, frame := range v.take() {
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

func (v *viewer) take() (frames [][]byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for game, frame := range v.frames {
		frames = append(frames, frame)
		delete(v.frames, game)
	}
	return frames
}

func (v *viewer) send(ctx context.Context, line []byte) error {
	late, cancel := inTimeToWrite(ctx)
	defer cancel()
	return v.conn.Write(late, websocket.MessageText, line)
}

// inTimeToWrite limits the time of one message. It ignores the end of ctx, since cancelling a write
// would close the connection without a close frame.
func inTimeToWrite(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), writeTime)
}
