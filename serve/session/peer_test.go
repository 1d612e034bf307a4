package session

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/afterstate2048/afterstate/protocol"
)

// A client that takes no answers makes the host keep little.
func TestUnreadAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Peer{answers: make(chan []byte, maxUnread), taken: make(chan struct{}, 1)}
		const size, many = 50 << 10, 40
		var gone atomic.Int64
		for range 2 { // requests and searches are answered beside each other
			go func() {
				for range many {
					p.answer(t.Context(), make([]byte, size))
					gone.Add(1)
				}
			}()
		}
		synctest.Wait()
		if n := gone.Load(); n != MaxHeld/size {
			t.Errorf("%d answers of %d bytes wait for the client: want %d", n, size, MaxHeld/size)
		}
		for range 2 * many {
			p.Sent(<-p.Answers())
		}
		synctest.Wait()
		if gone.Load() != 2*many || p.unread != 0 {
			t.Errorf("%d answers were sent, %d bytes are left", gone.Load(), p.unread)
		}
	})
}

// Waiting searches hold a few messages of the largest kind. A cancelled one leaves the queue and is
// answered at once.
func TestQueuedSearches(t *testing.T) {
	p := &Peer{answers: make(chan []byte, maxUnread), taken: make(chan struct{}, 1), some: make(chan struct{}, 1), searches: map[string]*queued{}}
	large := func(id string) protocol.Request {
		return protocol.Request{ID: []byte(id), Method: protocol.MethodBestMove, Params: make([]byte, 60<<10)}
	}
	for i, id := range []string{"1", "2", "3"} {
		if err := p.enqueue(t.Context(), large(id)); (err != nil) != (i == 2) {
			t.Errorf("search %s of 60 kB: %v", id, err)
		}
	}
	p.next()
	if err := p.enqueue(t.Context(), large("3")); err != nil {
		t.Errorf("while one runs: %v", err)
	}
	p.Cancel([]byte("2"))
	select {
	case answer := <-p.Answers():
		if want := `{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"cancelled"}}` + "\n"; string(answer) != want {
			t.Errorf("answer of a cancelled search: %s, expected %s", answer, want)
		}
	default:
		t.Error("a cancelled search is not answered")
	}
	if err := p.enqueue(t.Context(), large("4")); err != nil {
		t.Errorf("after a cancelled search: %v", err)
	}
}
