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
	mostQueued = 16 // searches of a connection that wait for each other
	mostUnread = 64 // answers that a client has not taken yet
	// Answers that wait to be taken hold so many bytes, and searches that wait their turn
	// as many; a single message may be larger.
	mostHeld  = 128 << 10
	writeTime = 10 * time.Second
	pingEvery = 30 * time.Second
	// A client may send so many requests a second, and twice as many before that counts.
	usualRate = 2000
	// After so many requests beyond the rate the connection is closed.
	mostRefused = 1000
)

// socket talks over a WebSocket until one of both ends it.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	s.talking.Add(1)
	defer s.talking.Done()
	from := peerOf(r.RemoteAddr)
	if !s.sockets.take(from) {
		refuse(w, http.StatusServiceUnavailable, "too many connections: want you to come again later")
		return
	}
	defer s.sockets.leave(from)
	if r.Header.Get("Sec-WebSocket-Key") == "" {
		refuse(w, http.StatusUpgradeRequired, "/ws is a WebSocket: want an upgrade, or POST /api")
		return
	}
	// guard has looked at Origin; the library would not know Options.Hosts.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	conn.SetReadLimit(wire.MaxLine)
	ctx, stop := context.WithCancel(r.Context())
	v := &viewer{
		conn: conn, stop: stop, queue: make(chan *asked, mostQueued),
		answers: make(chan []byte, mostUnread), taken: make(chan struct{}, 1), news: make(chan struct{}, 1),
		frames: map[string][]byte{}, under: map[string]*asked{},
	}
	c := s.host.NewClient(v)
	defer c.Close()
	// To end a read by its context would end the connection without a word.
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

// viewer is the connection of a client: who asks, and who watches.
type viewer struct {
	conn    *websocket.Conn
	stop    context.CancelFunc
	queue   chan *asked
	answers chan []byte
	taken   chan struct{} // an answer has gone
	news    chan struct{} // there are frames

	mu     sync.Mutex
	unread int               // bytes of answers
	queued int               // bytes of searches that wait
	frames map[string][]byte // the newest of each watched game, not sent yet
	under  map[string]*asked // searches under way or waiting, by id
}

// asked is a search to be done.
type asked struct {
	ctx     context.Context
	end     context.CancelFunc
	request wire.Request
}

// read takes requests until the connection ends; the error is a fault of the client.
func (v *viewer) read(ctx context.Context, c *session.Client, rate float64) error {
	bucket := bucket{rate: rate, left: 2 * rate, at: time.Now()}
	for {
		kind, message, err := v.conn.Read(context.WithoutCancel(ctx))
		if err != nil {
			return nil // it has ended, or the library has told the client its fault
		}
		if kind != websocket.MessageText {
			return errors.New("a binary message: want text")
		}
		request, wrong := wire.ParseRequest(message)
		switch {
		case wrong != nil:
		case !bucket.take(time.Now()):
			if bucket.refused > mostRefused {
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

// bucket counts requests against the rate.
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

// enqueue lets a search wait for its turn.
func (v *viewer) enqueue(ctx context.Context, r wire.Request) *wire.Error {
	a := &asked{request: r}
	a.ctx, a.end = context.WithCancel(ctx)
	v.mu.Lock() // so that it is noted before it can be done
	defer v.mu.Unlock()
	busy := wire.Errorf(wire.CodeBusy, "%d searches of this connection are waiting: want you to wait for answers, or to cancel", len(v.queue))
	if v.queued > 0 && v.queued+len(r.Params) > mostHeld {
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

// Cancel ends the search of an id, if there is one.
func (v *viewer) Cancel(id json.RawMessage) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if a := v.under[string(id)]; a != nil {
		a.end()
	}
}

// forget ends a search that is done. Another one may have come by the same id.
func (v *viewer) forget(a *asked) {
	a.end()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.queued -= len(a.request.Params)
	if id := string(a.request.ID); v.under[id] == a {
		delete(v.under, id)
	}
}

// search does the searches of the connection, one after the other.
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

// answer sends an answer after those before it. While the client takes none, it waits:
// who asks must listen.
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

// room takes room for an answer, if there is any: one answer of any size, or several small
// ones.
func (v *viewer) room(size int) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.unread > 0 && v.unread+size > mostHeld {
		return false
	}
	v.unread += size
	return true
}

// sent gives the room of an answer back.
func (v *viewer) sent(size int) {
	v.mu.Lock()
	v.unread -= size
	v.mu.Unlock()
	select {
	case v.taken <- struct{}{}:
	default:
	}
}

// Offer gives the newest frame of a game. It never waits: an older one that was not
// sent is forgotten.
func (v *viewer) Offer(game string, frame []byte) {
	v.mu.Lock()
	v.frames[game] = frame
	v.mu.Unlock()
	select {
	case v.news <- struct{}{}:
	default:
	}
}

// Drop forgets a game's frame.
func (v *viewer) Drop(game string) {
	v.mu.Lock()
	delete(v.frames, game)
	v.mu.Unlock()
}

// write sends answers and frames until the connection ends. A client that does not
// take a message for long is given up.
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
			if ctx.Err() == nil { // else goodbye is being said
				_ = v.conn.CloseNow() // for the reader, which does not wait on ctx
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

// inTimeToWrite is how long a message may take. The end of ctx does not break it off,
// for the connection would end with it, without a goodbye.
func inTimeToWrite(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), writeTime)
}
