package review

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Bad reports whether the move is an inaccuracy, a mistake or a blunder.
func (m *Judgement) Bad() bool {
	return m.Class == protocol.ClassInaccuracy || m.Class == protocol.ClassMistake || m.Class == protocol.ClassBlunder
}

// nextTile sets m.NextTile: the chances of making the next larger tile after a bad move and after the best move. It
// leaves m unchanged if the move is not bad, if networks do not support the next larger tile, or if the difference is
// not significant at 95 %.
func (s *judging) nextTile(ctx context.Context, level *levels.Level, m *Judgement) (err error) {
	exponent := m.Board.Largest() + 1
	if !m.Bad() || exponent > bitboard.MaxExponent {
		return nil
	}
	if s.next == nil {
		if s.next, err = levels.NewJudge(*level, levels.Options{P4: m.P4, Threads: 1}); err != nil {
			return err
		}
	}
	chances, differ, err := s.next.Chances(ctx, m.Board, [2]board.Direction{m.Played, m.Best}, exponent)
	if differ {
		m.NextTile = &protocol.NextTile{Tile: board.Tile(exponent), Played: chances[0], Best: chances[1]}
	}
	return err
}

// Reasons describes what a bad move gives away: the expected points if a level judged it, and a difference between the
// boards after the move and after the best move if one is found. It returns none for other moves.
func (m *Judgement) Reasons() (all []protocol.Reason) {
	if !m.Bad() {
		return nil
	}
	if m.Level != "" {
		text := "A player of this level still makes {points} points after {played} and {other} after {better}."
		values := []any{"points", numfmt.Rounded(m.Moves[m.Played].Value), "other", numfmt.Rounded(m.Moves[m.Best].Value)}
		if n := m.NextTile; n != nil {
			text = "A player of this level still makes {points} points after {played} and {other} after {better}; the {tile} in {share} and in {most} of games."
			values = append(values, "tile", n.Tile, "share", fmt.Sprintf("%.0f %%", 100*n.Played), "most", fmt.Sprintf("%.0f %%", 100*n.Best))
		}
		all = append(all, *(&mistake{played: m.Played, better: m.Best}).reason(text, values...))
	}
	if r := Why(m.Board, m.Played, m.Best, game.ChanceOf4(m.P4)); r != nil {
		all = append(all, *r)
	}
	return all
}

// Why returns the reasons as English text.
func (m *Judgement) Why() string { return written(m.Reasons()) }
