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

// Ranking orders the players of an experiment by their mean scores. Each pair of players has a [stats.Match], and the matches share the
// error: with the given confidence none of their verdicts is wrong, at any time. So all ranks together are right with that confidence.
//
// Games go where they decide most. Play works in rounds, each of which gives a quarter more games to neighbours in the order of means whose
// match has no verdict, those with the fewest games first. Players that differ from both neighbours play no more. Two players have one
// round, which ends with the verdict.
type Ranking struct {
	Players    []arena.Player
	Confidence float64

	experiment *Experiment
	names      []string
	matches    map[[2]int]*stats.Match // by places in Players, the lower one first
	scores     []map[uint64]int64      // of games, by player and number
	elapsed    []time.Duration         // of these games, by player
}

// firstRound is the number of games of each player before the first verdicts.
const firstRound = 20

// matchChunkTime is the duration of the chunks of two players. It is short since games beyond the end of a match are wasted.
const matchChunkTime = 300 * time.Millisecond

// Rank begins a ranking of at least two players, by identity, with their stored games. With accounts, which may be nil, the luck of games
// counts: see [stats.Match]. The caller gives the accounts to Play, too.
func (x *Experiment) Rank(ctx context.Context, identities []string, confidence float64, luck *Accounts) (*Ranking, error) {
	r := &Ranking{Confidence: confidence, experiment: x, matches: map[[2]int]*stats.Match{}, elapsed: make([]time.Duration, len(identities))}
	for _, identity := range identities {
		p := x.Player(identity)
		r.Players, r.names = append(r.Players, *p), append(r.names, x.Stored.NameOf(p))
	}
	pairs := float64(len(r.Players) * (len(r.Players) - 1) / 2)
	for i := range r.Players {
		for k := range i {
			r.matches[[2]int{k, i}] = stats.NewMatch(1 - (1-confidence)/pairs)
		}
	}
	for i := range r.Players {
		p := &r.Players[i]
		games, err := x.withLuck(ctx, p, luck)
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

// add adds a game of a player to its matches.
func (r *Ranking) add(player int, g *arena.Outcome) {
	luck := r.experiment.luck[r.Players[player].Identity][g.Index]
	if _, again := r.scores[player][g.Index]; !again {
		r.scores[player][g.Index] = g.Score
		r.elapsed[player] = arena.AddTimes(r.elapsed[player], g.Elapsed)
	}
	for pair, m := range r.matches {
		for who, i := range pair {
			if i == player {
				m.Add(who, g.Index, g.Score, luck)
			}
		}
	}
}

// Match returns the match of the first two players, whose games take a number of workers the time that they took so far.
func (r *Ranking) Match(workers int) *stats.Match { return r.match(0, 1, workers) }

// match returns the match of two players.
func (r *Ranking) match(a, b, workers int) *stats.Match {
	a, b = min(a, b), max(a, b)
	m := r.matches[[2]int{a, b}]
	m.Name, m.A, m.B = r.experiment.Stored.Name, r.names[a], r.names[b]
	m.PairTime = time.Duration((r.seconds(a) + r.seconds(b)) / float64(max(1, workers)) * 1e9)
	return m
}

// seconds is how long a game of a player takes, 0 before there is one.
func (r *Ranking) seconds(player int) float64 {
	return r.elapsed[player].Seconds() / float64(max(1, len(r.scores[player])))
}

// Play plays until all ranks are known or each player that has an unknown one has played o.Games. onRound, if not nil, is called before
// each round with its players and the number of games that each of them will have.
func (r *Ranking) Play(ctx context.Context, o PlayOptions, onRound func(players []arena.Player, games int)) error {
	most, observe := o.Games, o.OnGames
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
		o.Players, o.Games = r.round(most)
		if len(o.Players) == 0 {
			return nil
		}
		if onRound != nil {
			onRound(o.Players, o.Games)
		}
		if err := r.experiment.Play(ctx, o); err != nil {
			return err
		}
	}
}

// round returns the players of the next round and how many games each of them gets, at most most; no players: there is nothing to decide.
func (r *Ranking) round(most int) (players []arena.Player, games int) {
	order := r.order()
	games = math.MaxInt
	var open [][2]int
	consider := func(a, b int) {
		have := min(len(r.scores[a]), len(r.scores[b]))
		if have < most && r.better(a, b) == 0 {
			open = append(open, [2]int{a, b})
			if len(r.Players) > 2 {
				games = min(games, roundAfter(have))
			}
		}
	}
	for i := 1; i < len(order); i++ {
		consider(order[i-1], order[i])
	}
	if len(open) == 0 { // neighbours differ, but verdicts of others may lack
		for pair := range r.matches {
			consider(pair[0], pair[1])
		}
	}
	games = min(games, most)
	for i := range r.Players {
		if len(r.scores[i]) < games && slices.ContainsFunc(open, func(p [2]int) bool { return p[0] == i || p[1] == i }) {
			players = append(players, r.Players[i])
		}
	}
	return players, games
}

// roundAfter returns the number of games of the round after games: the same after an interruption.
func roundAfter(games int) int {
	next := firstRound
	for next <= games {
		next += (next + 3) / 4
	}
	return next
}

// better is 1 if the match of two players says that the first one is better, -1 if the other one is, and 0 without a verdict.
func (r *Ranking) better(a, b int) int {
	if a > b {
		return -r.better(b, a)
	}
	return r.matches[[2]int{a, b}].Winner()
}

// order returns the places of players by their mean scores, the highest first.
func (r *Ranking) order() []int {
	order, means := make([]int, len(r.Players)), make([]float64, len(r.Players))
	for i, scores := range r.scores {
		sum := int64(0) // maps have no order, and sums of fractions depend on it
		for _, s := range scores {
			sum += s
		}
		order[i], means[i] = i, float64(sum)/float64(max(1, len(scores)))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[b], means[a]) })
	return order
}

// Left estimates what the open matches will take on a number of workers. The slowest of them gives the pairs, and the players' games the
// time. A match whose end cannot be told leaves Pairs unknown, and open names the one that will take longest, as far as that can be told.
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
			left.Pairs = max(left.Pairs, o.Pairs) // NaN if one of them is
			need[k], need[i] = max(need[k], float64(o.Pairs)), max(need[i], float64(o.Pairs))
		}
	}
	for i, games := range need {
		left.Seconds += stats.Figure(games * r.seconds(i) / float64(max(1, workers)))
	}
	return left, open
}

// Table returns the ranking by the games so far, and what will probably still be played by a number of workers.
func (r *Ranking) Table(workers int) protocol.RankTable {
	t := protocol.RankTable{Experiment: r.experiment.Stored.Name, Confidence: r.Confidence, Players: []protocol.RankedPlayer{}}
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
