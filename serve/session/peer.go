package session

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/protocol"
)

// MaxQueued is the maximum number of queued searches of a peer.
const MaxQueued = 16

// Peer is a client connected by a transport that carries messages, such as a WebSocket or a worker in a
// browser. It runs searches one at a time and, concurrently, answers other requests in order. It
// implements [Connection]: a new frame of a watched game replaces one that is not sent yet. While a client
// does not read its answers, its further requests wait.
//
// The transport calls Receive for every message, in order. Meanwhile it runs Search in a second goroutine; in a
// third one, it writes the answers from Answers and, after each value from News, the frames.
type Peer struct {
	client        *Client
	answers       chan []byte
	news          chan struct{} // signals that frames are available
	waitingSignal chan struct{} // signals that searches are waiting

	mu       sync.Mutex
	waiting  []*queued          // searches, in the order of their requests
	frames   map[string][]byte  // the newest unsent frame of each watched game
	searches map[string]*queued // waiting and running searches by id
}

// queued is a waiting or running search.
type queued struct {
	peer    context.Context // the context of the connection
	ctx     context.Context // the context of the search
	end     context.CancelFunc
	request protocol.Request
}

// NewPeer returns a peer. The caller closes it.
func (h *Host) NewPeer() *Peer {
	p := &Peer{
		answers: make(chan []byte), news: make(chan struct{}, 1), waitingSignal: make(chan struct{}, 1),
		frames: map[string][]byte{}, searches: map[string]*queued{},
	}
	p.client = h.NewClient(p)
	return p
}

// Close releases the peer's resources. No call may be running.
func (p *Peer) Close() { p.client.Close() }

// Receive handles a request: it queues a search and answers anything else. If the message is not a valid
// request, wrong is the error. Receive returns false if the transport should close the connection, because the
// client sent bye or ctx ended. The caller must not modify the request later.
func (p *Peer) Receive(ctx context.Context, r protocol.Request, wrong *protocol.Error) bool {
	if wrong == nil && IsSearch(r.Method) {
		if wrong = p.enqueue(ctx, r); wrong == nil {
			return true
		}
	}
	if wrong != nil {
		return p.answer(ctx, protocol.Refuse(nil, r, wrong))
	}
	answer, bye := p.client.Reply(ctx, r)
	return p.answer(ctx, answer) && !bye
}

// enqueue queues a search. It returns an error if the queue is full.
func (p *Peer) enqueue(ctx context.Context, r protocol.Request) *protocol.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == MaxQueued {
		return protocol.Errorf(protocol.CodeBusy, "%d searches of this connection are waiting: wait for responses, or cancel some", len(p.waiting))
	}
	q := &queued{peer: ctx, request: r}
	q.ctx, q.end = context.WithCancel(ctx)
	p.searches[string(r.ID)] = q
	p.waiting = append(p.waiting, q)
	workers.Signal(p.waitingSignal)
	return nil
}

// Cancel cancels the search with this id, if any. A waiting search leaves the queue at once, so that a client
// that keeps replacing its searches never fills the queue.
func (p *Peer) Cancel(id json.RawMessage) {
	p.mu.Lock()
	q := p.searches[string(id)]
	i := slices.Index(p.waiting, q)
	if i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		delete(p.searches, string(id))
	}
	p.mu.Unlock()
	if q == nil {
		return
	}
	q.end()
	if i >= 0 {
		p.answer(q.peer, protocol.Refuse(nil, q.request, protocol.Errorf(protocol.CodeCancelled, "cancelled")))
	}
}

// next removes the first search from the queue and returns it. It returns nil if the queue is
// empty.
func (p *Peer) next() *queued {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == 0 {
		return nil
	}
	q := p.waiting[0]
	p.waiting = slices.Delete(p.waiting, 0, 1)
	return q
}

// Search runs the queued searches, one after the other, until ctx ends.
func (p *Peer) Search(ctx context.Context) {
	for ctx.Err() == nil {
		q := p.next()
		if q == nil {
			select {
			case <-ctx.Done():
			case <-p.waitingSignal:
			}
			continue
		}
		answer, _ := p.client.Reply(q.ctx, q.request)
		q.end()
		p.mu.Lock()
		if id := string(q.request.ID); p.searches[id] == q { // otherwise the id has been reused
			delete(p.searches, id)
		}
		p.mu.Unlock()
		if !p.answer(ctx, answer) {
			return
		}
	}
}

// answer passes an answer to the transport. It blocks while the client does not read. It returns
// false if ctx ends first.
func (p *Peer) answer(ctx context.Context, line []byte) bool {
	if len(line) == 0 {
		return true
	}
	select {
	case p.answers <- line:
		return true
	case <-ctx.Done():
		return false
	}
}

// Answers delivers the answers to write. Each is one line.
func (p *Peer) Answers() <-chan []byte { return p.answers }

// News receives a value when there are new frames or notices to get from Frames.
func (p *Peer) News() <-chan struct{} { return p.news }

// Frames returns the unsent frames and notices. Only the newest frame of each game is kept.
func (p *Peer) Frames() [][]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer clear(p.frames)
	return slices.Collect(maps.Values(p.frames))
}

// Offer queues the newest frame of a game. It replaces an older frame that is not sent yet, so it
// never blocks.
func (p *Peer) Offer(game string, frame []byte) {
	p.mu.Lock()
	p.frames[game] = frame
	p.mu.Unlock()
	workers.Signal(p.news)
}

// Drop removes the queued frame of a game.
func (p *Peer) Drop(game string) {
	p.mu.Lock()
	delete(p.frames, game)
	p.mu.Unlock()
}
