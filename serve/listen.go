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

// Warm lets a player decide once, so that nobody waits for its network to be loaded.
func Warm(ctx context.Context, maker catalog.Maker, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	d := player.Driver{Player: maker.New()}
	defer d.Close()
	b, _ := board.Parse("2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0")
	_, _ = d.Ask(ctx, search.NewQuery(b, 0)) // who asks later is told what is wrong
}
