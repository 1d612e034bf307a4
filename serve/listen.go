package serve

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"afterstate/board"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/search"
)

// Addresses returns the URLs of the page: own for a browser on this machine, and those that other
// devices can use, the most useful first. A server that listens on loopback only has no others; one
// that listens on another single address has that one for everybody.
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
	found, _ := net.InterfaceAddrs() // without them this machine can use its own
	var ips []netip.Addr
	for _, a := range found {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil {
			ips = append(ips, prefix.Addr().Unmap())
		}
	}
	for _, ip := range reachable(ips, tcp.IP.To4() == nil, outward()) {
		others = append(others, pageURL(netip.AddrPortFrom(ip, uint16(tcp.Port)).String()))
	}
	return own, others
}

// BeyondLoopback reports whether a listener's address may be reached from other machines, now or
// when an interface comes up.
func BeyondLoopback(listening net.Addr) bool {
	tcp, ok := listening.(*net.TCPAddr)
	return !ok || !tcp.IP.IsLoopback()
}

func pageURL(hostport string) string { return "http://" + hostport + "/" }

// WithToken returns the URL of the page with a token, if there is one.
func WithToken(url, token string) string {
	if token == "" {
		return url
	}
	return url + "?token=" + token
}

// reachable selects the addresses of this machine that others can use, in the order of their use:
// IPv4 before IPv6, and in each the address that leads outward, private networks, the rest.
// Link-local IPv6 addresses are left out: their zone cannot be part of a URL in a browser.
func reachable(ips []netip.Addr, six bool, outward netip.Addr) (list []netip.Addr) {
	for _, ip := range ips {
		if ip.IsLoopback() || ip.IsUnspecified() || ip.Is6() && (!six || ip.IsLinkLocalUnicast()) || slices.Contains(list, ip) {
			continue
		}
		list = append(list, ip)
	}
	rank := func(ip netip.Addr) int {
		r := 2
		switch {
		case ip == outward:
			r = 0
		case ip.IsPrivate():
			r = 1
		case ip.IsLinkLocalUnicast():
			r = 3
		}
		if ip.Is6() {
			r += 4
		}
		return r
	}
	slices.SortStableFunc(list, func(a, b netip.Addr) int { return rank(a) - rank(b) })
	return list
}

// outward returns the IPv4 address that this machine would use toward other networks, the zero Addr
// without one. Bridges of containers and virtual machines have private addresses too, which other
// devices cannot reach. Connecting a UDP socket sends nothing.
func outward() netip.Addr {
	conn, err := net.Dial("udp4", "203.0.113.1:9") // an address for documentation (RFC 5737)
	if err != nil {
		return netip.Addr{}
	}
	defer conn.Close()
	local, _ := netip.ParseAddrPort(conn.LocalAddr().String())
	return local.Addr()
}

// ListenCause returns why listening on an address failed, without the address.
func ListenCause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// Warm makes a player decide once, so that its network is loaded before the first request. It
// stops after limit, in which loading does not count, and ignores errors.
func Warm(ctx context.Context, maker catalog.Maker, limit time.Duration) {
	ctx, cancel := player.WithLimit(ctx, limit)
	defer cancel()
	d := player.Driver{Player: maker.New()}
	defer d.Close()
	b, _ := board.Parse("2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0")
	_, _ = d.Ask(ctx, search.NewQuery(b, 0)) // later requests report the error
}
