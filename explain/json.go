package explain

import (
	"encoding/json"

	"afterstate/board"
	"afterstate/stats"
	"afterstate/wire"
)

// MarshalJSON returns the object of [Reasons.Wire].
func (r Reasons) MarshalJSON() ([]byte, error) { return json.Marshal(r.Wire()) }

// Wire returns the reasons as a protocol message.
func (r *Reasons) Wire() wire.Reasons {
	why := wire.RolloutReasons{
		Rollouts: r.Rollouts.Games, RolloutLimits: r.RolloutLimits, Horizon: Horizon, ReachHorizon: r.Rollouts.Horizon, NextTile: r.NextTile,
		Moves: map[board.Direction]wire.MoveReasons{}, Line: []wire.LineStep{},
	}
	for _, d := range r.Decision.Board.Legal() {
		m := wire.MoveReasons{Reach: r.share(r.Reach(d)), GameOver: r.share(r.Rollouts.SoonOver(d))}
		for _, p := range r.Terms[d] {
			m.Terms = append(m.Terms, wire.Term(p))
		}
		why.Moves[d] = m
	}
	for _, s := range r.Line {
		why.Line = append(why.Line, wire.LineStep(s))
	}
	return wire.Reasons{Decision: r.Decision.Wire(), Why: why}
}

func (r *Reasons) share(share float64, ci stats.Interval) wire.Share {
	s := wire.Share{CI: (*wire.Interval95)(ci.OrNull())}
	if r.Rollouts.Games > 0 {
		s.Share = &share
	}
	return s
}
