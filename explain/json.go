package explain

import (
	"encoding/json"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/stats"
)

type jsonChance struct {
	Share *float64       `json:"share"`
	CI    stats.Interval `json:"ci95"`
}

type jsonMove struct {
	Reach jsonChance  `json:"reach"`
	Dead  jsonChance  `json:"dead"`
	Terms []eval.Part `json:"terms"`
}

type jsonStep struct {
	Move  board.Direction `json:"move"`
	Board board.Board     `json:"board"`
}

// MarshalJSON writes the decision's object with one more key, why: rollouts (from
// each move), rollouts_limited_to, horizon_moves, next_tile, moves (reach and dead as shares with
// intervals, and terms), and line.
func (r Reasons) MarshalJSON() ([]byte, error) {
	decision, err := json.Marshal(r.Decision)
	if err != nil {
		return nil, err
	}
	why := struct {
		Rollouts int                          `json:"rollouts"`
		Rollers  string                       `json:"rollouts_limited_to"`
		Horizon  int                          `json:"horizon_moves"`
		NextTile int64                        `json:"next_tile"`
		Moves    map[board.Direction]jsonMove `json:"moves"`
		Line     []jsonStep                   `json:"line"`
	}{r.Rollouts, r.Rollers, Horizon, r.NextTile, map[board.Direction]jsonMove{}, []jsonStep{}}
	for _, d := range board.Directions {
		if !r.Decision.Moves[d].Legal {
			continue
		}
		m := jsonMove{Terms: r.Moves[d].Parts}
		m.Reach = r.jsonChance(r.Reach(d))
		m.Dead = r.jsonChance(r.Death(d))
		why.Moves[d] = m
	}
	for _, s := range r.Line {
		why.Line = append(why.Line, jsonStep(s))
	}
	rest, err := json.Marshal(why)
	if err != nil {
		return nil, err
	}
	out := append(decision[:len(decision)-1], `,"why":`...)
	return append(append(out, rest...), '}'), nil
}

func (r *Reasons) jsonChance(share float64, ci stats.Interval) jsonChance {
	if r.Rollouts == 0 {
		return jsonChance{CI: ci}
	}
	return jsonChance{&share, ci}
}
