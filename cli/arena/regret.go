package arena

import (
	"context"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

type regretFlag struct {
	regret bool `flag:"regret" help:"judge every move by exact values; 2x4 and 3x3 are solved before, see solve"`
}

// exactValues returns the table for --regret.
func exactValues(ctx context.Context, s arena.Setup, games int) (*solve.Table, error) {
	p4, random := s.RandomSpawns()
	switch {
	case s.Goal:
		return nil, usage.Errorf("--regret compares with play to the end of the game: --goal %v does not go with it", s.Stop)
	case s.Stop != game.Stop{}:
		return nil, usage.Errorf("--regret compares with play to the end of the game: --until %v does not go with it", s.Stop)
	case !random:
		return nil, usage.Errorf("--regret compares with play under random spawns: --spawn %s does not go with it", s.Spawn)
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
