package compare

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
)

// WriteCSV writes the metrics of all runs, a row an interval, below a row of names. Shares of
// tiles have a column for each tile that any run reached; a tile below those of an interval was
// reached by all of its games.
func WriteCSV(out io.Writer, groups []*Group) error {
	set := map[int64]bool{}
	each(groups, func(r *Run) {
		for i := range r.Intervals {
			for _, t := range r.Intervals[i].Reached {
				set[t.Tile] = true
			}
		}
	})
	tiles := slices.Sorted(maps.Keys(set))
	all := table.New(table.Numbers("run", "seed", "games", "moves", "elapsed_s", "mean_score", "restarted_games", "restarted_mean_score", "games_per_s", "moves_per_s")...)
	for _, t := range tiles {
		all.Columns = append(all.Columns, table.Number("reached_"+strconv.FormatInt(t, 10)))
	}
	each(groups, func(r *Run) {
		for i := range r.Intervals {
			all.Add(row(r, &r.Intervals[i], tiles)...)
		}
	})
	return all.CSV(out)
}

func each(groups []*Group, do func(*Run)) {
	for _, g := range groups {
		for _, r := range g.Runs {
			do(r)
		}
	}
}

func row(r *Run, i *protocol.TrainingInterval, tiles []int64) []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	known := func(x *float64) string {
		if x == nil {
			return ""
		}
		return number(*x)
	}
	count := func(n uint64) string { return strconv.FormatUint(n, 10) }
	out := []string{
		r.Name, count(r.Options.Seed), count(i.Games), count(i.Moves), number(i.ElapsedS), known(i.MeanScore),
		count(i.RestartedGames), known(i.RestartedMeanScore), number(i.GamesPerS), number(i.MovesPerS),
	}
	for _, t := range tiles {
		share := ""
		if i.MeanScore != nil {
			share = Reached(i, t)
		}
		out = append(out, share)
	}
	return out
}

// Reached returns the share of an interval's games from an empty board that reached a tile. Metrics
// leave out tiles that all games reached, and those that none did.
func Reached(i *protocol.TrainingInterval, tile int64) string {
	for _, t := range i.Reached {
		if t.Tile == tile {
			return t.Value.String()
		}
	}
	if len(i.Reached) > 0 && tile < i.Reached[0].Tile {
		return "1"
	}
	return "0"
}

// WriteJSONLines writes the metrics of all runs, an object an interval: that of the metrics, with
// the run's name and its seed.
func WriteJSONLines(out io.Writer, groups []*Group) (err error) {
	e := json.NewEncoder(out)
	each(groups, func(r *Run) {
		for i := range r.Intervals {
			if err == nil {
				err = e.Encode(struct {
					Run  string `json:"run"`
					Seed uint64 `json:"seed"`
					protocol.TrainingInterval
				}{r.Name, r.Options.Seed, r.Intervals[i]})
			}
		}
	})
	return err
}
