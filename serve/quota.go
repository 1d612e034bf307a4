package serve

import (
	"net"
	"net/netip"
	"sync"
)

// peer is who asks, as far as limits go: an address, or for IPv6 the network of 64 bits
// that one customer usually has. The zero peer is everyone whose address is unknown.
type peer = netip.Prefix

// peerOf is the client of an address such as net.Conn and http.Request tell it.
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
	from, _ := ip.Prefix(bits) // the length fits
	return from
}

// quota limits how many places are taken by all clients together, and by each of them.
type quota struct {
	all, each int

	mu    sync.Mutex
	taken int
	by    map[peer]int
}

func newQuota(all, each int) *quota { return &quota{all: all, each: each, by: map[peer]int{}} }

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

func (q *quota) leave(p peer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken--
	if q.by[p]--; q.by[p] == 0 {
		delete(q.by, p)
	}
}

// listener accepts connections within limits. Where there is no place, it closes the
// connection that has been idle the longest: of the same client if that one has as many
// as it may, else of the client with the most connections. Without an idle connection
// the new one is closed.
type listener struct {
	net.Listener
	all, each int

	mu    sync.Mutex
	taken int
	clock int64 // counts events
	by    map[peer]map[*accepted]struct{}
}

// accepted is a connection that gives its place back when it is closed.
type accepted struct {
	net.Conn
	from      peer
	list      *listener
	idleSince int64 // when it began to wait for a request; 0: it does not wait
	gone      bool
}

func newListener(l net.Listener, all, each int) *listener {
	return &listener{Listener: l, all: all, each: each, by: map[peer]map[*accepted]struct{}{}}
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

// admit finds a place for a connection. It may take that of another one, which the caller
// then closes.
func (l *listener) admit(c *accepted) (evicted *accepted, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case len(l.by[c.from]) >= l.each:
		evicted = longestIdle(l.by[c.from])
	case l.taken >= l.all:
		evicted = l.longestIdleOfMost()
	default:
		l.add(c)
		return nil, true
	}
	if evicted == nil {
		return nil, false
	}
	l.remove(evicted)
	l.add(c)
	return evicted, true
}

func (l *listener) add(c *accepted) {
	if l.by[c.from] == nil {
		l.by[c.from] = map[*accepted]struct{}{}
	}
	l.by[c.from][c] = struct{}{}
	l.taken++
	l.clock++
	c.idleSince = l.clock // it has not asked for anything yet
}

func (l *listener) remove(c *accepted) {
	if c.gone {
		return
	}
	c.gone = true
	l.taken--
	if delete(l.by[c.from], c); len(l.by[c.from]) == 0 {
		delete(l.by, c.from)
	}
}

func longestIdle(all map[*accepted]struct{}) (found *accepted) {
	for c := range all {
		if c.idleSince > 0 && (found == nil || c.idleSince < found.idleSince) {
			found = c
		}
	}
	return found
}

// longestIdleOfMost is an idle connection of the client with the most connections of those
// that have an idle one.
func (l *listener) longestIdleOfMost() (found *accepted) {
	most := 0
	for _, all := range l.by {
		if len(all) <= most {
			continue
		}
		if c := longestIdle(all); c != nil {
			found, most = c, len(all)
		}
	}
	return found
}

// setIdle notes whether a connection waits for its next request.
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
	c.list.remove(c)
	c.list.mu.Unlock()
	return c.Conn.Close()
}
