package reach

import (
	"net/netip"
	"strings"
	"testing"
)

func TestReachable(t *testing.T) {
	var ips []netip.Addr
	for _, ip := range strings.Fields("127.0.0.1 ::1 169.254.7.7 172.17.0.1 203.0.113.9 192.168.1.20 fe80::1 fd00::20 2001:db8::20 192.168.1.20") {
		ips = append(ips, netip.MustParseAddr(ip))
	}
	outward := netip.MustParseAddr("192.168.1.20")
	for _, x := range []struct {
		six     bool
		outward netip.Addr
		want    string
	}{
		{true, outward, "192.168.1.20 172.17.0.1 203.0.113.9 169.254.7.7 fd00::20 2001:db8::20"},
		{true, netip.Addr{}, "172.17.0.1 192.168.1.20 203.0.113.9 169.254.7.7 fd00::20 2001:db8::20"},
		{false, outward, "192.168.1.20 172.17.0.1 203.0.113.9 169.254.7.7"},
	} {
		var got []string
		for _, ip := range reachable(ips, x.six, x.outward) {
			got = append(got, ip.String())
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%v, want %s", got, x.want)
		}
	}
}
