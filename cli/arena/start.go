package arena

import (
	"github.com/spf13/cobra"

	"afterstate/arena"
	"afterstate/arena/stages"
	"afterstate/cli/internal/usage"
	"afterstate/game"
)

// maxTries limits --tries, so that the number of games stays within checkGames.
const maxTries = 10_000

// starts reads the boards of --start; nil without it.
func (f *playFlags) starts(cmd *cobra.Command) ([]arena.Start, error) {
	changed := cmd.Flags().Changed
	switch {
	case f.start == "" && changed("tries"):
		return nil, usage.Errorf("--tries is the number of games from each board of --start, which is missing")
	case f.start == "":
		return nil, nil
	case changed("games"):
		return nil, usage.Errorf("--games and --start: with start boards, --tries is the number of games from each")
	case changed("size"):
		return nil, usage.Errorf("--size and --start: the size is that of the boards")
	case f.tries < 1 || f.tries > maxTries:
		return nil, usage.Errorf("%d tries: want 1 to %d", f.tries, maxTries)
	}
	starts, next, err := stages.Load(f.start, cmd.InOrStdin())
	if f.goal.Goal == (game.Goal{}) {
		f.goal.Goal = next
	}
	if err == nil {
		err = arena.CheckStarts(starts, f.goal.Goal)
	}
	if err != nil {
		return nil, usage.Errorf("--start %s: %w", f.start, err)
	}
	return starts, nil
}

// goalFlag is a flag with a game.Goal.
type goalFlag struct{ game.Goal }

func (g *goalFlag) Set(text string) (err error) {
	g.Goal, err = game.ParseGoal(text)
	return err
}

func (g *goalFlag) Type() string { return "GOAL" }
