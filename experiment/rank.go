package experiment

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
)

// Ranking orders the players of an experiment by their mean scores. Each pair of players has a [stats.Match].
// The allowed probability of an error is divided among the matches (Bonferroni): with the given confidence, all
// verdicts are right at all times, and so are the ranks that follow from them.
//
// Play works in rounds, and spends games where they help most. A round plays the matches without a verdict
// between neighbours in the order of mean scores. It brings their players to the same number of games: the first
// term of 20, 25, 32, ... (each about a quarter larger than the last) above the fewest games of any of them.
// Once all neighbours are decided, the other matches without a verdict are played. With two players there is one
// round, which ends with the verdict.
type Ranking struct {
	Players    []arena.Player
	Confidence float64

	experiment *Experiment
	names      []string
	matches    map[[2]int]*stats.Match // key: two indices into Players, the lower index first
	scores     []map[uint64]int64      // scores of games, by player and game number
	elapsed    []time.Duration         // total duration of the games in scores, by player
}

// firstRound is the number of games of each player before the first verdicts.
const firstRound = 20

// matchChunkTime is the target duration of a chunk if there are two players. It is short because games after
// the verdict are wasted.
const matchChunkTime = 300 * time.Millisecond

// Rank returns a ranking of at least two players, given by their identities. The ranking starts with their
// stored games.
func (x *Experiment) Rank(ctx context.Context, identities []string, confidence float64) (*Ranking, error) {
	r := &Ranking{Confidence: confidence, experiment: x, matches: map[[2]int]*stats.Match{}, elapsed: make([]time.Duration, len(identities))}
	for _, identity := range identities {
		p := x.Player(identity)
		r.Players, r.names = append(r.Players, *p), append(r.names, x.Plan.NameOf(p))
	}
	pairs := float64(len(r.Players) * (len(r.Players) - 1) / 2)
	for i := range r.Players {
		for k := range i {
			r.matches[[2]int{k, i}] = stats.NewMatch(1 - (1-confidence)/pairs)
		}
	}
	for i := range r.Players {
		games, err := x.store.Games(ctx, x.Plan, &r.Players[i])
		if err != nil {
			return nil, err
		}
		r.scores = append(r.scores, map[uint64]int64{})
		for k := range games {
			r.add(i, &games[k])
		}
	}
	return r, nil
}

// add adds a player's game to the player's scores and matches. Adding the same game again changes nothing.
func (r *Ranking) add(player int, g *arena.Outcome) {
	if _, counted := r.scores[player][g.Index]; !counted {
		r.scores[player][g.Index] = g.Score
		r.elapsed[player] = arena.AddTimes(r.elapsed[player], g.Elapsed)
	}
	for pair, m := range r.matches {
		for side, i := range pair {
			if i == player {
				m.Add(side, g.Index, g.Score)
			}
		}
	}
}

// Match returns the match of the first two players. Its PairTime is an estimate for this number of workers,
// from the times of the games so far.
func (r *Ranking) Match(workers int) *stats.Match { return r.match(0, 1, workers) }

// match returns the match of the players with the indices a and b; see Match.
func (r *Ranking) match(a, b, workers int) *stats.Match {
	a, b = min(a, b), max(a, b)
	m := r.matches[[2]int{a, b}]
	m.Name, m.A, m.B = r.experiment.Plan.Name, r.names[a], r.names[b]
	m.PairTime = time.Duration((r.seconds(a) + r.seconds(b)) / float64(max(1, workers)) * 1e9)
	return m
}

// seconds returns the mean time of a player's games; 0 if there are none.
func (r *Ranking) seconds(player int) float64 {
	return r.elapsed[player].Seconds() / float64(max(1, len(r.scores[player])))
}

// Play plays until every match has its verdict, or every player of a match without a verdict has played o.Games games.
func (r *Ranking) Play(ctx context.Context, o PlayOptions) error {
	maxGames, observe := o.Games, o.OnGames
	if len(r.Players) == 2 {
		o.ChunkTime = matchChunkTime
	}
	o.OnGames = func(p *arena.Player, games []arena.Recorded) error {
		if i := slices.IndexFunc(r.Players, func(of arena.Player) bool { return of.Number == p.Number }); i >= 0 {
			for k := range games {
				r.add(i, &games[k].Outcome)
			}
		}
		if observe != nil {
			if err := observe(p, games); err != nil {
				return err
			}
		}
		if len(r.Players) == 2 && r.better(0, 1) != 0 {
			return arena.ErrStop
		}
		return nil
	}
	for {
		o.Players, o.Games = r.round(maxGames)
		if len(o.Players) == 0 {
			return nil
		}
		if err := r.experiment.Play(ctx, o); err != nil {
			return err
		}
	}
}

// round returns the players of the next round, and the number of games (at most maxGames) that each of them will
// have after it. It returns no players if no match is left to play.
func (r *Ranking) round(maxGames int) (players []arena.Player, games int) {
	order := r.order()
	games = math.MaxInt
	var open [][2]int
	consider := func(a, b int) {
		played := min(len(r.scores[a]), len(r.scores[b]))
		if played < maxGames && r.better(a, b) == 0 {
			open = append(open, [2]int{a, b})
			if len(r.Players) > 2 {
				games = min(games, roundAfter(played))
			}
		}
	}
	for i := 1; i < len(order); i++ {
		consider(order[i-1], order[i])
	}
	if len(open) == 0 { // all neighbours are decided, but other pairs may not be
		for pair := range r.matches {
			consider(pair[0], pair[1])
		}
	}
	games = min(games, maxGames)
	for i := range r.Players {
		if len(r.scores[i]) < games && slices.ContainsFunc(open, func(p [2]int) bool { return p[0] == i || p[1] == i }) {
			players = append(players, r.Players[i])
		}
	}
	return players, games
}

// roundAfter returns the number of games of each player after the next round; games is the number before it.
// The result depends only on games, so the rounds are the same after an interruption.
func roundAfter(games int) int {
	next := firstRound
	for next <= games {
		next += (next + 3) / 4
	}
	return next
}

// better returns 1 if the match of two players says that the first one is better, -1 if it says that the
// second one is better, and 0 if it has no verdict.
func (r *Ranking) better(a, b int) int {
	if a > b {
		return -r.better(b, a)
	}
	return r.matches[[2]int{a, b}].Winner()
}

// order returns the indices of the players, sorted by mean score, the highest first.
func (r *Ranking) order() []int {
	order, means := make([]int, len(r.Players)), make([]float64, len(r.Players))
	for i, scores := range r.scores {
		sum := int64(0) // an integer, since a sum of floats depends on the random order of the map
		for _, s := range scores {
			sum += s
		}
		order[i], means[i] = i, float64(sum)/float64(max(1, len(scores)))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[b], means[a]) })
	return order
}

// Left estimates how long the matches without a verdict take with this number of workers. left.Pairs is the
// number of further pairs that the slowest match needs; NaN if any match has no estimate. left.Seconds is the
// time for the games of all players. open is the match with the largest AtLeast, and left.AtLeast
// is its value; open is nil if all matches have verdicts.
func (r *Ranking) Left(workers int) (left stats.Outlook, open *stats.Match) {
	need := make([]float64, len(r.Players))
	for i := range r.Players {
		for k := range i {
			m := r.match(k, i, workers)
			if m.Winner() != 0 {
				continue
			}
			o := m.Left()
			if open == nil || o.AtLeast > left.AtLeast {
				left.AtLeast, open = o.AtLeast, m
			}
			left.Pairs = max(left.Pairs, o.Pairs) // max returns NaN if an argument is NaN
			need[k], need[i] = max(need[k], float64(o.Pairs)), max(need[i], float64(o.Pairs))
		}
	}
	for i, games := range need {
		left.Seconds += stats.Figure(games * r.seconds(i) / float64(max(1, workers)))
	}
	return left, open
}

// Table returns the ranking by the games so far, with an estimate of how long the missing verdicts take with
// this number of workers.
func (r *Ranking) Table(workers int) protocol.RankTable {
	t := protocol.RankTable{Experiment: r.experiment.Plan.Name, Confidence: r.Confidence, Players: []protocol.RankedPlayer{}}
	for _, i := range r.order() {
		line := protocol.RankedPlayer{Best: 1, Worst: len(r.Players), Player: r.names[i], Spec: r.Players[i].Spec, Games: len(r.scores[i])}
		for k := range r.Players {
			switch {
			case k == i:
			case r.better(i, k) > 0:
				line.Worst--
			case r.better(i, k) < 0:
				line.Best++
			}
		}
		var scores []float64
		for _, s := range r.scores[i] {
			scores = append(scores, float64(s))
		}
		slices.Sort(scores)
		mean, ci := stats.Mean(scores)
		line.Mean, line.CI = stats.Figure(mean), ci
		t.Players = append(t.Players, line)
	}
	if left, open := r.Left(workers); open != nil {
		t.Left, t.Open = &left, []string{open.A, open.B}
	}
	return t
}
