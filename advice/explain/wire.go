package explain

import (
	"encoding/json"
	"math"

	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// MarshalJSON encodes the message that [Reasons.Wire] returns.
func (r Reasons) MarshalJSON() ([]byte, error) { return json.Marshal(r.Wire()) }

// Wire returns the reasons as a protocol message.
func (r *Reasons) Wire() protocol.Reasons {
	o := &r.Odds
	why := protocol.Why{
		PlayedBy: o.PlayedBy, Games: o.Games, WholeGames: o.Whole, Soon: Horizon, Horizon: o.Horizon,
		Tiles: []int64{}, Moves: map[board.Direction]protocol.MoveReasons{},
	}
	for _, e := range o.Requested {
		why.Tiles = append(why.Tiles, board.Tile(e))
	}
	for _, d := range r.Decision.Board.Legal() {
		why.Moves[d] = r.move(d)
	}
	if v, ok := r.Verdict(); ok {
		why.Verdict = verdict(&v)
	}
	return protocol.Reasons{Decision: r.Decision.Wire(), Why: why}
}

func (r *Reasons) move(d board.Direction) protocol.MoveReasons {
	played := &r.Odds.Moves[d]
	m := protocol.MoveReasons{
		GameOver: share(r.Odds.SoonOver(d)), Tiles: protocol.ByTile[protocol.TileChance]{},
		Score: mean(&played.Score), Length: mean(&played.Length), Exact: r.exact(d),
	}
	for _, e := range r.Odds.Tiles {
		chance, ci, games := r.Odds.Chance(d, e)
		if games == 0 {
			chance = math.NaN()
		}
		t := protocol.TileChance{Share: share(chance, ci), Games: games}
		m.Tiles = append(m.Tiles, protocol.TileValue[protocol.TileChance]{Tile: board.Tile(e), Value: t})
	}
	for _, p := range r.Terms[d] {
		m.Terms = append(m.Terms, protocol.Term(p))
	}
	return m
}

// exact returns the exact values of a move, or nil if none is known.
func (r *Reasons) exact(d board.Direction) *protocol.ExactValues {
	scores, known := r.Scores()
	if !known && len(r.Chances) == 0 {
		return nil
	}
	x := &protocol.ExactValues{Chances: protocol.ByTile[float64]{}}
	if known {
		x.Score = &scores[d]
	}
	for _, g := range r.Chances {
		n := len(x.Chances) // if several endings have the same goal, the first one counts
		if v := g.Moves[d].Value; !math.IsNaN(v) && (n == 0 || x.Chances[n-1].Tile != g.Tile) {
			x.Chances = append(x.Chances, protocol.TileValue[float64]{Tile: g.Tile, Value: v})
		}
	}
	return x
}

func share(x float64, ci stats.Interval) protocol.Share {
	return protocol.Share{Share: stats.Figure(x), CI: ci}
}

func mean(e *odds.Estimate) protocol.MeanOfGames {
	if e.N == 0 {
		return protocol.MeanOfGames{Mean: stats.Figure(math.NaN()), CI: stats.Unknown}
	}
	return protocol.MeanOfGames{Mean: stats.Figure(e.Mean), CI: e.Interval()}
}

func verdict(v *odds.Verdict) *protocol.Verdict {
	unknown := protocol.PairedDifference{Difference: stats.Figure(math.NaN()), CI: stats.Unknown}
	out := &protocol.Verdict{Advice: v.Advice, Games: v.Games, Trusted: v.Trusted, Chance: unknown, Score: unknown}
	if !v.Agree() {
		score := mean(&v.Difference.Score)
		out.Chance = protocol.PairedDifference{Difference: stats.Figure(v.Difference.Chance), CI: v.Difference.ChanceCI}
		out.Score = protocol.PairedDifference{Difference: score.Mean, CI: score.CI}
	}
	return out
}
