// Package reach finds the addresses at which other machines reach this one.
package reach

import (
	"net"
	"net/netip"
	"slices"
)

// Addresses returns the addresses of a server that listens on ip, for other machines, the most useful
// first: none for a loopback address, those of all interfaces for an unspecified one.
func Addresses(ip net.IP) []netip.Addr {
	single, _ := netip.AddrFromSlice(ip)
	switch {
	case ip.IsLoopback():
		return nil
	case !ip.IsUnspecified():
		return []netip.Addr{single.Unmap()}
	}
	found, _ := net.InterfaceAddrs() // without them this machine can use its own
	var ips []netip.Addr
	for _, a := range found {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil {
			ips = append(ips, prefix.Addr().Unmap())
		}
	}
	return reachable(ips, ip.To4() == nil, outward())
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
