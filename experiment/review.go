package experiment

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
)

// ReviewOptions configures Review.
type ReviewOptions struct {
	Player  int // number of the player; 0: all players
	Games   int // number of games of each player, from the first game on; 0: all
	Workers int // number of threads; 0: GOMAXPROCS
	// Progress, if not nil, is called with the number of games reviewed since the last call.
	Progress func(games int)
}

// PlayerReview holds the reviews of a player's games.
type PlayerReview struct {
	Player *arena.Player
	Games  []GameReview
}

// GameReview holds the number of a game and sums over its moves.
type GameReview struct {
	Index uint64
	MoveSums
}

// MoveSums holds sums over the moves of a game. If the judge is a level (a reference player of a given
// strength), only a sample of the moves is judged; Inverse, Loss and Classes are then weighted sums over that
// sample (see [review.Judge.Sample]).
type MoveSums struct {
	Moves   int // number of moves that count; see [review.Judge.Counts]
	Forced  int
	Inverse float64 // sum of 1/accuracy
	Loss    float64
	Classes [len(review.Classes)]float64
}

// drawnMoves is the approximate number of moves that a level samples and judges for each player, over all games
// of the player.
const drawnMoves = 1500

// batch is the number of sampled moves at which the pending games are judged together.
const batch = 4096

// HighestMedian returns the highest of the players' median scores. A level of that strength judges all
// players: a weaker level would see a loss in every move that it would not make itself, even in the moves of
// a better player.
func HighestMedian(ctx context.Context, s Store, e *arena.Plan, o ReviewOptions) (highest float64, err error) {
	for _, p := range o.players(e) {
		games, err := s.Games(ctx, e, p)
		if err != nil {
			return 0, err
		}
		if games = games[:o.count(len(games))]; len(games) > 0 {
			highest = max(highest, stats.Median(each.Of(games, func(g arena.Outcome) float64 { return float64(g.Score) })))
		}
	}
	return highest, nil
}

// players returns the players to review.
func (o *ReviewOptions) players(e *arena.Plan) (all []*arena.Player) {
	for i := range e.Players {
		if o.Player == 0 || o.Player == e.Players[i].Number {
			all = append(all, &e.Players[i])
		}
	}
	return all
}

// count returns how many of a player's stored games are to be reviewed.
func (o *ReviewOptions) count(stored int) int {
	if o.Games == 0 {
		return stored
	}
	return min(o.Games, stored)
}

// Total returns the number of games to review.
func (o *ReviewOptions) Total(ctx context.Context, s Store, e *arena.Plan) (total int, err error) {
	stored, err := s.Count(ctx, e)
	if err != nil {
		return 0, err
	}
	for _, p := range o.players(e) {
		total += o.count(stored[p.Number-1])
	}
	return total, nil
}

// Review judges stored games of an experiment, player by player. To save time, use a judge that judges each
// move only once ([review.Judge.Quick]). If ctx ends, Review returns the reviews of the games that are
// finished, and ctx's error.
func Review(ctx context.Context, s Store, e *arena.Plan, judge *review.Judge, o ReviewOptions) (all []PlayerReview, err error) {
	stored, err := s.Count(ctx, e)
	if err != nil {
		return nil, err
	}
	for _, p := range o.players(e) {
		all = append(all, PlayerReview{Player: p})
	}
	for i := range all {
		r := reviewing{judge: judge, o: &o, into: &all[i], games: o.count(stored[all[i].Player.Number-1])}
		if err := r.run(ctx, s, e); err != nil {
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
	games   int
	pending []pendingGame
	ps      []review.Position
}

// pendingGame is a game whose sampled moves are in reviewing.ps, with the weights of these moves.
type pendingGame struct {
	GameReview
	weights []float64
}

// run reviews the player's games.
func (r *reviewing) run(ctx context.Context, s Store, e *arena.Plan) error {
	reviewed := 0
	for g, err := range s.AllRecorded(ctx, e, r.into.Player) {
		if reviewed == r.games {
			break
		}
		if err != nil {
			return err
		}
		played, err := g.Replay(e.Setup)
		if err != nil {
			return err
		}
		if err := r.add(g, review.Positions(played)); err != nil {
			return err
		}
		reviewed++
		if len(r.ps) >= batch {
			if err := r.flush(ctx); err != nil {
				return err
			}
		}
	}
	return r.flush(ctx)
}

// add counts the moves of a game, and samples the moves to judge. The sample depends only on the game.
func (r *reviewing) add(g *arena.Recorded, ps []review.Position) error {
	game := pendingGame{GameReview: GameReview{Index: g.Index}}
	for i := range ps {
		switch {
		case r.judge.Counts(&ps[i]):
			game.Moves++
		case len(ps[i].Board.Legal()) == 1:
			game.Forced++
		}
	}
	u := rand.New(rand.NewPCG(g.Seed, g.Index)).Float64()
	drawn, weights, err := r.judge.Sample(ps, max(1, drawnMoves/max(1, r.games)), u)
	game.weights = weights
	r.ps, r.pending = append(r.ps, drawn...), append(r.pending, game)
	return err
}

// flush judges the pending games.
func (r *reviewing) flush(ctx context.Context) error {
	moves, err := r.judge.Review(ctx, r.ps, review.Options{Threads: r.o.Workers})
	finished := len(moves)
	for _, game := range r.pending {
		if len(game.weights) > finished {
			break
		}
		finished -= len(game.weights)
		for i, weight := range game.weights {
			game.add(&moves[i], weight)
		}
		moves = moves[len(game.weights):]
		r.into.Games = append(r.into.Games, game.GameReview)
		if r.o.Progress != nil {
			r.o.Progress(1)
		}
	}
	r.ps, r.pending = r.ps[:0], r.pending[:0]
	return err
}

func (s *MoveSums) add(m *review.Judgement, weight float64) {
	s.Inverse += weight / m.Accuracy
	s.Loss += weight * m.Loss
	s.Classes[slices.Index(review.Classes[:], m.Class)] += weight
}

// ReviewTable is the summary of a review, as arena review --json writes it.
type ReviewTable struct {
	Experiment string            `json:"experiment"`
	Judge      string            `json:"judge"`
	Players    []ReviewTableLine `json:"players"`
}

// ReviewTableLine is the summary of the reviews of a player's games. The 95 % intervals of accuracy and loss
// treat each game as a cluster of moves.
type ReviewTableLine struct {
	Number int    `json:"number"`
	Player string `json:"player"` // name of the player, unique in the table
	Spec   string `json:"spec"`
	Games  int    `json:"games"`
	ReviewSums
}

// ReviewSums summarizes moves.
type ReviewSums struct {
	Moves    int               `json:"moves"`
	Forced   int               `json:"forced"`
	Accuracy protocol.Estimate `json:"accuracy"`
	// Loss is the loss per 1,000 moves. The loss of one move is a share of the expected score.
	Loss protocol.Estimate `json:"loss_per_1000"`
	// Shares maps each class to its share of Moves.
	Shares map[protocol.MoveClass]stats.Figure `json:"shares"`
}

// Table returns the summary of reviews.
func Table(e *arena.Plan, judge *review.Judge, players []PlayerReview) ReviewTable {
	t := ReviewTable{Experiment: e.Name, Judge: judge.Spec, Players: []ReviewTableLine{}}
	for i := range players {
		p := &players[i]
		t.Players = append(t.Players, ReviewTableLine{
			Number: p.Player.Number, Player: e.NameOf(p.Player), Spec: p.Player.Spec, Games: len(p.Games),
			ReviewSums: sums(each.Of(p.Games, func(g GameReview) MoveSums { return g.MoveSums })),
		})
	}
	return t
}

// sums summarizes the moves of games. Each game is a cluster of moves.
func sums(games []MoveSums) (s ReviewSums) {
	var inverse, loss, moves []float64
	var classes [len(review.Classes)]float64
	for i := range games {
		g := &games[i]
		s.Moves += g.Moves
		s.Forced += g.Forced
		for c, n := range g.Classes {
			classes[c] += n
		}
		inverse, loss, moves = append(inverse, g.Inverse), append(loss, 1000*g.Loss), append(moves, float64(g.Moves))
	}
	s.Shares = map[protocol.MoveClass]stats.Figure{}
	for c, class := range review.Classes {
		s.Shares[class] = stats.Figure(stats.Ratio(classes[c], float64(s.Moves)))
	}
	accuracy, ci := stats.ClusteredRatio(moves, inverse)
	s.Accuracy = protocol.Estimate{Value: stats.Figure(min(1, accuracy)), CI: stats.Interval{Low: max(0, ci.Low), High: min(1, ci.High)}}
	perThousand, ci := stats.ClusteredRatio(loss, moves)
	s.Loss = protocol.Estimate{Value: stats.Figure(perThousand), CI: stats.Interval{Low: max(0, ci.Low), High: ci.High}}
	return s
}
