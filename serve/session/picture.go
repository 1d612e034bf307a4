package session

import (
	"context"
	"errors"

	"github.com/afterstate2048/afterstate/exchange/picture"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// readPicture reads the board of a screenshot. One is decoded at a time, as it may take picture.MaxMemory.
func (c *Client) readPicture(ctx context.Context, p *protocol.ReadPicture) (any, error) {
	var r picture.Reading
	var err error
	if err = c.host.pictures.Enter(ctx); err == nil {
		defer c.host.pictures.Leave()
		if p.Size == (board.Size{}) {
			r, err = picture.Parse(ctx, p.Data)
		} else {
			r, err = picture.ParseIn(ctx, p.Data, p.Size, picture.Frame(p.PictureFrame))
		}
	}
	switch {
	case err != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return nil, refusef(protocol.CodeTime, "the picture was not read within %v: want a smaller one, or try again later", c.host.o.SearchTime)
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, invalid("data", err)
	}
	return protocol.PictureBoard{Board: r.Board, Text: r.Board.String(), Doubts: append([]int{}, r.Doubts()...), Grid: r.Grid, Frame: protocol.PictureFrame(r.Frame)}, nil
}
