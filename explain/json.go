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
		m := wire.MoveReasons{Reach: asShare(r.Reach(d)), GameOver: asShare(r.Rollouts.SoonOver(d))}
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

func asShare(share float64, ci stats.Interval) wire.Share {
	return wire.Share{Share: stats.Figure(share), CI: ci}
}
