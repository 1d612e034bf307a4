// Command hardboards selects the hard boards of the page's Practice view from the stage sets:
//
//	go run ./serve/hardboards serve/ui/src/hard.json
//
// It estimates the chance to make the next tile after each move, by games of the champion's network
// (package odds). A board is hard if the move of the player snake, a search by a rule of thumb, gives
// away a good part of that chance. Of each set it takes those where the loss is largest, if the player
// master agrees on the best move. The file has the counts, so the page needs no server to judge an answer. Boards that are far from the next tile are left out, since
// one move hardly matters there.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

const (
	sieveGames = 60   // of each move, to find candidates
	finalGames = 4000 // of each move, for the file
	candidates = 20   // of each set
	perStage   = 10
	minOther   = 0.2  // share of the best chance that the second-best move has, so that the answer is not obvious
	maxLeft    = 1100 // points of the sum of tiles until the next tile can be there, about two a move
	minShare   = 0.05 // of games that the best move wins
	minLoss    = 0.06 // share of the chance that the tempting move gives away
)

// hardBoard is an entry of the file.
type hardBoard struct {
	Stage int64                   `json:"stage"` // sum of tiles of its set
	Board string                  `json:"board"`
	Tile  int64                   `json:"tile"`  // to make
	Games int                     `json:"games"` // after each move
	Made  map[board.Direction]int `json:"made"`  // of these, made the tile; legal moves only

	loss float64 // share of the best chance that the tempting move gives away
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "hardboards: must be one argument, the file to write")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "hardboards:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, path string) error {
	var p players
	for name, m := range map[string]*catalog.Maker{"master": &p.strong, "snake": &p.tempted} {
		var err error
		if *m, err = catalog.Parse(name, catalog.Capabilities{}); err != nil {
			return err
		}
	}
	var all []hardBoard
	for _, sum := range stages.Sums() {
		boards, err := p.stage(ctx, sum)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "stage %d: %d boards\n", sum, len(boards))
		all = append(all, boards...)
	}
	return atomicfile.Write(path, file(all), 0o644)
}

// players are the one that the best move is from, and the one that hard boards mislead.
type players struct{ strong, tempted catalog.Maker }

// stage returns the hard boards of a set, the hardest first.
func (p *players) stage(ctx context.Context, sum int64) ([]hardBoard, error) {
	starts, err := stages.Open(sum)
	if err != nil {
		return nil, err
	}
	var found []hardBoard
	for i := range starts {
		if b := starts[i].Board; board.Tile(b.Largest()+1)-b.Sum() > maxLeft {
			continue
		}
		h, _, err := p.judge(ctx, starts[i].Board, sum, sieveGames)
		if err != nil {
			return nil, err
		}
		if h.loss > minLoss {
			found = append(found, h)
		}
	}
	harder := func(a, b hardBoard) int { return cmp.Compare(b.loss, a.loss) }
	slices.SortStableFunc(found, harder)
	var out []hardBoard
	for _, h := range found[:min(candidates, len(found))] {
		b, err := board.Parse(h.Board)
		if err != nil {
			return nil, err
		}
		h, best, err := p.judge(ctx, b, sum, finalGames)
		if err != nil {
			return nil, err
		}
		advice, err := decide(ctx, p.strong, b)
		if err != nil {
			return nil, err
		}
		if h.loss > minLoss && advice == best {
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, harder)
	return slices.DeleteFunc(out[:min(perStage, len(out))], obvious), nil
}

// obvious reports whether only one move has a chance worth the name.
func obvious(h hardBoard) bool {
	counts := slices.Sorted(maps.Values(h.Made))
	slices.Reverse(counts)
	return len(counts) < 2 || float64(counts[1]) < minOther*float64(counts[0])
}

// judge plays games after each move of a board and returns its entry and best move. The loss is 0
// if the best move wins too few games.
func (p *players) judge(ctx context.Context, b board.Board, sum int64, games int) (h hardBoard, best board.Direction, err error) {
	goal := b.Largest() + 1
	o := odds.Options{Tiles: []uint8{goal}, Games: games, Seed: uint64(sum), WholeEvery: -1}
	e, err := odds.New(ctx, p.strong, search.NewQuery(b, 0).Position, o)
	if err != nil {
		return h, best, err
	}
	defer e.Close()
	r, err := e.Play(ctx)
	if err != nil {
		return h, best, err
	}
	h = hardBoard{Stage: sum, Board: b.String(), Tile: board.Tile(goal), Games: r.Games, Made: map[board.Direction]int{}}
	for _, d := range board.Directions {
		if r.Moves[d].Legal {
			h.Made[d] = r.Moves[d].Made[slices.Index(r.Tiles, goal)]
		}
	}
	best, _ = r.Best()
	if float64(h.Made[best]) < minShare*float64(h.Games) {
		return h, best, nil
	}
	tempting, err := decide(ctx, p.tempted, b)
	h.loss = 1 - float64(h.Made[tempting])/float64(h.Made[best])
	return h, best, err
}

// decide returns the move of a player.
func decide(ctx context.Context, m catalog.Maker, b board.Board) (board.Direction, error) {
	p := player.Driver{Player: m.New()}
	defer p.Close()
	p.Start(0, 0, nil)
	d, err := p.Ask(ctx, search.NewQuery(b, 0))
	return d.Move, err
}

// file formats the boards, one a line.
func file(boards []hardBoard) []byte {
	lines := make([][]byte, len(boards))
	for i := range boards {
		lines[i], _ = json.Marshal(boards[i]) // cannot fail: strings and numbers
	}
	return fmt.Appendf(nil, "[\n%s\n]\n", bytes.Join(lines, []byte(",\n")))
}
