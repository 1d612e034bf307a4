package experiment

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/experiment/arena"
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
func Review(ctx context.Context, s Store, e *arena.Plan, judge *review.Judge, o ReviewOptions) ([]PlayerReview, error) {
	var all []PlayerReview
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
	moves, err := r.judge.Review(ctx, r.ps, review.Options{Workers: r.o.Workers})
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
