package arena

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"afterstate/arena"
	"afterstate/arena/stages"
	"afterstate/cli/internal/usage"
	"afterstate/game"
)

// maxTries limits --tries, so that the number of games stays within checkGames.
const maxTries = 10_000

// stageFlags are the flags of stage tests. The zero value is that of a command without them.
type stageFlags struct {
	start  string
	goal   stopFlag
	tries  int
	boards []arena.Start // those of --start
}

// addStages adds the flags of stage tests.
func (f *setupFlags) addStages(flags *pflag.FlagSet) {
	flags.StringVar(&f.start, "start", "", "begin games from a `BOARD`, the boards of a file, of stdin (-), of a stage (stage:30720) or of an ending (ending:6-row)")
	flags.IntVar(&f.tries, "tries", 1, "games of each player from each board of --start")
	flags.Var(&f.goal, "goal", "stop a game at a tile or a sum of tiles (sum=N) and report how often it is reached")
}

// readStarts reads the boards of --start, and sets the size and the number of games. Without --start it only
// checks flags.
func (f *setupFlags) readStarts(cmd *cobra.Command, games *int) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("until") && changed("goal"):
		return usage.Errorf("--until and --goal: both end a game: want one of them")
	case f.start == "" && changed("tries"):
		return usage.Errorf("--tries is the number of games from each board of --start, which is missing")
	case f.start == "":
		return nil
	case changed("games"):
		return usage.Errorf("--games and --start: with start boards, --tries is the number of games from each")
	case changed("size"):
		return usage.Errorf("--size and --start: the size is that of the boards")
	case f.tries < 1 || f.tries > maxTries:
		return usage.Errorf("%d tries: want 1 to %d", f.tries, maxTries)
	}
	starts, next, err := stages.Load(f.start, cmd.InOrStdin())
	if f.goal.Stop == (game.Stop{}) && f.until == 0 {
		f.goal.Stop = next
	}
	if err == nil {
		err = arena.CheckStarts(starts, f.stop())
	}
	if err != nil {
		return usage.Errorf("--start %s: %w", f.start, err)
	}
	f.boards, f.size.Size, *games = starts, starts[0].Board.Size(), f.tries*len(starts)
	return nil
}

// stop is what ends a game.
func (f *setupFlags) stop() game.Stop {
	if f.goal.Stop != (game.Stop{}) {
		return f.goal.Stop
	}
	return game.Stop{Tile: int64(f.until)}
}

// stopFlag is a flag with a game.Stop.
type stopFlag struct{ game.Stop }

func (s *stopFlag) Set(text string) (err error) {
	s.Stop, err = game.ParseStop(text)
	return err
}

func (s *stopFlag) Type() string { return "GOAL" }
