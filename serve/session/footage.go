package session

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/exchange/footage"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/record"
)

// readFootage finds the games in a screen recording, given the boards that the client has read from
// its frames.
func (*Client) readFootage(ctx context.Context, p *protocol.ReadFootage) (any, error) {
	now := int64(0)
	for i := range p.Frames {
		f := &p.Frames[i]
		if f.FromMS < now || f.ToMS < f.FromMS || f.ToMS > record.MaxTime {
			return nil, invalid("frames", fmt.Errorf("frame %d lasts from %d to %d ms: must begin at %d or later, not end before it begins, and end by %d", i+1, f.FromMS, f.ToMS, now, int64(record.MaxTime)))
		}
		now = f.ToMS
		for _, cell := range f.Doubts {
			if n := f.Board.Size().Cells(); cell < 0 || cell >= n {
				return nil, invalid("frames", fmt.Errorf("frame %d: uncertain cell %d: must be from 0 to %d", i+1, cell, n-1))
			}
		}
		if f.Board.Size().Cells() == 0 {
			return nil, invalid("frames", fmt.Errorf("frame %d has no board", i+1))
		}
	}
	games, err := footage.Read(ctx, p.Frames)
	if err != nil {
		return nil, err
	}
	out := protocol.FootageGames{Parts: []protocol.FootagePart{}, Gaps: append([]protocol.TimeSpan{}, games.Gaps...), Used: games.Used}
	for i := range games.Parts {
		part := &games.Parts[i]
		line, err := part.Record.MarshalJSON()
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, protocol.FootagePart{
			TimeSpan: part.TimeSpan, Record: string(line),
			Moves: len(part.Record.Moves), Score: part.Record.Score,
		})
	}
	return out, nil
}
