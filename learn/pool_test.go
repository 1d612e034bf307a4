package learn

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Milestones of a restart tile of 2^5 lie 16 apart, from 32 on.
func TestMilestone(t *testing.T) {
	p := newPool(5)
	for _, c := range []struct {
		b    bitboard.Board
		want int // -1: none
	}{
		{0x4, -1}, {0x44, -1}, {0x4444, -1}, // no tile is a 32
		{0x5, 0}, {0x35, 0}, {0x335, 1}, {0x45, 1}, {0x12345, 1},
		{0x6, 2}, {0x1_0000_0055, 2}, {0x445, 2}, {0x7, 6},
		{0xa, 31}, {0xa4, 31}, {0xf, 31}, {0xffff_ffff_ffff_ffff, 31},
	} {
		got, ok := p.milestone(c.b)
		if !ok {
			got = -1
		}
		must.Equal(t, got, c.want, uint64(c.b), "milestone")
		if ok && got < milestones-1 && (uint64(c.b.Sum()) < milestoneSum(got, 5) || uint64(c.b.Sum()) >= milestoneSum(got+1, 5)) {
			t.Errorf("%x: a sum of %d at %d", uint64(c.b), uint64(c.b.Sum()), milestoneSum(got, 5))
		}
	}
}

// All milestones with enough boards have equal shares of the restarts, for any numbers of boards.
func TestTake(t *testing.T) {
	p := newPool(5)
	r := rand.NewPCG(1, 2)
	put := func(m, n int) {
		for range n {
			p.put(m, bitboard.Board(m+1), r)
		}
	}
	put(0, minStored-1)
	if _, _, ok := p.take(0, r); ok {
		t.Error("a board of too few")
	}
	put(3, perMilestone+100)
	put(5, minStored)
	put(7, 50)
	var counts [milestones]int
	for range 3000 {
		b, m, ok := p.take(0, r)
		if !ok || int(b) != m+1 {
			t.Fatalf("board %d of milestone %d, %v", b, m, ok)
		}
		counts[m]++
	}
	for m, n := range counts {
		if chosen := m == 3 || m == 5 || m == 7; chosen && (n < 850 || n > 1150) || !chosen && n > 0 {
			t.Errorf("milestone %d: %d of 3000", m, n)
		}
	}
	must.Equal(t, len(p.all()), minStored-1+perMilestone+minStored+50, "boards")
}

// Training stores boards as documented, and restarts come from all milestones.
func TestRestarts(t *testing.T) {
	starts := map[uint64]uint64{}
	var restarted, fresh uint64
	tr := trainer(t, Options{
		Network: network(t, size3, "2x3"), Coherent: true, RestartShare: 0.5, RestartTile: 32, Games: 1200, ReportEvery: 100,
		Report: func(i Interval) {
			fresh += i.Fresh.Games
			restarted += i.Restarted.Games
			for _, s := range i.Starts {
				starts[s.TileSum] += s.Games
				if s.Games == 0 || s.TileSum < 32 || s.TileSum%16 != 0 {
					t.Errorf("%+v", s)
				}
			}
		},
	})
	must.Do(t, tr.Run(context.Background()))
	sum := uint64(0)
	for _, n := range starts {
		sum += n
	}
	if sum != restarted || fresh+restarted != 1200 || restarted < 500 || restarted > 650 {
		t.Errorf("%d restarts, %d by start, %d fresh games", restarted, sum, fresh)
	}
	if len(starts) < 5 {
		t.Errorf("starts: %v", starts)
	}
	for m, boards := range gamesIn(tr).boards {
		for _, b := range boards {
			if got, ok := gamesIn(tr).milestone(b); !ok || got != m {
				t.Errorf("%x stored as %d, is %d", uint64(b), m, got)
			}
		}
	}
}

// A game stores at most one board of each milestone, none of the milestone that it started from, and boards
// only after moves with a sufficient reward.
func TestStored(t *testing.T) {
	tr := trainer(t, Options{Network: network(t, size3, "2x3"), RestartShare: 1, RestartTile: 16, Games: 1})
	w := gamesIn(tr).thread()
	last := bitboard.Board(0)
	stored, put := 0, w.merged
	w.trace = func(b bitboard.Board) { last = b }
	w.merged = func(b bitboard.Board) {
		before, had := w.passed, len(gamesIn(tr).all())
		put(b)
		if grew := len(gamesIn(tr).all()) - had; grew > 1 || (grew == 1) != (w.passed > before) {
			t.Errorf("%d boards after milestone %d, then %d", grew, before, w.passed)
		} else if grew == 1 {
			stored++
			if !leads(w, last, b, 8) {
				t.Errorf("%x after %x stored", uint64(b), uint64(last))
			}
		}
	}
	for i := range uint64(100) {
		gamesIn(tr).game(w, i)
	}
	if stored < 100 {
		t.Errorf("%d boards stored", stored)
	}
}

// leads reports whether a move of the given reward and a spawn turn one board into another.
func leads(w *thread[bitboard.Board], from, to bitboard.Board, reward int32) bool {
	var after [4]bitboard.Afterstate
	w.kind.(*onWords).rules.afterstates(from, &after)
	for _, a := range after {
		if added := to ^ a.Board; a.Moved && a.Reward >= reward && added&(added-1) == 0 {
			return true
		}
	}
	return false
}
