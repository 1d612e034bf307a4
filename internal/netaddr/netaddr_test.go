package netaddr

import (
	"net/netip"
	"strings"
	"testing"
)

func TestReachable(t *testing.T) {
	const everything = "lo/127.0.0.1 lo/::1 eth1/169.254.7.7 docker0/172.17.0.1 br-1f2e3d/172.18.0.1 virbr0/192.168.122.1 eth1/203.0.113.9 " +
		"wlan0/192.168.1.20 wlan0/fe80::1 wlan0/fd00::20 eth1/2001:db8::20 docker0/fd00:d0::1 br0/10.0.0.2 wlan0/192.168.1.20"
	for _, x := range []struct {
		all     string
		six     bool
		outward string
		want    string
	}{
		{everything, true, "192.168.1.20", "192.168.1.20 10.0.0.2 203.0.113.9 fd00::20 2001:db8::20"},
		{everything, true, "", "192.168.1.20 10.0.0.2 203.0.113.9 fd00::20 2001:db8::20"},
		{everything, false, "192.168.1.20", "192.168.1.20 10.0.0.2 203.0.113.9"},
		{everything, false, "172.18.0.1", "172.18.0.1 192.168.1.20 10.0.0.2 203.0.113.9"}, // this machine is a container or virtual machine
		{"lo/127.0.0.1 eth0/169.254.7.7", true, "", "169.254.7.7"},                        // two machines connected by a cable
		{"docker0/172.17.0.1", true, "", "172.17.0.1"},
		{"lo/127.0.0.1 lo/::1", true, "", ""},
	} {
		var all []address
		for _, text := range strings.Fields(x.all) {
			iface, ip, _ := strings.Cut(text, "/")
			all = append(all, address{netip.MustParseAddr(ip), iface})
		}
		outward, _ := netip.ParseAddr(x.outward)
		var got []string
		for _, ip := range reachable(all, x.six, outward) {
			got = append(got, ip.String())
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%s, outward %s: %v, want %s", x.all, x.outward, got, x.want)
		}
	}
}
