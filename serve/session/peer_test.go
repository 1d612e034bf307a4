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

// Searches of a connection that wait hold a few messages of the largest kind.
func TestQueuedSearches(t *testing.T) {
	p := &Peer{queue: make(chan *queued, MaxQueued), searches: map[string]*queued{}}
	large := protocol.Request{ID: []byte("1"), Method: protocol.MethodBestMove, Params: make([]byte, 60<<10)}
	for i := range 3 {
		if err := p.enqueue(t.Context(), large); (err != nil) != (i == 2) {
			t.Errorf("search %d of 60 kB: %v", i, err)
		}
	}
	p.begin(<-p.queue)
	if err := p.enqueue(t.Context(), large); err != nil {
		t.Errorf("while one runs: %v", err)
	}
}
