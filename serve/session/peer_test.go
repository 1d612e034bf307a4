package session

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/afterstate2048/afterstate/protocol"
)

// A client that takes no answers gets no more work done.
func TestUnreadAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := slowHost(t, 0)
		p := h.NewPeer()
		defer p.Close()
		const many = 40
		var answered atomic.Int64
		go func() {
			for range many {
				p.Receive(t.Context(), protocol.Request{ID: []byte("1"), Method: "rules.inspect", Params: []byte(`{"board":"2,2/0,0"}`)}, nil)
				answered.Add(1)
			}
		}()
		synctest.Wait()
		if answered.Load() != 0 {
			t.Errorf("%d answers wait for the client", answered.Load())
		}
		for range many {
			<-p.Answers()
		}
		synctest.Wait()
		if answered.Load() != many {
			t.Errorf("%d of %d answers were sent", answered.Load(), many)
		}
	})
}

// A peer queues few searches. A cancelled one leaves the queue and is answered at once.
func TestQueuedSearches(t *testing.T) {
	h, _ := slowHost(t, 0)
	p := h.NewPeer()
	defer p.Close()
	search := func(id int) protocol.Request {
		return protocol.Request{ID: fmt.Appendf(nil, "%d", id), Method: protocol.MethodBestMove}
	}
	for id := range MaxQueued + 1 {
		if err := p.enqueue(t.Context(), search(id)); (err != nil) != (id == MaxQueued) {
			t.Errorf("search %d: %v", id, err)
		}
	}
	p.next()
	if err := p.enqueue(t.Context(), search(MaxQueued)); err != nil {
		t.Errorf("while one runs: %v", err)
	}
	go p.Cancel([]byte("2"))
	const want = `{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"cancelled"}}` + "\n"
	if answer := <-p.Answers(); string(answer) != want {
		t.Errorf("answer of a cancelled search: %s, expected %s", answer, want)
	}
	if err := p.enqueue(t.Context(), search(MaxQueued+1)); err != nil {
		t.Errorf("after a cancelled search: %v", err)
	}
}
