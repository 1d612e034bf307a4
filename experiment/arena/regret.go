package arena

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Regret is what the moves of a game lose against the best ones, by exact values.
type Regret struct {
	Points float64 // expected points given away, the sum over all moves
	Best   int     // moves that give nothing away
}

// rounding is the relative difference of values below which moves count as equal.
const rounding = 1e-9

// Judge judges the game's moves by exact values, and sets its Regret.
func (r *Recorded) Judge(s Setup, table *solve.Table) error {
	g, err := r.Replay(s)
	if err != nil {
		return err
	}
	boards := make([]board.Board, g.Moves())
	moves := g.Steps()
	for i := range slices.Backward(boards) {
		g.Undo()
		boards[i] = g.Board()
	}
	r.Regret = Regret{}
	for i := range boards {
		values, err := table.Moves(&boards[i])
		if err != nil {
			return fmt.Errorf("board %v: %w", boards[i], err)
		}
		best, _ := solve.Best(&values)
		lost := best - values[moves[i].Move].Value
		if lost <= rounding*best {
			r.Regret.Best++
			continue
		}
		r.Regret.Points += lost
	}
	return nil
}

// CheckExact returns an error unless a table has the values of a number of games: its size and spawn rule are those of
// the games, it has the start boards, and games are played to the end.
func (s *Setup) CheckExact(table *solve.Table, games int) error {
	p := table.Problem()
	if p4, random := s.RandomSpawns(); p.Goal != 0 || p.Spawn != solve.Random || !random || p.P4 != p4 {
		return fmt.Errorf("the exact values are for other games than those with spawns by %s", cmp.Or(s.Spawn, "random"))
	}
	if of := p.Size; of != s.Size && (of != board.Size{Rows: s.Size.Cols, Cols: s.Size.Rows}) {
		return fmt.Errorf("the exact values are for %v, the games on %v", of, s.Size)
	}
	if s.Stop != (game.Stop{}) {
		return errors.New("the exact values are for games that are played to the end, not to a tile or a goal")
	}
	_, err := s.Optimum(table, games)
	return err
}

// Optimum returns the expected score of optimal play over a number of games: the mean of the exact
// values of their start boards, or of the standard start without any. It fails if the table does not
// have a board.
func (s *Setup) Optimum(table *solve.Table, games int) (float64, error) {
	if s.Starts == nil {
		return table.Start(), nil
	}
	starts := s.Starts.Boards
	var sum float64
	for i := range starts {
		v, err := table.Value(&starts[i].Board)
		if err != nil {
			return 0, fmt.Errorf("start board %d, %v: %w", i+1, starts[i].Board, err)
		}
		plays := games / len(starts)
		if i < games%len(starts) {
			plays++
		}
		sum += v * float64(plays)
	}
	if sum == 0 {
		return 0, errors.New("no game from the start boards can score: there is nothing to judge")
	}
	return sum / float64(games), nil
}

// regret sums up what the moves of a player's games give away; nil if they were not judged.
func regret(games []Outcome, optimal float64) *protocol.Regret {
	if optimal == 0 {
		return nil
	}
	points := make([]float64, len(games))
	var sum float64
	best, moves := 0, 0
	for i, g := range games {
		points[i] = g.Regret.Points
		sum += points[i]
		best += g.Regret.Best
		moves += g.Moves
	}
	r := &protocol.Regret{PerMove: stats.Figure(stats.Ratio(sum, float64(moves))), BestMoves: stats.Figure(stats.Ratio(float64(best), float64(moves)))}
	r.PerGame, r.CI = meanOf(games, points)
	r.Share = r.PerGame / stats.Figure(optimal)
	return r
}
