package learn

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// opening sets a rollout to game number index of a seed, after its first tile.
func opening(size board.Size, r *Rollout, seed, index uint64) {
	*r = Rollout{Tag: index}
	r.Spawn.Seed(seed, index)
	b := board.New(size)
	spawner.Place(&b, r.Spawn.Uint64())
	r.Place(&b)
}

var spawner = game.NewRandom(0, 0, game.P4)

func never() bool { return false }

// The games in lockstep are those of Play, whatever the number of lanes.
func TestRollouts(t *testing.T) {
	downgrading := trained(t, size4, "5x4")
	downgrading.Downgrade = 8
	wide := trained(t, board.Size{Rows: 4, Cols: 5}, "0123 0156")
	wide.Downgrade = 8
	for _, n := range []*ntuple.Network{
		downgrading, trained(t, size4, "2x4", ntuple.Stage{}, ntuple.Stage{7}), trained(t, size3, "3x4"), wide,
	} {
		want := must.Get(Play(t.Context(), PlayOptions{Network: n, Seed: 3, Games: 20}))(t)
		for _, lanes := range []int{1, 3, 32} {
			got := make([]Outcome, len(want))
			index := uint64(0)
			NewRollouts(n, lanes, game.P4).Play(never, func(r *Rollout) bool {
				opening(n.Size, r, 3, index)
				index++
				return index <= uint64(len(want))
			}, func(r *Rollout) {
				must.Equal(t, r.End, GameOver, "game", r.Tag, "ended with")
				got[r.Tag] = Outcome{Score: r.Score, Moves: r.Moves, Final: r.Wide}
				if !n.Wide() {
					got[r.Tag].Final = ntuple.Unpack(r.Board, n.Size)
				}
			})
			for i := range want {
				must.Equal(t, got[i], want[i], n.Size, lanes, "lanes, game", i)
			}
		}
	}
}

// A game ends at the first afterstate with the tile after the least number of moves; two tiles of
// 32768 end it at once, before the spawn is drawn.
func TestRolloutEnds(t *testing.T) {
	n := trained(t, size4, "5x4")
	n = n.WithDowngrade(10)
	parse := func(text string) bitboard.Board {
		b := must.Get(board.Parse(text))(t)
		w, _ := ntuple.Pack(&b)
		return w
	}
	play := func(r Rollout) Rollout {
		first := true
		var end Rollout
		NewRollouts(n, 2, game.P4).Play(never, func(next *Rollout) bool {
			*next, first = r, !first
			return !first
		}, func(r *Rollout) { end = *r })
		return end
	}
	some := Rollout{Until: 5}
	if r := play(some); r.End != Made || largest(r.Board) != 5 || r.Moves < 8 {
		t.Errorf("until a 32: %+v", r)
	}
	some.Least = 40
	if r := play(some); r.End != Made || r.Moves != 40 || largest(r.Board) < 5 {
		t.Errorf("until a 32 and 40 moves: %+v", r)
	}
	if r := play(Rollout{Last: 7, Moves: 1}); r.End != Stopped || r.Moves != 7 {
		t.Errorf("until move 7: %+v", r)
	}
	some.Board = parse("32,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0")
	some.Moves = 41
	must.Equal(t, play(some), (Rollout{Board: some.Board, Moves: 41, Until: 5, Least: 40, End: Made}), "with a 32")
	some = Rollout{Board: parse("32768,0,0,0/0,32768,0,0/0,0,0,0/0,0,0,0"), Moves: 1}
	must.Equal(t, play(some), (Rollout{Board: some.Board, Moves: 1, End: TooLarge}), "with two tiles of 32768")
	some.Board = parse("32768,16384,16384,0/0,0,0,0/0,0,0,0/0,0,0,0")
	if r := play(some); r.End != TooLarge && r.End != GameOver || r.End == TooLarge != r.Board.PairOfLargest() {
		t.Errorf("about to make the second 32768: %+v", r)
	}
}

// Rollouts end soon after stop returns true, and the games that had not ended are not reported.
func TestRolloutsStop(t *testing.T) {
	n := trained(t, size4, "5x4")
	begun, done, stops := 0, 0, 0
	NewRollouts(n, 4, game.P4).Play(func() bool { stops++; return stops == 3 }, func(r *Rollout) bool {
		opening(n.Size, r, 1, uint64(begun))
		begun++
		return true
	}, func(*Rollout) { done++ })
	if stops != 3 || begun != done+4 {
		t.Errorf("%d games begun, %d done, asked %d times", begun, done, stops)
	}
}

// Rollouts allocate nothing.
func TestRolloutsAllocateNothing(t *testing.T) {
	n := trained(t, size4, "5x4")
	r := NewRollouts(n, 4, game.P4)
	index, last, moves := uint64(0), uint64(0), 0
	next := func(r *Rollout) bool {
		opening(n.Size, r, 1, index)
		index++
		return index <= last
	}
	done := func(r *Rollout) { moves += r.Moves }
	if got := testing.AllocsPerRun(3, func() {
		last = index + 20
		r.Play(never, next, done)
	}); got != 0 || moves < 1000 {
		t.Errorf("%v allocations in %d moves", got, moves)
	}
}

// BenchmarkRollouts plays on one thread; ns/op is a move. Play is [Play] on the same games.
func BenchmarkRollouts(b *testing.B) {
	for _, name := range []string{"4x6", "8x6"} {
		n := network(b, size4, name)
		w := newThread(n, &plain{n, newShared(0.1 / float32(n.Features()))})
		for index := range uint64(4000) {
			w.seed(1, index)
			w.play(w.fresh())
		}
		short := must.Get(n.Int16())(b)
		defer short.Close()
		b.Run(name+"/Play", func(b *testing.B) {
			w := newThread(short, frozen{})
			for moves, index := 0, uint64(1<<32); moves < b.N; index++ {
				w.seed(1, index)
				moves += w.play(w.fresh()).Moves
			}
		})
		for _, lanes := range []int{1, 2, 4, 8, 16, 32} {
			b.Run(fmt.Sprint(name, "/lanes=", lanes), func(b *testing.B) {
				r := NewRollouts(short, lanes, game.P4)
				moves, index := 0, uint64(1<<32)
				r.Play(func() bool { return moves >= b.N }, func(g *Rollout) bool {
					opening(size4, g, 1, index)
					index++
					return moves < b.N
				}, func(r *Rollout) { moves += r.Moves })
			})
		}
	}
}
