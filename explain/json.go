package explain

import (
	"encoding/json"
	"math"

	"afterstate/board"
	"afterstate/stats"
	"afterstate/wire"
)

// MarshalJSON returns the object of [Reasons.Wire].
func (r Reasons) MarshalJSON() ([]byte, error) { return json.Marshal(r.Wire()) }

// Wire returns the reasons as a protocol message.
func (r *Reasons) Wire() wire.Reasons {
	why := wire.RolloutReasons{
		Rollouts: r.Rollouts, RolloutLimits: r.RolloutLimits, Horizon: Horizon, ReachHorizon: r.ReachHorizon, NextTile: r.NextTile,
		Moves: map[board.Direction]wire.MoveReasons{}, Line: []wire.LineStep{},
	}
	for _, d := range board.Directions {
		if !r.Decision.Moves[d].Legal {
			continue
		}
		m := wire.MoveReasons{Reach: r.share(r.Reach(d)), GameOver: r.share(r.GameOver(d))}
		for _, p := range r.Moves[d].Terms {
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
	if r.Rollouts == 0 {
		share = math.NaN()
	}
	return wire.Share{Share: stats.Figure(share), CI: ci}
}
