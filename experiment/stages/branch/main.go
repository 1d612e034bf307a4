// Branch makes the sets of start boards above a sum of tiles of 32768, where few games get.
// It plays on from the boards of stage:32256, stage by stage: from the boards of a parent game it
// starts games until one completes the stage, and plays on from there. A board has the name of the
// parent game it descends from, so that intervals treat related boards as one cluster.
//
//	go run ./experiment/stages/branch -o experiment/stages
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"path/filepath"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// sums are the branched stages, ascending, and the sum at which the last one is complete.
var sums = []int64{32768, 40960, 49152, 57344, 61440}

// before are the distances to the end of a stage at which boards are taken, beside its first.
var before = []int64{512, 256}

// players take turns, a game each.
var players = []string{"champion", "champion(nodes=2000)", "ntuple(plies=3)"}

// seed is that of the games. Do not fit anything on games of this seed.
const seed = 7001

func main() {
	folder := flag.String("o", ".", "the `FOLDER` of the sets")
	tries := flag.Int("tries", 24, "games for each parent and stage, at most")
	flag.Parse()
	if err := run(*folder, *tries); err != nil {
		log.Fatal(err)
	}
}

func run(folder string, tries int) error {
	drivers := make([]player.Player, len(players))
	for i, spec := range players {
		maker, err := catalog.Parse(spec, catalog.Capabilities{Trusted: true})
		if err != nil {
			return err
		}
		drivers[i] = maker.New()
	}
	starts, err := stages.Open(32256)
	if err != nil {
		return err
	}
	b := branching{players: drivers, tries: tries, from: map[string][]board.Board{}}
	for _, s := range starts {
		if b.from[s.Parent] == nil {
			b.parents = append(b.parents, s.Parent)
		}
		b.from[s.Parent] = append(b.from[s.Parent], s.Board)
	}
	for i := range len(sums) - 1 {
		boards, err := b.stage(sums[i], sums[i+1])
		if err != nil {
			return err
		}
		if err := write(filepath.Join(folder, fmt.Sprintf("%d.txt", sums[i])), sums[i], sums[i+1], boards); err != nil {
			return err
		}
		log.Printf("stage %d: %d boards of %d parents, of %d games so far", sums[i], len(boards), len(b.parents), b.games)
	}
	return nil
}

// branching holds the boards that the next stage is reached from.
type branching struct {
	players []player.Player
	tries   int
	parents []string // those that got this far
	from    map[string][]board.Board
	games   uint64
}

// stage returns the boards of the stage from sum to end, and drops the parents that do not get
// there. The first board of a stage does not depend on what came of it.
func (b *branching) stage(sum, end int64) (boards []arena.Start, err error) {
	var there []string
	known := map[bitboard.Board]bool{} // up to symmetry
	for _, parent := range b.parents {
		first, err := b.reach(b.from[parent], sum)
		if err != nil {
			return nil, err
		}
		if first == nil {
			continue
		}
		late, err := b.reach(first, end-before[0], end-before[1])
		if err != nil {
			return nil, err
		}
		if late != nil {
			there = append(there, parent)
			b.from[parent] = late
		}
		for _, at := range slices.Concat(first, late) {
			packed, _ := bitboard.From(&at)
			if packed = packed.Canonical(); !known[packed] {
				known[packed] = true
				boards = append(boards, arena.Start{Board: at, Parent: parent})
			}
		}
	}
	b.parents = there
	return boards, nil
}

// reach plays from the boards in turn until a game has a board at each of the sums, and returns
// them; nil after too many games.
func (b *branching) reach(from []board.Board, at ...int64) ([]board.Board, error) {
	for try := range b.tries {
		g, err := b.play(from[try%len(from)], b.players[try%len(b.players)], at[len(at)-1])
		if err != nil {
			return nil, err
		}
		if boards := arena.BoardsAtSums(g, at); len(boards) == len(at) {
			return boards, nil
		}
	}
	return nil, nil
}

func (b *branching) play(from board.Board, p player.Player, sum int64) (*game.Game, error) {
	index := b.games
	b.games++
	g, err := game.New(game.Options{Size: from.Size(), Board: from, Spawner: game.NewRandom(seed, index, game.P4)})
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	d := player.Driver{Player: p, Game: g, Stop: game.Stop{Sum: sum}}
	err = d.Begin(ctx, seed, index)
	for moved := true; err == nil && moved; {
		moved, err = d.Move(ctx)
	}
	return g, err
}

func write(path string, sum, end int64, boards []arena.Start) error {
	var text strings.Builder
	fmt.Fprintf(&text, `# Boards at sums of tiles of %d, %d and %d, branched: %s
# played on from the boards of the stage before. Sixteen exponents (base 36), then the parent game
# of stage 32256. Made by: go run ./experiment/stages/branch -o experiment/stages
`, sum, end-before[0], end-before[1], strings.Join(players, ", "))
	for _, s := range boards {
		notation, ok := s.Board.Exponents()
		if !ok {
			notation = s.Board.String()
		}
		fmt.Fprintln(&text, notation, s.Parent)
	}
	return atomicfile.Write(path, []byte(text.String()), 0o644)
}
