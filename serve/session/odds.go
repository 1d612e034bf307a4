package session

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search"
)

// oddsTime is the default time of odds.
const oddsTime = time.Second

// milliseconds returns a param that is a time.
func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

func (s *Session) odds(ctx context.Context, p *protocol.FindOdds) (any, error) {
	m, err := s.maker(p.Player)
	if err != nil {
		return nil, err
	}
	o := odds.Options{Seed: p.Seed, Games: p.Games, Time: cmp.Or(milliseconds(p.TimeMS), oddsTime), Exact: p.Exact, Workers: s.Threads}
	if o.Tiles, err = odds.Exponents(p.Tiles); err != nil {
		return nil, invalid("tiles", err)
	}
	if err := s.makeRoom(m.Memory); err != nil {
		return nil, err
	}
	answer, err := odds.Ask(ctx, m, search.NewQuery(p.Board, p.Score), nil, o)
	// The limit of a search may end the games before time_ms does: those that were played count.
	timeUp := errors.Is(context.Cause(ctx), context.DeadlineExceeded) && answer.Odds != nil && answer.Odds.Games > 0
	if err != nil && !timeUp {
		return nil, err
	}
	return answer.Wire(), nil
}
