package review

import (
	"context"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// confirm measures the loss of a strong player's bad move by playouts with a network. Playouts are more reliable: the
// network's values are wrong about boards that it never saw in training, and playouts take into account that a strong
// player recovers from most mistakes. confirm changes the loss, class and accuracy of the recorded move, and keeps the
// judge's values.
func (s *judging) confirm(ctx context.Context, network *catalog.Maker, m *Judgement) error {
	moves := [2]board.Direction{m.Best, m.Played}
	for _, d := range moves {
		if after, _, _ := m.Board.Slide(d); after.Largest() > bitboard.MaxExponent {
			return nil // keep the judge's loss: the network does not support tiles above 32768
		}
	}
	if s.long == nil {
		n, err := network.Network(ctx, bitboard.Size)
		if err != nil {
			return err
		}
		s.long, err = levels.NewJudge(levels.Strongest(n), levels.Options{Playouts: strongPlayouts, P4: m.P4, Threads: 1})
		if err != nil {
			return err
		}
	}
	worth := float64(game.Worth(&m.Board))
	decided := func(best float64, ci stats.Interval) bool {
		return ci.Low > 0 || ci.High < player.GoodLimit*(worth+best)
	}
	best, loss, ci, err := s.long.Compare(ctx, m.Board, moves, decided)
	if err != nil {
		return err
	}
	d := player.Decision{Board: m.Board, Unit: m.Unit, Playouts: new(player.Playouts)}
	d.Move, d.OK = m.Best, true
	d.Moves[m.Best] = search.MoveValue{Legal: true, Value: best}
	d.Moves[m.Played] = search.MoveValue{Legal: true, Value: best - loss}
	d.Playouts.Errors[m.Played] = ci.Half()
	grades, _ := d.Grades()
	m.Grade, m.Moves[m.Played].Grade = grades[m.Played], grades[m.Played]
	m.Accuracy = Accuracy(m.Loss, m.Board.Size())
	return nil
}
