package levels_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// Solved endings of the user would change results.
func TestMain(m *testing.M) { os.Exit(testenv.Run(m.Run)) }

// players have mean scores near those of the levels by which their boards are judged.
var players = []struct {
	spec, level string
	size        board.Size
}{
	{"greedy", "3000", bitboard.Size},
	{"snake(depth=0)", "3000", bitboard.Size},
	{"expectimax(eval=expert,plies=1,death_value=-400000)", "3000", bitboard.Size},
	{"expectimax(eval=empty,plies=2)", "8000", bitboard.Size},
	{"minimax(depth=2)", "8000", bitboard.Size},
	{"weighted-snake", "60000", bitboard.Size},
	{"greedy", "1000", board.Size{Rows: 3, Cols: 4}},
	{"minimax(depth=2)", "3000", board.Size{Rows: 3, Cols: 4}},
	{"snake(depth=0)", "8000", board.Size{Rows: 4, Cols: 5}},
	{"minimax(depth=2)", "20000", board.Size{Rows: 4, Cols: 5}},
	{"snake(depth=0)", "20000", board.Size{Rows: 5, Cols: 5}},
	{"minimax(depth=2)", "50000", board.Size{Rows: 5, Cols: 5}},
}

// A level claims the losses that whole games of the same level show, on boards from games of other
// players. With -v the test prints the table of docs/lab/levels.md.
func TestLossesOfWholeGames(t *testing.T) {
	soak.Full(t, "it takes seconds: TestLevelsScoreTheirNames has the values in which playouts end")
	boards, games := soak.Count(4, 40), soak.Count(800, 2000)
	var sum calibration
	for i, p := range players {
		level := must.Get(levels.Parse(p.level, p.size))(t)
		one := calibration{}
		for n := range boards {
			b := drawn(t, p.spec, p.size, uint64(1000*i+n))
			real := wholeGames(t, &level, &b, games)
			one.add(t, &level, &b, real)
		}
		t.Logf("%s on %v at %s: %v", p.spec, p.size, p.level, &one)
		sum.join(&one)
	}
	t.Logf("all: %v", &sum)
	sum.check(t, 0.85, 1.15)
}

// A player with weaknesses of its own loses by other moves than the level. With -v the test prints how much,
// for docs/lab/levels.md.
func TestLossesOfOtherPlayers(t *testing.T) {
	soak.Full(t, "TestLossesOfWholeGames has the boards of the same players")
	boards, games := soak.Count(3, 50), soak.Count(200, 2000)
	var sum calibration
	for i, p := range players[:3] {
		level := must.Get(levels.Parse(p.level, bitboard.Size))(t)
		one := calibration{}
		for n := range boards {
			b := drawn(t, players[n%3].spec, bitboard.Size, uint64(5000+n))
			one.add(t, &level, &b, gamesOf(t, p.spec, &b, games))
		}
		t.Logf("%s at %s: %v", players[i].spec, p.level, &one)
		sum.join(&one)
	}
	t.Logf("all: %v", &sum)
	if slope := sum.xy / sum.xx; math.IsNaN(slope) || slope < 0.5 || slope > 1.5 {
		t.Errorf("real losses are %.2f of the claimed ones", slope)
	}
}

// slipping are networks that score about 3,100 because they slip more often than their own levels do.
var slipping = []struct {
	level string
	slips float32
}{{"8000", 0.07}, {"20000", 0.052}, {"60000", 0.155}}

// Other networks that slip, as people do, lose by the moves that the level calls bad. With -v the test prints how much, for
// docs/lab/levels.md.
func TestLossesOfOtherNetworks(t *testing.T) {
	soak.Full(t, "TestLossesOfWholeGames has the boards of the same players")
	boards, games := soak.Count(6, 150), soak.Count(200, 2000)
	level := must.Get(levels.Parse("3000", bitboard.Size))(t)
	var sum calibration
	for _, p := range slipping {
		other := must.Get(levels.Parse(p.level, bitboard.Size))(t)
		other.Slips = p.slips
		one := calibration{}
		for n := range boards {
			b := drawn(t, players[n%3].spec, bitboard.Size, uint64(9000+n))
			one.add(t, &level, &b, wholeGames(t, &other, &b, games))
		}
		t.Logf("%s with slips of %v: %v", p.level, p.slips, &one)
		sum.join(&one)
	}
	t.Logf("all: %v", &sum)
	within := 0.3
	if !soak.Wanted() {
		within = 0.5 // few boards give an uncertain slope
	}
	if slope := sum.xy / sum.xx; !(math.Abs(slope-1) <= within) || sum.wrong*10 > sum.bad {
		t.Error(&sum)
	}
}

// gamesOf returns the points that a player still makes after each move, in games to the end.
func gamesOf(t *testing.T, spec string, b *board.Board, games int) (points [4][]float64) {
	t.Helper()
	maker, legal := must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t), b.Legal()
	must.Do(t, workers.Each(t.Context(), len(legal), len(legal), func(ctx context.Context, _, n int) error {
		d := player.Driver{Player: maker.New()}
		defer d.Close()
		for i := range uint64(games) {
			g, err := game.New(game.Options{Board: *b, Spawner: game.NewRandom(99, i, game.P4)})
			if err != nil {
				return err
			}
			if err := g.Move(legal[n]); err != nil {
				return err
			}
			d.Game = g
			err = d.Begin(ctx, 99, i)
			for more := err == nil; more && err == nil; {
				more, err = d.Move(ctx)
			}
			if err != nil {
				return err
			}
			points[legal[n]] = append(points[legal[n]], float64(g.Score()))
		}
		return nil
	}))
	return points
}

// drawn returns a board with a choice from a game of a player, at a random move.
func drawn(t *testing.T, spec string, size board.Size, index uint64) board.Board {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(77, index, game.P4)}))(t)
	d := player.Driver{Player: must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t).New(), Game: g}
	defer d.Close()
	must.Do(t, d.Begin(t.Context(), 77, index))
	var all []board.Board
	for more := true; more; more = must.Get(d.Move(t.Context()))(t) {
		if b := g.Board(); len(b.Legal()) > 1 {
			all = append(all, b)
		}
	}
	return all[rand.New(rand.NewPCG(77, index)).IntN(len(all))]
}

// wholeGames returns the points that a level still makes after each move, in games to the end.
func wholeGames(t *testing.T, level *levels.Level, b *board.Board, games int) (points [4][]float64) {
	t.Helper()
	r := learn.NewRollouts(must.Get(level.Network())(t), learn.Lanes, game.P4)
	r.Slips = level.Slips
	legal := b.Legal()
	next := 0
	r.Play(func() bool { return false }, func(g *learn.Rollout) bool {
		if next == games*len(legal) {
			return false
		}
		after, reward, _ := b.Slide(legal[next/games])
		*g = learn.Rollout{Score: reward, Tag: uint64(legal[next/games])}
		g.Place(&after)
		g.Spawn.Seed(99, uint64(next%games))
		g.Slip.Seed(100, uint64(next%games))
		next++
		return true
	}, func(g *learn.Rollout) { points[g.Tag] = append(points[g.Tag], float64(g.Score)) })
	return points
}

// calibration compares claimed losses with real ones.
type calibration struct {
	xx, xy           float64 // of the claimed and the real losses of moves that are not best
	bad, wrong       int     // moves called mistake or blunder, and those of them that lose nothing
	fine, worse      int     // moves called best or good, and those that lose more than 5 %
	undecided, moves int
}

func (c *calibration) add(t *testing.T, level *levels.Level, b *board.Board, real [4][]float64) {
	t.Helper()
	p := must.Get(catalog.Parse(levels.Spec(level.Name, levels.Playouts), catalog.Capabilities{}))(t).New()
	d := must.Get(p.Decide(t.Context(), search.NewQuery(*b, 0).Exact()))(t)
	grades, _ := d.Grades()
	best, _ := stats.Mean(real[d.Move])
	stake := float64(game.Worth(b)) + best
	for _, dir := range b.Legal() {
		mean, _ := stats.Mean(real[dir])
		loss := (best - mean) / stake
		c.moves++
		switch grades[dir].Class {
		case protocol.ClassMistake, protocol.ClassBlunder:
			if c.bad++; loss <= 0 {
				c.wrong++
			}
		case protocol.ClassUndecided:
			c.undecided++
		case protocol.ClassBest, protocol.ClassGood:
			if c.fine++; loss > player.InaccuracyLimit {
				c.worse++
			}
		}
		if claimed := grades[dir].Loss; dir != d.Move {
			c.xx += claimed * claimed
			c.xy += claimed * loss
		}
	}
}

func (c *calibration) join(o *calibration) {
	c.xx, c.xy = c.xx+o.xx, c.xy+o.xy
	c.bad, c.wrong, c.fine, c.worse = c.bad+o.bad, c.wrong+o.wrong, c.fine+o.fine, c.worse+o.worse
	c.undecided, c.moves = c.undecided+o.undecided, c.moves+o.moves
}

func (c *calibration) String() string {
	return fmt.Sprintf("%d moves: slope %.3f, %d undecided; "+
		"%d of %d mistakes and blunders lose nothing, %d of %d best and good moves lose more than 5 %%",
		c.moves, c.xy/c.xx, c.undecided, c.wrong, c.bad, c.worse, c.fine)
}

// check fails the test if the claims hold for too few moves.
func (c *calibration) check(t *testing.T, low, high float64) {
	t.Helper()
	if slope := c.xy / c.xx; math.IsNaN(slope) || slope < low || slope > high {
		t.Errorf("real losses are %.2f of the claimed ones", slope)
	}
	if c.wrong*20 > c.bad || c.worse*20 > c.fine || c.undecided*100 > 15*c.moves {
		t.Error(c)
	}
}
