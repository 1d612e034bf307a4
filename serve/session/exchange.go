package session

import (
	"bytes"
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/record"
)

// readReview finds a game in a file of any format. It reads the whole file, so that an error in a
// later game is reported too.
func (c *Client) readReview(ctx context.Context, p *protocol.ReadGames) (any, error) {
	format := formats.Detect(p.Data)
	var chosen *formats.AnnotatedRecord
	games := 0
	for g, err := range formats.Read(bytes.NewReader(p.Data), format) {
		if err != nil {
			return nil, invalid("data", err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if games == p.Game {
			chosen = g
		}
		games++
	}
	if chosen == nil {
		return nil, invalid("game", fmt.Errorf("%d: the file has %d games, counted from 0", p.Game, games))
	}
	var line bytes.Buffer
	if err := record.Write(&line, chosen.Record); err != nil {
		return nil, err
	}
	if line.Len() > protocol.MaxRecord {
		return nil, invalid("data", fmt.Errorf("the record of game %d, of %d moves, has %d bytes: want at most %d here; afterstate review FILE takes longer ones", p.Game, len(chosen.Moves), line.Len(), protocol.MaxRecord))
	}
	var dropped, lost formats.Losses
	dropped.Add(chosen.Beyond(formats.Named("records").Holds))
	lost.Add(chosen.Lost)
	return protocol.FileGame{
		Format: format.Name, Games: games, Record: string(bytes.TrimSpace(line.Bytes())),
		Player: chosen.Player, Score: chosen.Score, Moves: len(chosen.Moves), Lost: append(append([]string{}, dropped.List()...), lost.List()...), // not null
	}, nil
}
