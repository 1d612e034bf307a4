package arena

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Statistics summarizes the games of an experiment. Package experiment/report writes it in several formats.
type Statistics struct {
	protocol.Statistics
	Stop game.Stop `json:"-"` // the condition that ends games
}

// Short names for types of package protocol.
type (
	PlayerStatistics = protocol.PlayerStatistics
	ForfeitCount     = protocol.ForfeitCount
	TileShare        = protocol.TileValue[protocol.Share]
)

// Statistics computes the statistics of the games. For games from start boards, the intervals account for the
// correlation of games from boards of one parent ([stats.Clustered]).
//
// PlayerStatistics.Reached lists the tiles from the largest one that every game of every player reached up to
// the largest one that any game reached. It also contains 2048 if a board of this size can hold that tile. If
// games stop at a tile, it contains that tile and no larger one.
//
// PlayerStatistics.Highest lists the tiles from the smallest to the largest one with which a game of any
// player ended.
func (r *Results) Statistics() *Statistics {
	report := &Statistics{Stop: r.Stop, Statistics: protocol.Statistics{
		Name: r.Name, Spawn: r.Spawn, Size: r.Size, Seed: r.Seed, Games: r.Games,
		Until: r.Until(), Goal: r.GoalText(), Starts: r.Starts.Len(), Optimal: r.Optimal, Luck: r.Luck,
	}}
	if p := &r.Ending; p.Walls != "" {
		report.Optimal, report.Ending = 0, &protocol.RegretEnding{Goal: p.Goal, Walls: strings.Fields(p.Walls), FreeWalls: p.Free, Optimal: r.Optimal}
	}
	if finished, of := r.Finished(); finished < of {
		report.Finished = &finished
	}
	low, high := r.tileRange()
	reached := r.reachedTiles(low, high)
	unit := protocol.Points
	if report.Ending != nil {
		unit = protocol.Chance
	}
	for _, p := range r.Players {
		s := summarize(p, reached, low, high)
		s.Regret = regret(p.Games, r.Optimal, unit)
		if r.Goal {
			goal := rate(p.Games, func(i int) bool { return p.Games[i].Goal })
			s.Goal = &goal
		}
		report.Players = append(report.Players, s)
	}
	return report
}

// tileRange considers the largest tile of each game. It returns the exponents of the smallest and the largest
// of these tiles; low > high if there are no games.
func (r *Results) tileRange() (low, high uint8) {
	low = math.MaxUint8
	for _, p := range r.Players {
		for _, g := range p.Games {
			low, high = min(low, g.Largest), max(high, g.Largest)
		}
	}
	return low, high
}

// reachedTiles returns the exponents of the tiles in PlayerStatistics.Reached; see
// Results.Statistics.
func (r *Results) reachedTiles(low, high uint8) []uint8 {
	until := uint8(bits.TrailingZeros64(uint64(r.Until())))
	var tiles []uint8
	for e := int(low); e <= int(high); e++ {
		tiles = append(tiles, uint8(e))
	}
	if int(game.WinExponent) <= r.Size.Cells()+1 { // the largest possible tile is 2^(cells+1)
		tiles = append(tiles, game.WinExponent)
	}
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
		Foresees: p.Foresees, TimeLimited: p.TimeLimited, Forfeits: p.forfeits(),
	}
	scores := Scores(p.Games)
	var best int64
	var elapsed time.Duration
	for _, g := range p.Games {
		best = max(best, g.Score)
		s.Moves += int64(g.Moves)
		elapsed = AddTimes(elapsed, g.Elapsed)
		s.BestScore = &best
	}
	s.MeanScore, s.MeanCI = meanOf(p.Games, scores)
	s.MedianScore = stats.Figure(stats.Median(scores))
	s.MovesPerSecond = stats.Figure(stats.Ratio(float64(s.Moves), elapsed.Seconds()))
	s.MSPerMove = stats.Figure(stats.Ratio(milliseconds(elapsed), float64(s.Moves)))

	for _, e := range reached {
		s.Reached = append(s.Reached, TileShare{Tile: board.Tile(e), Value: rate(p.Games, func(i int) bool { return p.Games[i].Largest >= e })})
	}
	for e := int(low); e <= int(high); e++ {
		s.Highest = append(s.Highest, TileShare{Tile: board.Tile(uint8(e)), Value: rate(p.Games, func(i int) bool { return int(p.Games[i].Largest) == e })})
	}
	return s
}

// forfeits returns the numbers of games that the player forfeited, by reason; nil if there are none.
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

// rate returns the share of games that satisfy hit, with its interval: Wilson's, or a clustered one
// for games from start boards.
func rate(games []Outcome, hit func(i int) bool) (r protocol.Share) {
	all := make([]bool, len(games))
	for i := range games {
		if all[i] = hit(i); all[i] {
			r.Games++
		}
	}
	share, ci := stats.Ratio(float64(r.Games), float64(len(games))), stats.Wilson(r.Games, len(games))
	if clustered(games) {
		share, ci = stats.ClusteredShare(all, clusters(games))
	}
	return protocol.Share{Games: r.Games, Share: stats.Figure(share), CI: ci}
}

// meanOf returns the mean of values (one for each game) with its interval.
func meanOf(games []Outcome, values []float64) (stats.Figure, stats.Interval) {
	mean, ci := stats.Mean(values)
	if clustered(games) {
		mean, ci = stats.Clustered(values, clusters(games))
	}
	return stats.Figure(mean), ci
}

// freedom returns the degrees of freedom of meanOf's interval.
func freedom(games []Outcome) float64 {
	if !clustered(games) {
		return float64(len(games) - 1)
	}
	all := clusters(games)
	slices.Sort(all)
	return float64(len(slices.Compact(all)) - 1)
}

// clustered reports whether the games came from start boards.
func clustered(games []Outcome) bool { return len(games) > 0 && games[0].Cluster != "" }

func clusters(games []Outcome) []string {
	return each.Of(games, func(g Outcome) string { return g.Cluster })
}

// Scores returns the scores of games.
func Scores(games []Outcome) []float64 {
	return each.Of(games, func(g Outcome) float64 { return float64(g.Score) })
}

// Experiment returns the statistics for the web page. info describes the experiment.
func (r *Results) Experiment(info protocol.ExperimentInfo) *protocol.ExperimentResults {
	report := r.Statistics()
	x := &protocol.ExperimentResults{ExperimentInfo: info, Report: &report.Statistics, Scores: r.distribution(), Comparisons: []protocol.ComparisonToFirst{}}
	for _, s := range report.Players {
		h := protocol.HighestTiles{Player: s.Player, Tiles: []protocol.TileCount{}}
		for _, share := range s.Highest {
			h.Tiles = append(h.Tiles, protocol.TileCount{Tile: share.Tile, Games: share.Value.Games})
		}
		x.Highest = append(x.Highest, h)
	}
	for i, c := range r.CompareToFirst() {
		compared := protocol.ComparisonToFirst{
			Player: r.Players[i+1].Name, Games: c.Games, CI: c.CI, Clear: c.Clear(), Higher: c.Higher, Lower: c.Lower,
		}
		if difference := float64(c.Difference); !math.IsNaN(difference) {
			compared.Difference = &difference
		}
		x.Comparisons = append(x.Comparisons, compared)
	}
	return x
}

// bins is the number of bins of a distribution.
const bins = 24

// distribution counts the scores of each player in bins of equal width.
func (r *Results) distribution() protocol.Distribution {
	low, high := int64(math.MaxInt64), int64(0)
	for _, p := range r.Players {
		for _, g := range p.Games {
			low, high = min(low, g.Score), max(high, g.Score)
		}
	}
	d := protocol.Distribution{Edges: []float64{}, Counts: make([][]int, len(r.Players))}
	if low > high {
		return d
	}
	width := max(float64(high-low)/bins, 1)
	for i := range bins + 1 {
		d.Edges = append(d.Edges, float64(low)+float64(i)*width)
	}
	for i, p := range r.Players {
		d.Counts[i] = make([]int, bins)
		for _, g := range p.Games {
			d.Counts[i][min(int(float64(g.Score-low)/width), bins-1)]++
		}
	}
	return d
}

// maxExtremes is the maximum number of games in the result of Extremes.
const maxExtremes = 20

// Extremes returns the games of a player with the highest scores or, if worst is true, with the lowest ones.
// It sorts games.
func Extremes(player string, games []Outcome, worst bool) *protocol.ExperimentGames {
	sign := -1
	if worst {
		sign = 1
	}
	slices.SortFunc(games, func(a, b Outcome) int {
		return cmp.Or(sign*cmp.Compare(a.Score, b.Score), cmp.Compare(a.Index, b.Index))
	})
	found := &protocol.ExperimentGames{Player: player, Total: len(games), Games: []protocol.StoredGame{}}
	for _, g := range games[:min(maxExtremes, len(games))] {
		found.Games = append(found.Games, protocol.StoredGame{
			Game: g.Index, Score: g.Score, MaxTile: board.Tile(g.Largest), Moves: g.Moves, Forfeit: g.Forfeit.Reason,
		})
	}
	return found
}

// Record replays the game and returns its record. spec is the player's spec.
func (r *Recorded) Record(s Setup, spec string) (record.Record, error) {
	g, err := r.Replay(s)
	if err != nil {
		return record.Record{}, err
	}
	return record.Of(g, s.Meta(r.Index, spec)), nil
}
