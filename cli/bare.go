package cli

import (
	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/bind"
	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// bareFlags are the flags for a player on a single board without a game.
type bareFlags struct {
	player string      `flag:"player,p" default:"best" help:"player <SPEC>; see afterstate players"`
	score  int64       `flag:"score" default:"-1" help:"score of the game at this board (default 0)"`
	seed   flags.Seed  `flag:"seed" help:"seed of the game, for foresight"`
	game   uint64      `flag:"game" help:"number of the game within its seed"`
	spawn  flags.Spawn `flag:"spawn" default:"random" help:"for foresight, "`
}

const bareHelp = `foresight knows the coming spawns: on a bare board it needs --seed and --score,
from which it computes the number of spawns so far.`

// add adds the flags of a struct in which these are.
func (f *bareFlags) add(cmd *cobra.Command, all any) {
	bind.Flags(cmd.Flags(), all)
	cmd.Flags().Lookup("score").DefValue = ""
}

// maker parses the player's spec and checks that the flags a player with foresight needs are set.
func (f *bareFlags) maker(cmd *cobra.Command) (catalog.Maker, error) {
	m, err := program.Player(f.player)
	switch {
	case err != nil:
		return m, usage.Wrap(err)
	case m.Foresees && (!f.seed.Given || f.score < 0):
		return m, usage.Errorf("%s knows the coming spawns: on a bare board it needs --seed and --score", m.Spec)
	case cmd.Flags().Changed("score") && f.score < 0:
		return m, usage.Errorf("score %d: want 0 or more", f.score)
	}
	return m, nil
}

// query returns the query about a board.
func (f *bareFlags) query(b *board.Board) search.Query { return search.NewQuery(*b, max(f.score, 0)) }

// ask returns the exact query about a board. It gives a player with foresight its oracle.
func (f *bareFlags) ask(m *catalog.Maker, p player.Player, b *board.Board) (search.Query, error) {
	oracle, err := f.oracle(m, b)
	if err == nil && oracle != nil {
		player.See(p, oracle)
	}
	return f.query(b).Exact(), err
}

// oracle returns the future spawns of a board for a player that knows them; nil for others.
func (f *bareFlags) oracle(m *catalog.Maker, b *board.Board) (search.Oracle, error) {
	if !m.Foresees {
		return nil, nil
	}
	random, err := game.NewRandomAt(f.seed.Value, f.game, f.spawn.P4, b, f.score)
	if err != nil {
		return nil, usage.Wrap(err)
	}
	return search.Future{Random: *random, OK: f.spawn.Random}, nil
}
