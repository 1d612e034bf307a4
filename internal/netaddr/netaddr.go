// Package netaddr finds the addresses at which other machines can reach this one.
package netaddr

import (
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Addresses returns the addresses at which other machines can reach a server that listens on ip,
// the most useful first. There are none if ip is a loopback address. If ip is unspecified (0.0.0.0 or
// ::), the server listens on all interfaces, and Addresses considers all their addresses.
func Addresses(ip net.IP) []netip.Addr {
	single, _ := netip.AddrFromSlice(ip)
	switch {
	case ip.IsLoopback():
		return nil
	case !ip.IsUnspecified():
		return []netip.Addr{single.Unmap()}
	}
	return reachable(localAddresses(), ip.To4() == nil, outward())
}

// address is an address of this machine, with the name of its interface.
type address struct {
	netip.Addr
	iface string // name of its interface
}

// localAddresses returns the addresses of this machine, or none if the system does not list them.
func localAddresses() (all []address) {
	interfaces, _ := net.Interfaces()
	for _, i := range interfaces {
		addresses, _ := i.Addrs()
		for _, a := range addresses {
			if prefix, err := netip.ParsePrefix(a.String()); err == nil && i.Flags&net.FlagUp != 0 {
				all = append(all, address{prefix.Addr().Unmap(), i.Name})
			}
		}
	}
	return all
}

// virtual lists name prefixes of interfaces between this machine and its containers or virtual
// machines. A bridge to a real network is usually named br0.
var virtual = []string{"docker", "br-", "veth", "virbr", "lxcbr", "lxdbr", "incusbr", "podman", "cni", "flannel", "cali", "kube", "vmnet", "vboxnet", "vEthernet", "bridge10"}

// reachable selects the addresses of this machine that other machines can use, the most useful first:
// IPv4 before IPv6; in each family, the address given as outward, then addresses of private networks,
// then the others. It omits IPv6 addresses if six is false. Other machines can rarely use link-local addresses,
// whose networks have no routers and whose IPv6 form needs a zone, or the addresses of virtual
// interfaces. So reachable omits link-local IPv6 addresses, and returns link-local IPv4 addresses
// and addresses of virtual interfaces only if there are no others.
func reachable(all []address, six bool, outward netip.Addr) (list []netip.Addr) {
	var last []netip.Addr
	for _, a := range all {
		ip := a.Addr
		if ip.IsLoopback() || ip.IsUnspecified() || ip.Is6() && (!six || ip.IsLinkLocalUnicast()) || slices.Contains(list, ip) {
			continue
		}
		isVirtual := slices.ContainsFunc(virtual, func(name string) bool { return strings.HasPrefix(a.iface, name) })
		if ip != outward && (isVirtual || ip.IsLinkLocalUnicast()) {
			last = append(last, ip)
		} else {
			list = append(list, ip)
		}
	}
	if len(list) == 0 {
		list = last
	}
	rank := func(ip netip.Addr) int {
		r := 2
		switch {
		case ip == outward:
			r = 0
		case ip.IsPrivate():
			r = 1
		}
		if ip.Is6() {
			r += 4
		}
		return r
	}
	slices.SortStableFunc(list, func(a, b netip.Addr) int { return rank(a) - rank(b) })
	return list
}

// outward returns the IPv4 source address that this machine uses for other networks, or the zero Addr if
// it has no such address. Connecting a UDP socket makes the system choose the address; no packet is sent.
func outward() netip.Addr {
	conn, err := net.Dial("udp4", "203.0.113.1:9") // reserved for documentation (RFC 5737), so no network uses it
	if err != nil {
		return netip.Addr{}
	}
	defer conn.Close()
	local, _ := netip.ParseAddrPort(conn.LocalAddr().String())
	return local.Addr()
}
