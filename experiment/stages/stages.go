// Package stages contains sets of start boards on 4x4 for stage tests. A stage test measures how often a
// player gets from one stage, which is a sum of tiles, to the next one. The boards come from games of several
// players. The stages are sums at which strong players lose their games.
//
//	starts, err := stages.Open(30720)
//	results, err := arena.Run(ctx, arena.RunOptions{
//		Players: players, Starts: starts, Stop: stages.Next(30720), Goal: true, Games: 2 * len(starts),
//	}, nil)
//
// The games that boards are taken from are called parent games. A set contains at most three boards from each
// parent game: the first board that reaches the sum of the stage, and the first boards that reach two sums a
// few hundred below the end of the stage, where most games end. The header of each set says how it was
// collected. From 32768 on, the boards are branched: several players continued games from the boards of the
// previous stage, since few parent games get that far. These boards keep the names of their parent games.
//
// The sets for endings contain constructed boards: the large tiles of an ending (package endings), placed in
// a layout, and small tiles. The header of a set names the program and the commit that made it.
//
// The parent games have seed 7001. Do not tune anything on games of that seed: it would bias
// the results from these sets.
package stages

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

//go:embed *.txt endings
var files embed.FS

// sums holds the stages, ascending, followed by the sum at which the last stage is complete.
var sums = []int64{8192, 16384, 24576, 28672, 30720, 31744, 32256, 32768, 40960, 49152, 57344, 61440}

// Sums returns the stages for which there are sets, ascending.
func Sums() []int64 { return slices.Clone(sums[:len(sums)-1]) }

// Open returns the start boards of a stage.
func Open(sum int64) ([]arena.Start, error) {
	return read(fmt.Sprint(sum), "no stage is called %d: must be one of %v", sum, Sums())
}

// OpenEnding returns the start boards of an ending.
func OpenEnding(name string) ([]arena.Start, error) {
	return read("endings/"+name, "no ending is called %q: must be one of %s", name, strings.Join(Endings(), ", "))
}

// read reads the set of boards with this name. If there is none, unknown and words are the format and the
// arguments of the error.
func read(name, unknown string, words ...any) ([]arena.Start, error) {
	f, err := files.Open(name + ".txt")
	if err != nil {
		return nil, fmt.Errorf(unknown, words...)
	}
	defer f.Close()
	return arena.ReadStarts(f)
}

// Endings lists the names of the sets of endings.
func Endings() []string {
	entries, _ := files.ReadDir("endings")
	return each.Of(entries, func(e fs.DirEntry) string { return strings.TrimSuffix(e.Name(), ".txt") })
}

// Load returns the start boards that a user names, and the condition that stops a game. The name is one of:
//
//   - a stage, as in stage:30720; games stop at the sum that [Next] returns
//   - an ending, as in ending:6-row; games stop at the tile 32768
//   - a file, or "-" for stdin, as [arena.ReadStarts] reads it; games do not stop
//   - a board in any notation; games do not stop
func Load(name string, stdin io.Reader) (starts []arena.Start, stop game.Stop, err error) {
	if stage, ok := strings.CutPrefix(name, "stage:"); ok {
		sum, err := strconv.ParseInt(stage, 10, 64)
		if err != nil {
			sum = 0 // invalid: Open returns an error that lists the valid sums
		}
		starts, err = Open(sum)
		return starts, Next(sum), err
	}
	if ending, ok := strings.CutPrefix(name, "ending:"); ok {
		starts, err = OpenEnding(ending)
		return starts, game.Stop{Tile: board.Tile(endings.Tile)}, err
	}
	if name == "-" {
		starts, err = arena.ReadStarts(stdin)
		return starts, stop, err
	}
	if _, missing := os.Stat(name); missing != nil {
		b, err := board.Parse(name)
		if err == nil {
			return []arena.Start{{Board: b}}, stop, nil
		}
		if strings.ContainsAny(name, ",; \t\n[{|") { // more likely a board than a file
			return nil, stop, err
		}
	}
	file, err := inputfile.Open(name)
	if err != nil {
		return nil, stop, err
	}
	defer file.Close()
	starts, err = arena.ReadStarts(file)
	return starts, stop, err
}

// Next returns the condition that stops the games of a stage: the sum at which the next stage
// starts. For a sum without a set it returns the zero Stop.
func Next(sum int64) game.Stop {
	if i := slices.Index(sums, sum); i >= 0 && i+1 < len(sums) {
		return game.Stop{Sum: sums[i+1]}
	}
	return game.Stop{}
}
