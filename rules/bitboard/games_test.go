package bitboard_test

import (
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// greedy returns a move of the largest reward.
func greedy(r *rand.Rand, all *[4]board.Afterstate) (best board.Direction) {
	maximum := int64(-1)
	for _, i := range r.Perm(4) {
		if all[i].Moved && all[i].Reward > maximum {
			best, maximum = board.Direction(i), all[i].Reward
		}
	}
	return best
}

// atRandom is any legal move.
func atRandom(r *rand.Rand, all *[4]board.Afterstate) board.Direction {
	for {
		if i := r.IntN(4); all[i].Moved {
			return board.Direction(i)
		}
	}
}

// Whole games are equal on board and bitboard.
func TestGames(t *testing.T) {
	games := uint64(300)
	if testing.Short() || !soak.Wanted() {
		games = 50
	}
	begins := []string{"0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "8192,8192,4096,2048/16384,32768,0,0/0,0,0,0/0,0,0,0"}
	for name, choose := range map[string]func(*rand.Rand, *[4]board.Afterstate) board.Direction{"greedy": greedy, "random": atRandom} {
		t.Run(name, func(t *testing.T) {
			over, tooLarge := 0, 0
			for _, begin := range begins {
				for i := range games {
					r := rand.New(rand.NewPCG(1, i))
					full := play(t, r, parse(t, begin), choose)
					if full.Largest() > bitboard.MaxExponent {
						tooLarge++
					} else if full.Terminal() {
						over++
					}
				}
			}
			if over < int(games) || tooLarge == 0 || over+tooLarge != int(games)*len(begins) {
				t.Errorf("%d games over, %d with too large a tile", over, tooLarge)
			}
		})
	}
}

// play plays until the game is over or has a tile above 32768, which a bitboard
// cannot hold. It returns the last board.
func play(t tester, r *rand.Rand, full board.Board, choose func(*rand.Rand, *[4]board.Afterstate) board.Direction) board.Board {
	t.Helper()
	b := from(t, full)
	for {
		n, e := r.IntN(full.Empty()), uint8(1+r.IntN(10)/9)
		full.PlaceNth(n, e)
		b = b.PlaceNth(n, e)
		checkCounts(t, b, full)
		checkSlides(t, b)
		if full.Terminal() {
			return full
		}
		var all [4]board.Afterstate
		full.Afterstates(&all)
		d := choose(r, &all)
		full = all[d].Board
		if _, ok := bitboard.From(&full); !ok {
			return full
		}
		b, _, _ = b.Slide(d)
		checkCounts(t, b, full)
	}
}
