package arena

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Statistics summarizes the games of an experiment; package experiment/report writes it as text, HTML and Markdown.
type Statistics struct {
	protocol.Statistics
	Stop game.Stop `json:"-"` // ends games
}

// The statistics of players are those of the protocol.
type (
	PlayerStatistics = protocol.PlayerStatistics
	ForfeitCount     = protocol.ForfeitCount
	TileShare        = protocol.TileValue[protocol.Share]
)

// Statistics computes the statistics. Intervals of games from start boards account for games
// of one parent being correlated ([stats.Clustered]).
//
// PlayerStatistics.Reached lists the tiles from the largest one that every game of every player reached up
// to the largest one that any game reached, and always 2048. If games stop at a tile it lists that
// tile always and none above it, since such games cannot show them.
//
// PlayerStatistics.Highest lists all tiles from the lowest to the highest of all games.
func (r *Results) Statistics() *Statistics {
	report := &Statistics{Stop: r.Stop, Statistics: protocol.Statistics{
		Name: r.Name, Spawn: r.Spawn, Size: r.Size, Seed: r.Seed, Games: r.Games,
		Until: r.Until(), Goal: r.GoalText(), Starts: r.Starts.Len(), Optimal: r.Optimal,
	}}
	if finished, of := r.Finished(); finished < of {
		report.Finished = &finished
	}
	low, high := r.tileRange()
	reached := r.reachedTiles(low, high)
	sums := r.sums()
	stages := stagesOf(sums, r.stageLimit())
	for i, p := range r.Players {
		s := summarize(p, reached, low, high)
		s.Regret = regret(p.Games, r.Optimal)
		if sums != nil {
			s.Alive = alive(p.Games, sums[i], stages)
		}
		if r.Goal {
			goal := rate(p.Games, func(i int) bool { return p.Games[i].Goal })
			s.Goal = &goal
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

// reachedTiles are the exponents of PlayerStatistics.Reached; see Results.Report.
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

func summarize(p PlayerResults, reached []uint8, low, high uint8) PlayerStatistics {
	s := PlayerStatistics{
		Player: p.Name, Spec: p.Spec, Identity: p.Identity, Games: len(p.Games),
		Foresees: p.Foresees, TimeLimited: p.TimeLimited, Forfeits: p.forfeits(), Damaged: p.Damaged,
	}
	scores := make([]float64, len(p.Games))
	var best int64
	var elapsed time.Duration
	for i, g := range p.Games {
		scores[i] = float64(g.Score)
		best = max(best, g.Score)
		s.Moves += int64(g.Moves)
		elapsed = AddTimes(elapsed, g.Elapsed)
		s.BestScore = &best
	}
	s.MeanScore, s.MeanCI = meanOf(p.Games, scores)
	s.MedianScore = stats.Figure(stats.Median(scores))
	s.MovesPerSecond = stats.Figure(stats.Ratio(float64(s.Moves), elapsed.Seconds()))
	s.MSPerMove = stats.Figure(stats.Ratio(milliseconds(elapsed), float64(s.Moves)))
	if elapsed == 0 {
		s.MSPerMove = stats.Figure(math.NaN()) // imported games may have no times
	}

	for _, e := range reached {
		s.Reached = append(s.Reached, TileShare{Tile: board.Tile(e), Value: rate(p.Games, func(i int) bool { return p.Games[i].Largest >= e })})
	}
	for e := int(low); e <= int(high); e++ {
		s.Highest = append(s.Highest, TileShare{Tile: board.Tile(uint8(e)), Value: rate(p.Games, func(i int) bool { return int(p.Games[i].Largest) == e })})
	}
	return s
}

// forfeits are the games that the player lost by forfeit, nil if there are none.
func (p *PlayerResults) forfeits() *protocol.Forfeits {
	var all protocol.Forfeits
	for _, g := range p.Games {
		if g.Forfeit.Reason == "" {
			continue
		}
		i := slices.IndexFunc(all.Reasons, func(f ForfeitCount) bool { return f.Reason == g.Forfeit.Reason })
		if i < 0 {
			i = len(all.Reasons)
			all.Reasons = append(all.Reasons, ForfeitCount{Reason: g.Forfeit.Reason, First: g.Index, Detail: g.Forfeit.Detail})
		}
		all.Reasons[i].Games++
		all.Games++
	}
	if all.Games == 0 {
		return nil
	}
	slices.SortStableFunc(all.Reasons, func(a, b ForfeitCount) int { return cmp.Compare(b.Games, a.Games) })
	return &all
}
