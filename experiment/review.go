package experiment

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
)

// ReviewOptions configure Review.
type ReviewOptions struct {
	Player  int    // its number; 0: all players
	Games   int    // of each player, from the first one on; 0: all
	Moves   int    // drawn from each game; 0: all
	Seed    uint64 // of the draw
	Workers int    // 0: GOMAXPROCS
	// Progress, if not nil, is called with the number of games that were reviewed.
	Progress func(games int)
}

// PlayerReview sums up the reviews of a player's games.
type PlayerReview struct {
	Player *arena.Player
	Games  []GameReview
}

// GameReview is the review of one game.
type GameReview struct {
	Index  uint64
	Game   review.Tally
	Phases [len(review.Phases)]review.Tally
}

// batch is the number of moves that are judged together.
const batch = 4096

// Review judges stored games of an experiment, player by player. If ctx ends, it returns the games that
// are finished, and the error.
func Review(ctx context.Context, s Store, e *arena.Plan, judge *review.Judge, o ReviewOptions) (all []PlayerReview, err error) {
	for i := range e.Players {
		if o.Player == 0 || o.Player == e.Players[i].Number {
			all = append(all, PlayerReview{Player: &e.Players[i]})
		}
	}
	for i := range all {
		r := reviewing{judge: judge, o: &o, into: &all[i]}
		if err := r.games(ctx, s, e); err != nil {
			return all, err
		}
	}
	return all, nil
}

// reviewing collects moves of a player's games until there are enough to judge them together.
type reviewing struct {
	judge   *review.Judge
	o       *ReviewOptions
	into    *PlayerReview
	pending []pendingGame
	ps      []review.Position
}

// pendingGame is a game with the number of its moves in reviewing.ps.
type pendingGame struct {
	index uint64
	moves int
}

// games reviews the player's games.
func (r *reviewing) games(ctx context.Context, s Store, e *arena.Plan) error {
	taken := 0
	for g, err := range s.AllRecorded(ctx, e, r.into.Player) {
		if taken == r.o.Games && taken > 0 {
			break
		}
		if err != nil {
			return err
		}
		played, err := g.Replay(e.Setup)
		if err != nil {
			return err
		}
		ps := r.sample(review.Positions(played), g.Seed, g.Index)
		r.ps = append(r.ps, ps...)
		r.pending = append(r.pending, pendingGame{g.Index, len(ps)})
		taken++
		if len(r.ps) >= batch {
			if err := r.flush(ctx); err != nil {
				return err
			}
		}
	}
	return r.flush(ctx)
}

// sample draws moves of a game without replacement, in their order. The draw depends on the seed and
// the game only.
func (r *reviewing) sample(all []review.Position, seed, index uint64) []review.Position {
	if r.o.Moves == 0 || r.o.Moves >= len(all) {
		return all
	}
	random := rand.New(rand.NewPCG(r.o.Seed^seed, index))
	var drawn []review.Position
	for i := range all { // each position with the probability that the rest is drawn uniformly
		if random.IntN(len(all)-i) < r.o.Moves-len(drawn) {
			drawn = append(drawn, all[i])
		}
	}
	return drawn
}

// flush judges the pending games.
func (r *reviewing) flush(ctx context.Context) error {
	moves, err := r.judge.Review(ctx, r.ps, review.Options{Threads: r.o.Workers})
	finished := len(moves)
	if err != nil && r.judge.Looks() > 1 {
		finished = 0 // some moves may lack their second look
	}
	for _, p := range r.pending {
		if p.moves > finished {
			break
		}
		finished -= p.moves
		game := GameReview{Index: p.index}
		for i := range moves[:p.moves] {
			m := &moves[i]
			game.Game.Add(m)
			game.Phases[slices.Index(review.Phases[:], m.Phase)].Add(m)
		}
		moves = moves[p.moves:]
		r.into.Games = append(r.into.Games, game)
		if r.o.Progress != nil {
			r.o.Progress(1)
		}
	}
	r.ps, r.pending = r.ps[:0], r.pending[:0]
	return err
}

// ReviewTable is the summary of a review, in the way arena review --json writes it.
type ReviewTable struct {
	Experiment string            `json:"experiment"`
	Judge      string            `json:"judge"`
	Players    []ReviewTableLine `json:"players"`
}

// ReviewTableLine is the summary of a player's games. Accuracy and loss have 95 % intervals by game.
type ReviewTableLine struct {
	Number int    `json:"number"`
	Player string `json:"player"` // its name, which differs from those of the others
	Spec   string `json:"spec"`
	Games  int    `json:"games"`
	ReviewSums
	Phases []ReviewPhase `json:"phases"` // those with moves
}

// ReviewPhase is the summary of a player's moves in a phase.
type ReviewPhase struct {
	Phase protocol.GamePhase `json:"phase"`
	Games int                `json:"games"` // that reached it
	ReviewSums
}

// ReviewSums sum up moves. Shares are those of the moves with a choice.
type ReviewSums struct {
	Moves    int               `json:"moves"`
	Forced   int               `json:"forced"`
	Accuracy protocol.Estimate `json:"accuracy"`
	Loss     protocol.Estimate `json:"loss_per_1000"` // expected scores given away in 1,000 moves
	Shares   ClassShares       `json:"shares"`
}

// ClassShares are the shares of the classes among the moves with a choice.
type ClassShares struct {
	Best       stats.Figure `json:"best"`
	Good       stats.Figure `json:"good"`
	Undecided  stats.Figure `json:"undecided"`
	Inaccuracy stats.Figure `json:"inaccuracy"`
	Mistake    stats.Figure `json:"mistake"`
	Blunder    stats.Figure `json:"blunder"`
}

// Table sums up reviews.
func Table(e *arena.Plan, judge *review.Judge, players []PlayerReview) ReviewTable {
	t := ReviewTable{Experiment: e.Name, Judge: judge.Spec, Players: []ReviewTableLine{}}
	for i := range players {
		p := &players[i]
		line := ReviewTableLine{Number: p.Player.Number, Player: e.NameOf(p.Player), Spec: p.Player.Spec, Games: len(p.Games), Phases: []ReviewPhase{}}
		tallies := make([]review.Tally, len(p.Games))
		for g := range p.Games {
			tallies[g] = p.Games[g].Game
		}
		line.ReviewSums = sums(tallies)
		for phase, name := range review.Phases {
			tallies = tallies[:0]
			for g := range p.Games {
				if t := p.Games[g].Phases[phase]; t.Moves+t.Forced > 0 {
					tallies = append(tallies, t)
				}
			}
			if len(tallies) > 0 {
				line.Phases = append(line.Phases, ReviewPhase{Phase: name, Games: len(tallies), ReviewSums: sums(tallies)})
			}
		}
		t.Players = append(t.Players, line)
	}
	return t
}

// sums sums up the tallies of games, which are clusters of moves.
func sums(games []review.Tally) (s ReviewSums) {
	var inverse, loss, moves []float64
	var c protocol.ClassCounts
	for i := range games {
		g := &games[i]
		s.Moves += g.Moves
		s.Forced += g.Forced
		c.Best += g.Classes.Best
		c.Good += g.Classes.Good
		c.Undecided += g.Classes.Undecided
		c.Inaccuracy += g.Classes.Inaccuracy
		c.Mistake += g.Classes.Mistake
		c.Blunder += g.Classes.Blunder
		inverse, loss, moves = append(inverse, g.Inverse), append(loss, 1000*g.Loss), append(moves, float64(g.Moves))
	}
	share := func(n int) stats.Figure { return stats.Figure(stats.Ratio(float64(n), float64(s.Moves))) }
	s.Shares = ClassShares{
		share(c.Best), share(c.Good), share(c.Undecided), share(c.Inaccuracy), share(c.Mistake), share(c.Blunder),
	}
	accuracy, ci := stats.ClusteredRatio(moves, inverse)
	s.Accuracy = protocol.Estimate{Value: stats.Figure(accuracy), CI: stats.Interval{Low: max(0, ci.Low), High: min(1, ci.High)}}
	perThousand, ci := stats.ClusteredRatio(loss, moves)
	s.Loss = protocol.Estimate{Value: stats.Figure(perThousand), CI: stats.Interval{Low: max(0, ci.Low), High: ci.High}}
	return s
}
