package review

import (
	"context"
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Bad reports whether the move is an inaccuracy, a mistake or a blunder.
func (m *Judgement) Bad() bool {
	return slices.Contains(badClasses[:], m.Class)
}

var badClasses = [...]protocol.MoveClass{protocol.ClassInaccuracy, protocol.ClassMistake, protocol.ClassBlunder}

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

// Why describes what a bad move gives away: the expected points if a level judged it, and a difference between the
// boards after the move and after the best move if one is found. It returns "" for other moves.
func (m *Judgement) Why() string {
	if !m.Bad() {
		return ""
	}
	shown := Why(m.Board, m.Played, m.Best, game.ChanceOf4(m.P4))
	if m.Level == "" {
		return shown
	}
	text := fmt.Sprintf("A player of this level still makes %s points after %v and %s after %v",
		numfmt.Rounded(m.Moves[m.Played].Value), m.Played, numfmt.Rounded(m.Moves[m.Best].Value), m.Best)
	if n := m.NextTile; n != nil {
		text += fmt.Sprintf("; the %d in %.0f %% and in %.0f %% of games", n.Tile, 100*n.Played, 100*n.Best)
	}
	text += "."
	if shown != "" {
		text += " " + shown
	}
	return text
}
