package odds

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// policy is what a player plays, written plainly.
type policy func(b *board.Board) board.Direction

func greedily(b *board.Board) (best board.Direction) {
	maximum, found := int64(0), false
	for _, d := range board.Directions {
		if _, reward, moved := b.Slide(d); moved && (!found || reward > maximum) {
			best, maximum, found = d, reward, true
		}
	}
	return best
}

func byNetwork(n *ntuple.Network) policy {
	return func(b *board.Board) (best board.Direction) {
		maximum, found := float32(0), false
		for _, d := range board.Directions {
			after, reward, moved := b.Slide(d)
			w, _ := ntuple.Pack(&after)
			if v := n.Value(w) + float32(reward); moved && (!found || v > maximum) {
				best, maximum, found = d, v, true
			}
		}
		return best
	}
}

// future is what a policy leads to.
type future struct {
	made          [8]float64 // chance to have a tile of an exponent
	score, length float64    // still to come
}

func (f *future) add(g *future, p float64) {
	for e := range f.made {
		f.made[e] += p * g.made[e]
	}
	f.score += p * g.score
	f.length += p * g.length
}

// solver computes the future of every board exactly.
type solver struct {
	policy policy
	known  map[board.Board]*future
}

func (s *solver) after(b board.Board) (f future) {
	free := float64(b.Empty())
	for i := range b.Size().Cells() {
		if b.Cell(i) != 0 {
			continue
		}
		for e, p := range []float64{1: 1 - game.P4, 2: game.P4} {
			if p > 0 {
				with := b
				with.Set(i, uint8(e))
				f.add(s.spawned(with), p/free)
			}
		}
	}
	return f
}

func (s *solver) spawned(b board.Board) *future {
	if f := s.known[b]; f != nil {
		return f
	}
	f := new(future)
	if b.Terminal() {
		for e := range f.made {
			if uint8(e) <= b.Largest() {
				f.made[e] = 1
			}
		}
	} else {
		after, reward, _ := b.Slide(s.policy(&b))
		*f = s.after(after)
		f.score += float64(reward)
		f.length++
	}
	s.known[b] = f
	return f
}

// boards are positions of random games with a choice of moves.
func boards(size board.Size, n int) (all []eval.Position) {
	r := rand.New(rand.NewPCG(9, uint64(10*size.Rows+size.Cols)))
	for len(all) < n {
		at := eval.Position{Board: board.New(size)}
		spawns := game.NewRandom(r.Uint64(), 0, game.P4)
		spawns.Place(&at.Board, spawns.Draw())
		for range 1 + r.IntN(8*size.Cells()) {
			spawns.Place(&at.Board, spawns.Draw())
			if at.Board.Terminal() {
				break
			}
			d := board.Direction(r.IntN(4))
			after, reward, moved := at.Board.Slide(d)
			for !moved {
				d = (d + 1) % 4
				after, reward, moved = at.Board.Slide(d)
			}
			at = eval.Position{Board: after, Score: at.Score + reward}
		}
		if !at.Board.Terminal() {
			all = append(all, at)
		}
	}
	return all
}

// tally counts how often intervals cover the true value.
type tally struct{ covered, all int }

func (c *tally) add(truth, low, high float64) {
	c.all++
	if low-1e-9 <= truth && truth <= high+1e-9 {
		c.covered++
	}
}

// check fails if the rate is below 95 % by more than 3.5 standard errors.
func (c *tally) check(t *testing.T, what string) {
	t.Helper()
	t.Logf("%s: %d of %d intervals cover", what, c.covered, c.all)
	minimum := 0.95*float64(c.all) - 3.5*math.Sqrt(0.95*0.05*float64(c.all))
	if float64(c.covered) < minimum {
		t.Errorf("%s: %d of %d 95 %% intervals cover, want %.0f or more", what, c.covered, c.all, minimum)
	}
}

// first is the first legal move. One move of each board is tested, as the moves share their spawns
// and the best one is selected by the games.
func first(r *Odds) board.Direction {
	for _, d := range board.Directions {
		if r.Moves[d].Legal {
			return d
		}
	}
	panic("no move")
}

// On boards that can be solved the intervals cover the exact values at the promised rate: of the
// chances by games that end at a tile, of the score and of the length.
func TestExactValues(t *testing.T) {
	for _, c := range []struct {
		size, spec string
		policy     policy
	}{
		{"2x2", "greedy", greedily},
		{"2x3", "greedy", greedily},
		{"2x3", "ntuple(model=2x3)", byNetwork(trained(t, "2x3"))},
		{"3x2", "ntuple(model=3x2)", byNetwork(trained(t, "3x2"))},
	} {
		t.Run(fmt.Sprint(c.size, " ", c.spec), func(t *testing.T) {
			size := must.Get(board.ParseSize(c.size))(t)
			s := solver{c.policy, map[board.Board]*future{}}
			m := maker(t, c.spec)
			var chance, rare, score, length tally
			for i, at := range boards(size, soak.Pick(15, soak.Count(40, 200))) {
				r := play(t, m, at, Options{Games: 400, Seed: uint64(i), WholeEvery: 2})
				d := first(r)
				after, reward, _ := at.Board.Slide(d)
				truth := s.after(after)
				_, ci, _ := r.Chance(d, r.Goal())
				chance.add(truth.made[r.Goal()], ci.Low, ci.High)
				if e := r.Goal() + 2; int(e) < len(truth.made) && e <= r.Tiles[len(r.Tiles)-1] {
					_, ci, _ = r.Chance(d, e)
					rare.add(truth.made[e], ci.Low, ci.High)
				}
				ci = r.Moves[d].Score.Interval()
				score.add(float64(at.Score+reward)+truth.score, ci.Low, ci.High)
				ci = r.Moves[d].Length.Interval()
				length.add(1+truth.length, ci.Low, ci.High)
			}
			chance.check(t, "chance of the next tile")
			rare.check(t, "chance of a tile by whole games")
			score.check(t, "score")
			length.check(t, "length")
		})
	}
}

// simulate plays games after a move, plainly, and returns the share that made a tile and the mean
// score.
func simulate(at eval.Position, move board.Direction, goal uint8, policy policy, games int) (share, score float64) {
	for i := range games {
		spawns := game.NewRandom(^uint64(0), uint64(i), game.P4)
		b, total, _ := at.Board.Slide(move)
		for total += at.Score; ; {
			spawns.Place(&b, spawns.Draw())
			if b.Terminal() {
				break
			}
			after, reward, _ := b.Slide(policy(&b))
			b, total = after, total+reward
		}
		if b.Largest() >= goal {
			share++
		}
		score += float64(total)
	}
	return share / float64(games), score / float64(games)
}

// On 4x4 the intervals cover the results of long plain simulations at the promised rate. The noise
// of a simulation with 10 times the games costs 1 % of it.
func TestLongSimulations(t *testing.T) {
	const games, long = 50, 10
	for _, c := range []struct {
		spec   string
		policy policy
		boards int
	}{
		{"greedy", greedily, soak.Pick(8, soak.Count(20, 200))},
		{"ntuple(model=4x4,downgrade=0)", byNetwork(trained(t, "4x4")), soak.Count(2, 200)},
	} {
		m := maker(t, c.spec)
		var chance, score tally
		for i, at := range boards(board.Size{Rows: 4, Cols: 4}, c.boards) {
			r := play(t, m, at, Options{Games: games, Seed: uint64(i), WholeEvery: 1, Tiles: []uint8{8}})
			d := first(r)
			share, mean := simulate(at, d, 8, c.policy, games*long)
			_, ci, _ := r.Chance(d, 8)
			chance.add(share, ci.Low, ci.High)
			ci = r.Moves[d].Score.Interval()
			score.add(mean, ci.Low, ci.High)
		}
		chance.check(t, c.spec+": chance of a 256")
		score.check(t, c.spec+": score")
	}
}

// Where two moves are equal by symmetry, the other one is trusted at most at the rate of 2.5 %.
func TestFalseVerdicts(t *testing.T) {
	m := maker(t, "random")
	wrong, all := 0, soak.Pick(100, soak.Count(300, 6000))
	for i := range all {
		// Left and right are mirror images, and merge; down does not.
		r := play(t, m, position(t, "4,4/0,0"), Options{Games: 256, Seed: uint64(i)})
		if v, _ := r.Compare(board.Left); v.Trusted != board.Left {
			wrong++
		}
	}
	t.Logf("%d of %d wrong", wrong, all)
	if maximum := 0.025*float64(all) + 3.5*math.Sqrt(0.025*0.975*float64(all)); float64(wrong) > maximum {
		t.Errorf("%d of %d are wrong, want %.0f or fewer", wrong, all, maximum)
	}
}
