package arena

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

// RunOptions is a set of games to play. Players, Games and Seed are required.
type RunOptions struct {
	// Players are built at most once by every worker, and closed when it ends if they are an io.Closer.
	Players []catalog.Maker
	Size    board.Size // zero: 4x4
	Seed    uint64
	Games   int // of each player: games 0 to Games-1 of the seed
	// Starts are boards from which games begin, game i from Starts[i % len(Starts)], with
	// a score of 0; their size is the experiment's. None: two spawns on an empty board.
	Starts []Start
	// Stop ends a game; zero: it is played to the end. With Goal set it is reported how often it is reached.
	Stop game.Stop
	Goal bool
	// Spawn makes the spawner of each game; zero: random spawns with game.P4. Its New is called
	// concurrently.
	Spawn   player.SpawnRule
	Workers int // games at once; 0: GOMAXPROCS
	// Exact judges every move by exact values; nil: moves are not judged. Its size and spawn rule
	// are the experiment's, it has the start boards, and games are played to the end.
	Exact *solve.Table
}

// checked returns the experiment with defaults filled in, or an error.
func (e RunOptions) checked() (RunOptions, error) {
	if len(e.Starts) > 0 && e.Size == (board.Size{}) {
		e.Size = e.Starts[0].Board.Size()
	}
	if e.Size == (board.Size{}) {
		e.Size = board.Size{Rows: 4, Cols: 4}
	}
	if e.Workers <= 0 {
		e.Workers = runtime.GOMAXPROCS(0)
	}
	if e.Spawn.New == nil {
		e.Spawn = player.SpawnRule{Spec: "random", Random: true, P4: game.P4, New: func(seed, index uint64) game.Spawner {
			return game.NewRandom(seed, index, game.P4)
		}}
	}
	switch {
	case len(e.Players) == 0:
		return e, errors.New("no players: want at least one")
	case !e.Size.Valid():
		return e, fmt.Errorf("size %v: want rows and columns from %d to %d", e.Size, board.MinSide, board.MaxSide)
	case e.Games < 1:
		return e, fmt.Errorf("%d games: want at least 1", e.Games)
	}
	if err := e.setup().Check(); err != nil {
		return e, err
	}
	if e.Exact != nil {
		if err := e.setup().CheckExact(e.Exact, e.Games); err != nil {
			return e, err
		}
	}
	return e, nil
}

func (e *RunOptions) setup() *Setup {
	return &Setup{Size: e.Size, Spawn: e.Spawn.Spec, Seed: e.Seed, Stop: e.Stop, Goal: e.Goal, Starts: NewStarts(e.Starts)}
}
