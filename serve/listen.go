package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"afterstate/board"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/search"
)

// PageAddress returns the URL of the page for a browser on this machine.
func PageAddress(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d/", tcp.Port)
	}
	return "http://" + a.String() + "/"
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
