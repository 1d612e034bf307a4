package arena

import (
	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/rules/game"
)

// stageFlags are the flags of stage tests. The zero value is that of a command without them. The range of --tries keeps
// the number of games within checkGames.
type stageFlags struct {
	regretFlag
	start  string        `flag:"start" help:"begin games from a <BOARD>, the boards of a file, of stdin (-), of a stage (stage:30720) or of an ending (ending:6-row)"`
	goal   stopFlag      `flag:"goal" help:"stop a game at a tile or a sum of tiles (sum=N) and report how often it is reached"`
	tries  int           `flag:"tries" default:"1" range:"1:10000" help:"games of each player from each board of --start"`
	boards []arena.Start // those of --start
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
