package arena

import "math"

// sums are the sums of the tiles at the end of all games, by player. Where they were not
// kept they follow from the seed, if tiles are random; nil if they are not known.
func (r *Results) sums() [][]int64 {
	all := make([][]int64, len(r.Players))
	for i, p := range r.Players {
		for k := range p.Games {
			sum := r.sum(&p.Games[k])
			if sum == 0 {
				return nil
			}
			all[i] = append(all[i], sum)
		}
	}
	return all
}

// stagesOf are the sums that games are compared at, ascending: powers of two, and from
// 1536 on those and what falls short of one by 512 and its doubles, since a stage is at
// its most difficult just before its tiles merge. They begin with the last one that all
// games reached and end with the last one that any game reached, or at limit: games end
// there themselves.
func stagesOf(sums [][]int64, limit int64) (stages []int64) {
	low, high := int64(math.MaxInt64), int64(0)
	for _, all := range sums {
		for _, s := range all {
			low, high = min(low, s), max(high, s)
		}
	}
	for top := int64(16); top/2 <= high; top *= 2 {
		stages = append(stages, top/2)
		for short := top / 4; short >= 512; short /= 2 {
			stages = append(stages, top-short)
		}
	}
	for len(stages) > 0 && stages[len(stages)-1] > min(high, limit) {
		stages = stages[:len(stages)-1]
	}
	for len(stages) > 1 && stages[1] <= low {
		stages = stages[1:]
	}
	return stages
}

// stageLimit is the largest sum that games may reach before Stop ends them.
func (r *Results) stageLimit() int64 {
	limit := int64(math.MaxInt64)
	for _, end := range []int64{r.Stop.Tile, r.Stop.Sum} {
		if end > 0 {
			limit = min(limit, end)
		}
	}
	return limit
}

// alive are the shares of a player's games that reached the stages.
func alive(games []Outcome, sums, stages []int64) (out []TileShare) {
	for _, stage := range stages {
		out = append(out, TileShare{Tile: stage, Value: rate(games, func(i int) bool { return sums[i] >= stage })})
	}
	return out
}
