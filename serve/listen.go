package serve

import (
	"errors"
	"fmt"
	"net"
)

// PageAddress is what to type into a browser on this machine.
func PageAddress(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d/", tcp.Port)
	}
	return "http://" + a.String() + "/"
}

// ListenCause is why an address cannot be listened on, without the address.
func ListenCause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
