package arena

import (
	"cmp"
	"encoding/json"
	"math"
	"math/bits"
	"slices"
	"time"

	"afterstate/board"
	"afterstate/game"
	"afterstate/stats"
	"afterstate/wire"
)

// Report is the statistics of an experiment. Its JSON is a [wire.Report]; package arena/report
// writes it as text, HTML and Markdown.
type Report struct {
	Name string
	Setup
	Games    int     // asked of each player
	Finished *int    // games of all players together; nil when all are
	Optimal  float64 // expected score of optimal play from the starts; 0: moves were not judged
	Players  []Summary
}

// Summary is the statistics of one player. Where there are no games, means and
// rates are NaN. Its JSON is a [wire.Summary].
type Summary struct {
	Player         string
	Spec           string // "" if Player is the spec
	Identity       string // see the function Identity; "" if unknown
	Games          int    // finished
	MeanScore      float64
	MeanCI         stats.Interval
	MedianScore    float64
	BestScore      int64
	Reached        []TileShare // the same tiles for every player, ascending
	Highest        []TileShare // games that ended with the tile as their highest
	Alive          []SumShare  // games that reached a sum of tiles; nil where sums are not known
	Goal           Rate        // games that reached the experiment's goal
	Moves          int64
	Elapsed        time.Duration // of all games together
	MovesPerSecond float64
	MSPerMove      float64
	Foresees       bool
	TimeLimited    bool
	Forfeits       []ForfeitCount // by reason, the most frequent one first
	Damaged        int            // games that are damaged and not counted
	Regret         *RegretSummary // nil if moves were not judged
}

// ForfeitCount is the number of games that a player forfeited for one reason.
type ForfeitCount = wire.ForfeitCount

// Forfeited is the number of games that the player lost by forfeit.
func (s *Summary) Forfeited() (games int) {
	for _, f := range s.Forfeits {
		games += f.Games
	}
	return games
}

// Rate is the share of games that have a property.
type Rate struct {
	Games int
	Share float64
	CI    stats.Interval
}

func (r Rate) wire() wire.Share { return wire.Share{Share: stats.OrNull(r.Share), CI: interval(r.CI)} }

// TileShare is the share of games by tile.
type TileShare struct {
	Exponent uint8
	Rate
}

// SumShare is the share of games whose tiles reached a sum, which is how far a game came
// whatever its tiles.
type SumShare struct {
	Sum int64
	Rate
}

// Report computes the statistics. Intervals of games from start boards account for games
// of one parent being correlated ([stats.Clustered]).
//
// Summary.Reached lists the tiles from the largest one that every game of every player reached up
// to the largest one that any game reached, and always 2048. If games stop at a tile it lists that
// tile always and none above it, since such games cannot show them.
//
// Summary.Highest lists all tiles from the lowest to the highest of all games.
func (r *Results) Report() *Report {
	report := &Report{Name: r.Name, Setup: r.Setup, Games: r.Games, Optimal: r.Optimal}
	if finished, of := r.Finished(); finished < of {
		report.Finished = &finished
	}
	low, high := r.tileRange()
	reached := r.reachedTiles(low, high)
	sums := r.sums()
	stages := stagesOf(sums, r.stageLimit())
	for i, p := range r.Players {
		s := summarize(p, reached, low, high)
		s.Regret = regretSummary(p.Games, r.Optimal)
		if sums != nil {
			s.Alive = alive(p.Games, sums[i], stages)
		}
		report.Players = append(report.Players, s)
	}
	return report
}

// tileRange is the lowest and the highest of the games' largest tiles; low > high if there are no
// games.
func (r *Results) tileRange() (low, high uint8) {
	low = math.MaxUint8
	for _, p := range r.Players {
		for _, g := range p.Games {
			low, high = min(low, g.Largest), max(high, g.Largest)
		}
	}
	return low, high
}

// reachedTiles are the exponents of Summary.Reached; see Report.
func (r *Results) reachedTiles(low, high uint8) []uint8 {
	until := uint8(bits.TrailingZeros64(uint64(r.Until())))
	var tiles []uint8
	for e := int(low); e <= int(high); e++ {
		tiles = append(tiles, uint8(e))
	}
	tiles = append(tiles, game.WinExponent)
	if r.Until() > 0 {
		tiles = append(tiles, until)
		tiles = slices.DeleteFunc(tiles, func(e uint8) bool { return e > until })
	}
	slices.Sort(tiles)
	return slices.Compact(tiles)
}

func summarize(p PlayerResults, reached []uint8, low, high uint8) Summary {
	s := Summary{Player: p.Name, Spec: p.Spec, Identity: p.Identity, Games: len(p.Games), Foresees: p.Foresees, TimeLimited: p.TimeLimited, Damaged: p.Damaged}
	scores := make([]float64, len(p.Games))
	for i, g := range p.Games {
		scores[i] = float64(g.Score)
		s.BestScore = max(s.BestScore, g.Score)
		s.Moves += int64(g.Moves)
		s.Elapsed = AddTimes(s.Elapsed, g.Elapsed)
		s.forfeit(&g)
	}
	slices.SortStableFunc(s.Forfeits, func(a, b ForfeitCount) int { return cmp.Compare(b.Games, a.Games) })
	s.MeanScore, s.MeanCI = meanOf(p.Games, scores)
	s.MedianScore = stats.Median(scores)
	s.MovesPerSecond = stats.Ratio(float64(s.Moves), s.Elapsed.Seconds())
	s.MSPerMove = stats.Ratio(milliseconds(s.Elapsed), float64(s.Moves))
	if s.Elapsed == 0 {
		s.MSPerMove = math.NaN() // imported games may have no times
	}

	for _, e := range reached {
		s.Reached = append(s.Reached, TileShare{e, rate(p.Games, func(i int) bool { return p.Games[i].Largest >= e })})
	}
	for e := int(low); e <= int(high); e++ {
		s.Highest = append(s.Highest, TileShare{uint8(e), rate(p.Games, func(i int) bool { return int(p.Games[i].Largest) == e })})
	}
	s.Goal = rate(p.Games, func(i int) bool { return p.Games[i].Goal })
	return s
}

// forfeit counts a game if it was forfeited.
func (s *Summary) forfeit(g *Game) {
	if g.Forfeit.Reason == "" {
		return
	}
	same := func(f ForfeitCount) bool { return f.Reason == g.Forfeit.Reason }
	i := slices.IndexFunc(s.Forfeits, same)
	if i < 0 {
		i = len(s.Forfeits)
		s.Forfeits = append(s.Forfeits, ForfeitCount{Reason: g.Forfeit.Reason, First: g.Index, Detail: g.Forfeit.Detail})
	}
	s.Forfeits[i].Games++
}

// MarshalJSON writes the object of [Report.Wire].
func (r Report) MarshalJSON() ([]byte, error) { return json.Marshal(r.Wire()) }

// Wire converts the report to its protocol form.
func (r *Report) Wire() *wire.Report {
	out := &wire.Report{Name: r.Name, Spawn: r.Spawn, Size: r.Size, Seed: r.Seed, Games: r.Games, Until: r.Until(), Goal: r.GoalText(), Starts: r.Starts.Len(), Finished: r.Finished}
	if r.Optimal != 0 {
		out.Optimal = &r.Optimal
	}
	for _, s := range r.Players {
		w := s.Wire()
		if r.Goal {
			reached := s.Goal.wire()
			w.Goal = &reached
		}
		out.Players = append(out.Players, w)
	}
	return out
}

// MarshalJSON writes the object of [Summary.Wire].
func (s Summary) MarshalJSON() ([]byte, error) { return json.Marshal(s.Wire()) }

// Wire converts the summary to its protocol form.
func (s *Summary) Wire() wire.Summary {
	out := wire.Summary{
		Player: s.Player, Spec: s.Spec, Games: s.Games, Moves: s.Moves,
		MeanScore: stats.OrNull(s.MeanScore), MeanCI: interval(s.MeanCI), MedianScore: stats.OrNull(s.MedianScore),
		MovesPerSecond: stats.OrNull(s.MovesPerSecond), MSPerMove: stats.OrNull(s.MSPerMove),
		Foresees: s.Foresees, TimeLimited: s.TimeLimited, Damaged: s.Damaged, Regret: s.Regret.wire(),
	}
	if s.Games > 0 {
		out.BestScore = &s.BestScore
	}
	if len(s.Forfeits) > 0 {
		out.Forfeits = &wire.Forfeits{Games: s.Forfeited(), Reasons: s.Forfeits}
	}
	for _, t := range s.Reached {
		out.Reached = append(out.Reached, wire.TileValue[wire.Share]{Tile: board.Tile(t.Exponent), Value: t.wire()})
	}
	for _, a := range s.Alive {
		out.Alive = append(out.Alive, wire.TileValue[wire.Share]{Tile: a.Sum, Value: a.wire()})
	}
	return out
}

func interval(i stats.Interval) *wire.Interval95 { return (*wire.Interval95)(i.OrNull()) }
