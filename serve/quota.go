package serve

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"sync"
)

// peer identifies a client for limits: an IPv4 address, or for IPv6 the /64 network that one
// customer usually has. The zero peer is shared by all clients with unknown addresses.
type peer = netip.Prefix

// peerOf returns the client of an address as given by net.Conn and http.Request.
func peerOf(address string) peer {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return peer{}
	}
	bits := 32
	ip := at.Addr().Unmap().WithZone("")
	if ip.Is6() {
		bits = 64
	}
	from, _ := ip.Prefix(bits) // cannot fail: bits is valid for the address
	return from
}

// quota limits a resource for all clients together and for each client.
type quota struct {
	all, each int

	mu    sync.Mutex
	taken int
	by    map[peer]int
	left  chan struct{} // closed, and replaced, when a place becomes free
}

func newQuota(all, each int) *quota {
	return &quota{all: all, each: each, by: map[peer]int{}, left: make(chan struct{})}
}

func (q *quota) take(p peer) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.taken >= q.all || q.by[p] >= q.each {
		return false
	}
	q.taken++
	q.by[p]++
	return true
}

// wait takes a place as soon as one is free. It returns false if ctx ends first.
func (q *quota) wait(ctx context.Context, p peer) bool {
	for {
		q.mu.Lock()
		left := q.left
		q.mu.Unlock()
		if q.take(p) {
			return true
		}
		select {
		case <-left:
		case <-ctx.Done():
			return false
		}
	}
}

func (q *quota) leave(p peer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken--
	if q.by[p]--; q.by[p] == 0 {
		delete(q.by, p)
	}
	close(q.left)
	q.left = make(chan struct{})
}

// listener limits accepted connections. At a limit it closes the connection that has been idle
// longest: one of the same client if that client is at its limit, else one of the client with the
// most connections. If no connection is idle, the new one is closed.
type listener struct {
	net.Listener
	all, each int

	mu    sync.Mutex
	clock int64 // event counter, used as time
	open  map[*accepted]struct{}
}

// accepted is a connection that releases its slot when it is closed.
type accepted struct {
	net.Conn
	from      peer
	list      *listener
	idleSince int64 // when it became idle, by the listener's clock; 0: not idle
}

func newListener(l net.Listener, all, each int) *listener {
	return &listener{Listener: l, all: all, each: each, open: map[*accepted]struct{}{}}
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &accepted{Conn: conn, from: peerOf(conn.RemoteAddr().String()), list: l}
		evicted, ok := l.admit(c)
		if evicted != nil {
			_ = evicted.Conn.Close()
		}
		if ok {
			return c, nil
		}
		_ = conn.Close()
	}
}

// admit takes a slot for a connection. It may evict another connection, which the caller must
// close.
func (l *listener) admit(c *accepted) (evicted *accepted, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := map[peer]int{}
	for other := range l.open {
		counts[other.from]++
	}
	tooMany := counts[c.from] >= l.each
	if tooMany || len(l.open) >= l.all {
		for other := range l.open {
			if other.idleSince == 0 || tooMany && other.from != c.from {
				continue
			}
			if evicted == nil || cmp.Or(cmp.Compare(counts[evicted.from], counts[other.from]), cmp.Compare(other.idleSince, evicted.idleSince)) < 0 {
				evicted = other
			}
		}
		if evicted == nil {
			return nil, false
		}
		delete(l.open, evicted)
	}
	l.open[c] = struct{}{}
	l.clock++
	c.idleSince = l.clock // no request has arrived yet
	return evicted, true
}

// setIdle records whether a connection waits for its next request.
func (l *listener) setIdle(c *accepted, idle bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.idleSince = 0
	if idle {
		l.clock++
		c.idleSince = l.clock
	}
}

func (c *accepted) Close() error {
	c.list.mu.Lock()
	delete(c.list.open, c)
	c.list.mu.Unlock()
	return c.Conn.Close()
}
