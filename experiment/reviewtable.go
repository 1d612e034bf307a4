package experiment

import (
	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
)

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
	Moves    int         `json:"moves"`
	Forced   int         `json:"forced"`
	Accuracy Estimate    `json:"accuracy"`
	Loss     Estimate    `json:"loss_per_1000"` // expected scores given away in 1,000 moves
	Shares   ClassShares `json:"shares"`
}

// Estimate is a figure with its 95 % interval; null without games, the interval with one game.
type Estimate struct {
	Value stats.Figure   `json:"value"`
	CI    stats.Interval `json:"ci95"`
}

// ClassShares are the shares of the classes among the moves with a choice.
type ClassShares struct {
	Best       stats.Figure `json:"best"`
	Good       stats.Figure `json:"good"`
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
		c.Inaccuracy += g.Classes.Inaccuracy
		c.Mistake += g.Classes.Mistake
		c.Blunder += g.Classes.Blunder
		inverse, loss, moves = append(inverse, g.Inverse), append(loss, 1000*g.Loss), append(moves, float64(g.Moves))
	}
	share := func(n int) stats.Figure { return stats.Figure(stats.Ratio(float64(n), float64(s.Moves))) }
	s.Shares = ClassShares{share(c.Best), share(c.Good), share(c.Inaccuracy), share(c.Mistake), share(c.Blunder)}
	accuracy, ci := stats.ClusteredRatio(moves, inverse)
	s.Accuracy = Estimate{stats.Figure(accuracy), stats.Interval{Low: max(0, ci.Low), High: min(1, ci.High)}}
	perThousand, ci := stats.ClusteredRatio(loss, moves)
	s.Loss = Estimate{stats.Figure(perThousand), stats.Interval{Low: max(0, ci.Low), High: ci.High}}
	return s
}
