package arena

import (
	"cmp"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Experiment returns the statistics of the results that the page shows, with what is known of the
// experiment besides.
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
			Player: r.Players[i+1].Name, Games: c.Games, CI: c.CI, Clear: c.Clear(), Higher: c.Higher, Lower: c.Lower, Unpaired: c.Unpaired,
		}
		if difference := float64(c.Difference); !math.IsNaN(difference) {
			compared.Difference = &difference
		}
		x.Comparisons = append(x.Comparisons, compared)
	}
	return x
}

// bins is the number of bars of a distribution.
const bins = 24

// distribution counts scores in bins of equal width.
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

// listed is the number of games in the result of Extremes.
const listed = 20

// Extremes returns the games of a player with the highest scores, or with the lowest ones. It sorts
// games.
func Extremes(player string, games []Outcome, worst bool) *protocol.ExperimentGames {
	sign := -1
	if worst {
		sign = 1
	}
	slices.SortFunc(games, func(a, b Outcome) int {
		return cmp.Or(sign*cmp.Compare(a.Score, b.Score), cmp.Compare(a.Index, b.Index))
	})
	found := &protocol.ExperimentGames{Player: player, Total: len(games), Games: []protocol.StoredGame{}}
	for _, g := range games[:min(listed, len(games))] {
		found.Games = append(found.Games, protocol.StoredGame{
			Game: g.Index, Score: g.Score, MaxTile: board.Tile(g.Largest), Moves: g.Moves, Forfeit: g.Forfeit.Reason,
		})
	}
	return found
}

// Record replays the game and returns its record, with a player of this spec.
func (r *Recorded) Record(s Setup, spec string) (record.Record, error) {
	g, err := r.Replay(s)
	if err != nil {
		return record.Record{}, err
	}
	return record.Of(g, s.Meta(r.Index, spec)), nil
}
