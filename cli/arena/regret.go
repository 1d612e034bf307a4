package arena

import (
	"context"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

type regretFlag struct {
	regret bool `flag:"regret" help:"judge every move by exact values; 2x4, 3x3 and endings are solved before, see solve"`
}

// exact returns the table for --regret, nil without the flag.
func (f regretFlag) exact(ctx context.Context, s arena.Setup, games int) (*solve.Table, error) {
	p4, random := s.RandomSpawns()
	switch {
	case !f.regret:
		return nil, nil
	case !random:
		return nil, usage.Errorf("--regret compares with play under random spawns: --spawn %s does not go with it", s.Spawn)
	case s.Starts != nil && s.Size == bitboard.Size:
		return ending(ctx, s, games, p4)
	case s.Goal:
		return nil, usage.Errorf("--regret compares with play to the end of the game: --goal %v does not go with it", s.Stop)
	case s.Stop != game.Stop{}:
		return nil, usage.Errorf("--regret compares with play to the end of the game: --until %v does not go with it", s.Stop)
	case s.Size == bitboard.Size:
		return nil, usage.Errorf("--regret on 4x4 judges moves from boards of a solved ending: use --start, as in --start ending:6-row")
	}
	var tables solve.Library
	table, err := tables.Table(ctx, solve.Problem{Size: s.Size, P4: p4})
	if err == nil {
		_, err = s.Optimum(table, games)
	}
	if err != nil {
		return nil, usage.Errorf("--regret: %w", err)
	}
	return table, nil
}

// ending returns the table of the solved ending that has the start boards.
func ending(ctx context.Context, s arena.Setup, games int, p4 float64) (*solve.Table, error) {
	boards := each.Of(s.Starts.Boards, func(start arena.Start) board.Board { return start.Board })
	table, err := catalog.Ending(ctx, boards, solve.Problem{P4: p4})
	if err == nil && table != nil {
		_, err = s.Optimum(table, games)
	}
	switch p, ok := solve.EndingOf(boards, p4); {
	case err != nil:
		return nil, usage.Errorf("--regret: %w", err)
	case table == nil && ok:
		return nil, usage.Errorf("--regret: no solved ending has all start boards: do it once with %s (%s)", p.Command(), p.Cost())
	case table == nil:
		return nil, usage.Errorf("--regret: the start boards must be of one ending, with walls on at most %d layouts (see solve --layouts)", solve.MaxLayouts)
	}
	return table, nil
}
