package explain

import (
	"encoding/json"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// MarshalJSON returns the object of [Reasons.Wire].
func (r Reasons) MarshalJSON() ([]byte, error) { return json.Marshal(r.Wire()) }

// Wire returns the reasons as a protocol message.
func (r *Reasons) Wire() protocol.Reasons {
	why := protocol.RolloutReasons{
		Rollouts: r.Rollouts.Games, RolloutLimits: r.RolloutLimits, Horizon: Horizon, ReachHorizon: r.Rollouts.Horizon, NextTile: r.NextTile,
		Moves: map[board.Direction]protocol.MoveReasons{}, Line: []protocol.LineStep{},
	}
	for _, d := range r.Decision.Board.Legal() {
		m := protocol.MoveReasons{Reach: asShare(r.Reach(d)), GameOver: asShare(r.Rollouts.SoonOver(d))}
		for _, p := range r.Terms[d] {
			m.Terms = append(m.Terms, protocol.Term(p))
		}
		why.Moves[d] = m
	}
	for _, s := range r.Line {
		why.Line = append(why.Line, protocol.LineStep(s))
	}
	return protocol.Reasons{Decision: r.Decision.Wire(), Why: why}
}

func asShare(share float64, ci stats.Interval) protocol.Share {
	return protocol.Share{Share: stats.Figure(share), CI: ci}
}
