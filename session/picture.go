package session

import (
	"context"
	"errors"

	"afterstate/picture"
	"afterstate/wire"
)

// readPicture reads the board of a screenshot. One is decoded at a time, as a picture of 40
// megapixels takes hundreds of megabytes.
func (c *Client) readPicture(ctx context.Context, params []byte) (any, error) {
	var p wire.ReadPicture
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	select {
	case c.host.pictures <- struct{}{}:
		defer func() { <-c.host.pictures }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r, err := picture.Parse(ctx, p.Data)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, wire.Errorf(wire.CodeTime, "%s: the picture was not read within %v: want a smaller one", wire.MethodPicture, c.host.o.SearchTime)
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, invalid(wire.MethodPicture, "data", err)
	}
	return wire.PictureBoard{Board: r.Board, Text: r.Board.String(), Doubts: append([]int{}, r.Doubts()...), Grid: r.Grid}, nil
}
