package serve

import (
	"math"
	"slices"
	"strings"

	"afterstate/arena"
	"afterstate/board"
	"afterstate/player"
	"afterstate/session"
	"afterstate/wire"
)

// publicInfo removes paths of this machine, which specs given locally may contain.
func publicInfo(info wire.ExperimentInfo) wire.ExperimentInfo {
	info.Error = session.WithoutPaths(info.Error, "")
	info.Players = slices.Clone(info.Players)
	for i, spec := range info.Players {
		info.Players[i] = session.WithoutPaths(spec, "")
	}
	return info
}

// publicSpec removes paths of this machine.
func publicSpec(spec string) string { return session.WithoutPaths(spec, "") }

// publicForfeit removes paths of this machine and what the program wrote to stderr, which may contain secrets.
func publicForfeit(f player.Forfeit) player.Forfeit {
	detail, _, _ := strings.Cut(f.Detail, "stderr:")
	return player.Forfeit{Reason: publicSpec(f.Reason), Detail: publicSpec(strings.TrimRight(detail, "; "))}
}

// publicResults removes paths of this machine and the stderr of programs. An identity may have paths
// that are no files.
func publicResults(r *arena.Results) {
	r.Spawn = publicSpec(r.Spawn)
	for i := range r.Players {
		p := &r.Players[i]
		p.Name, p.Spec, p.Identity = publicSpec(p.Name), publicSpec(p.Spec), ""
		p.Games = slices.Clone(p.Games)
		for k := range p.Games {
			p.Games[k].Forfeit = publicForfeit(p.Games[k].Forfeit)
		}
	}
}

// experimentOf returns the statistics of finished games that the page shows.
func experimentOf(info wire.ExperimentInfo, r *arena.Results) *wire.Experiment {
	info = publicInfo(info)
	publicResults(r)
	report := r.Report()
	x := &wire.Experiment{ExperimentInfo: info, Report: report.Wire(), Scores: distribution(r), Comparisons: []wire.ComparisonToFirst{}}
	for _, s := range report.Players {
		h := wire.HighestTiles{Player: s.Player, Tiles: []wire.TileCount{}}
		for _, share := range s.Highest {
			h.Tiles = append(h.Tiles, wire.TileCount{Tile: board.Tile(share.Exponent), Games: share.Games})
		}
		x.Highest = append(x.Highest, h)
	}
	for _, p := range r.Players[min(1, len(r.Players)):] {
		c := arena.Compare(p.Games, r.Players[0].Games)
		compared := wire.ComparisonToFirst{Player: p.Name, Games: c.Games, CI: (*wire.Interval95)(c.CI.OrNull()), Higher: c.Higher, Lower: c.Lower}
		if !math.IsNaN(c.Difference) {
			compared.Difference = &c.Difference
		}
		x.Comparisons = append(x.Comparisons, compared)
	}
	return x
}

// bins is the number of bars of a distribution.
const bins = 24

// distribution counts scores in bins of equal width.
func distribution(r *arena.Results) wire.Distribution {
	low, high := int64(math.MaxInt64), int64(0)
	for _, p := range r.Players {
		for _, g := range p.Games {
			low, high = min(low, g.Score), max(high, g.Score)
		}
	}
	d := wire.Distribution{Edges: []float64{}, Counts: make([][]int, len(r.Players))}
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
