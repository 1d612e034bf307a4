package serve

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"github.com/afterstate2048/afterstate/internal/netaddr"
	"github.com/afterstate2048/afterstate/internal/qrcode"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Addresses returns the URLs of the page: own is for a browser on this machine, others are for other devices,
// the most useful first. If the server listens on loopback, there are no others. If it listens on a single
// address that is not loopback, own and others both contain that address.
func Addresses(listening net.Addr) (own string, others []string) {
	tcp, ok := listening.(*net.TCPAddr)
	switch {
	case !ok || tcp.IP.IsLoopback():
		return pageURL(listening.String()), nil
	case !tcp.IP.IsUnspecified():
		own = pageURL(listening.String())
		return own, []string{own}
	}
	own = pageURL(net.JoinHostPort("localhost", strconv.Itoa(tcp.Port)))
	for _, ip := range netaddr.Addresses(tcp.IP) {
		others = append(others, pageURL(netip.AddrPortFrom(ip, uint16(tcp.Port)).String()))
	}
	return own, others
}

// BeyondLoopback reports whether other machines may be able to reach a listener's address, now or
// once a network interface comes up.
func BeyondLoopback(listening net.Addr) bool {
	tcp, ok := listening.(*net.TCPAddr)
	return !ok || !tcp.IP.IsLoopback()
}

func pageURL(hostport string) string { return "http://" + hostport + "/" }

// WithToken returns the URL of the page with the token as its query, or the unchanged URL if the
// token is empty.
func WithToken(url, token string) string {
	if token == "" {
		return url
	}
	return url + "?token=" + token
}

// links returns up to three addresses of the page for other devices, with a fragment. If other devices can reach the
// address from which the client loaded the page, it returns that address; otherwise it returns those on which this
// server listens. The addresses contain the token if the server requires one; a client that gets here knows it.
func (s *Server) links(origin, fragment string) (all []protocol.WatchLink) {
	var pages []string
	at, _ := s.at.Load().(net.Addr)
	if u, err := url.Parse(origin); err == nil && (u.Scheme == "http" || u.Scheme == "https") && s.known(u.Host) && !loopbackHost(hostOf(u.Host)) {
		pages = []string{u.Scheme + "://" + u.Host + "/"}
	} else if at != nil {
		_, pages = Addresses(at)
	}
	const maximum = 3
	for _, page := range pages[:min(maximum, len(pages))] {
		address := WithToken(page, s.o.Token) + "#" + fragment
		if rows, err := qrcode.Rows(address); err == nil {
			all = append(all, protocol.WatchLink{Address: address, QR: rows})
		}
	}
	return all
}

// ListenCause returns the cause of a failure to listen, without the address.
func ListenCause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// Warm makes a player decide once, so that its network is loaded before the first request. It stops after
// limit, not counting the time for loading, and ignores errors.
func Warm(ctx context.Context, maker catalog.Maker, limit time.Duration) {
	ctx, cancel := player.WithLimit(ctx, limit)
	defer cancel()
	d := player.Driver{Player: maker.New()}
	defer d.Close()
	b, _ := board.Parse("2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0")
	_, _ = d.Ask(ctx, search.NewQuery(b, 0)) // later requests report the error
}
