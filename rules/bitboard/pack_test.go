package bitboard_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// pair is a true board and the packed board that represents it.
type pair struct {
	full   board.Board
	packed bitboard.Board
	ranks  *bitboard.Ranks
}

// slides compares all slides of both and returns those that change something.
func (p *pair) slides(t tester) []pair {
	t.Helper()
	var want [4]board.Afterstate
	p.full.Afterstates(&want)
	var got [4]bitboard.Afterstate
	p.packed.Afterstates(&got)
	after := make([]pair, 0, 4)
	for d := range want {
		if got[d].Moved != want[d].Moved || p.ranks.Unpack(got[d].Board) != want[d].Board {
			t.Fatalf("%v of %v: moved %v to %v, packed %v %v to %v, which means %v", board.Direction(d), p.full,
				want[d].Moved, want[d].Board, p.packed.Board(), got[d].Moved, got[d].Board.Board(), p.ranks.Unpack(got[d].Board))
		}
		if want[d].Moved {
			after = append(after, pair{want[d].Board, got[d].Board, p.ranks})
		}
	}
	if dead := len(after) == 0; p.packed.Terminal() != dead {
		t.Fatalf("%v, packed %v: Dead() = %v", p.full, p.packed.Board(), !dead)
	}
	return after
}

func (p *pair) spawn(n int, exponent uint8) pair {
	s := *p
	s.full.PlaceNth(n, exponent)
	s.packed = s.packed.PlaceNth(n, exponent)
	return s
}

// pack packs a board and checks that unpacking restores it.
func pack(t tester, full board.Board, moves int) (p pair, ok bool) {
	t.Helper()
	packed, ranks, ok := bitboard.Pack(&full, moves)
	if !ok {
		return p, false
	}
	if ranks.Unpack(packed) != full {
		t.Fatalf("%v for %d moves: packed %v, which means %v", full, moves, packed.Board(), ranks.Unpack(packed))
	}
	for i := 1; i < len(ranks); i++ {
		if ranks[0] != 0 || ranks[1] != 1 || ranks[2] != 2 || ranks[i] <= ranks[i-1] {
			t.Fatalf("%v for %d moves: ranks %v", full, moves, ranks)
		}
	}
	b, plain := bitboard.From(&full)
	if plain && full.Sum()+4*int64(moves) < 65536 && (packed != b || ranks != bitboard.IdentityRanks) {
		t.Fatalf("%v for %d moves: packed %v with ranks %v, no need", full, moves, packed.Board(), ranks)
	}
	return pair{full, packed, &ranks}, true
}

// wander makes a number of random moves.
func (p pair) wander(t tester, r *rand.Rand, moves int) {
	t.Helper()
	for ; moves > 0; moves-- {
		after := p.slides(t)
		if len(after) == 0 {
			return
		}
		p = after[r.IntN(len(after))]
		p = p.spawn(r.IntN(p.full.Empty()), uint8(1+r.IntN(2)))
	}
	p.slides(t)
}

// hunt makes moves that merge as much as possible: the best move and the best spawn for it.
func (p pair) hunt(t tester, r *rand.Rand, moves int) {
	t.Helper()
	for ; moves > 0; moves-- {
		maximum := -1
		var best pair
		for _, after := range p.slides(t) {
			for n := range after.full.Empty() {
				for e := uint8(1); e <= 2; e++ {
					next := after.spawn(n, e)
					if worth := 8*merges(&next.full) + r.IntN(8); worth > maximum {
						maximum, best = worth, next
					}
				}
			}
		}
		if maximum < 0 {
			return
		}
		p = best
	}
	p.slides(t)
}

// merges holds the largest numbers of merges on a board and in one slide of it.
func merges(b *board.Board) (maximum int) {
	var all [4]board.Afterstate
	b.Afterstates(&all)
	for d := range all {
		maximum = max(maximum, all[d].Board.Empty())
	}
	return maximum
}

// everywhere makes all sequences of a number of moves.
func (p pair) everywhere(t tester, moves int) {
	t.Helper()
	for _, after := range p.slides(t) {
		if moves == 0 {
			continue
		}
		for n := range after.full.Empty() {
			for e := uint8(1); e <= 2; e++ {
				after.spawn(n, e).everywhere(t, moves-1)
			}
		}
	}
}

// follow makes several sequences of moves with a board, packed if possible, and downgraded.
func follow(t tester, r *rand.Rand, full board.Board, moves int) bool {
	t.Helper()
	p, ok := pack(t, full, moves)
	if ok {
		p.wander(t, r, moves)
		p.hunt(t, r, moves)
	}
	if packed, ranks, ok := bitboard.Downgrade(&full, moves, uint8(5+r.IntN(11))); ok {
		d := pair{full, packed, &ranks}
		if ranks.Unpack(packed) != full {
			t.Fatalf("%v for %d moves: downgraded to %v, which means %v", full, moves, packed.Board(), ranks.Unpack(packed))
		}
		d.wander(t, r, moves)
		d.hunt(t, r, moves)
	}
	downgradeInNibbles(t, r, &full, moves)
	return ok
}

// downgradeInNibbles compares the method with the function, and Reaches with its definition.
func downgradeInNibbles(t tester, r *rand.Rand, full *board.Board, moves int) {
	t.Helper()
	b, plain := bitboard.From(full)
	if !plain {
		return
	}
	for e := uint8(1); e <= bitboard.MaxExponent; e++ {
		if got := b.HasTile(e); got != (full.Largest() >= e) {
			t.Fatalf("%v reaches 2^%d: %v", full, e, got)
		}
	}
	minimum := uint8(5 + r.IntN(11))
	want, _, ok := bitboard.Downgrade(full, moves, minimum)
	if got := b.Downgrade(moves, minimum); ok && got != want {
		t.Fatalf("%v for %d moves below 2^%d: %v, want %v", full, moves, minimum, got.Board(), want.Board())
	}
	lowerOnce(t, b, moves, minimum)
}

// lowerOnce checks the shortcut of searches: a board may be lowered before a spawn, and a slide
// that merges nothing above the lowest gap may be made afterwards.
func lowerOnce(t tester, b bitboard.Board, moves int, minimum uint8) {
	t.Helper()
	for e := uint8(1); e <= 2; e++ {
		lowered, gap := b.Lower(4*moves+1<<e, minimum)
		for free := b.EmptyMask(); free != 0; free &= free - 1 {
			tile := bitboard.Board(free&-free) << (e - 1)
			spawned, got := b|tile, lowered|tile
			if want := spawned.Downgrade(moves, minimum); got != want {
				t.Fatalf("%v on %v for %d moves below 2^%d: %v, want %v", tile.Board(), b.Board(), moves, minimum, got.Board(), want.Board())
			}
			if got == spawned {
				continue
			}
			for d := range board.Direction(4) {
				after, reward, moved := got.Slide(d)
				real, _, _ := spawned.Slide(d)
				if moved && reward < 1<<gap && after.Downgrade(moves, minimum) != real.Downgrade(moves, minimum) {
					t.Fatalf("%v of %v for %d moves below 2^%d: %v, want %v", d, spawned.Board(), moves, minimum, after.Board(), real.Board())
				}
			}
		}
	}
}

// A board of any tiles, most of them up to 131072 or up to the largest there are.
func TestPackAnyBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := board.New(bitboard.Size)
		minimum := rapid.SampledFrom([]uint8{0, 0, 8, 14}).Draw(t, "minimum")
		maximum := rapid.SampledFrom([]uint8{14, 15, 16, 17, board.MaxExponent}).Draw(t, "maximum")
		for i := range 16 {
			if rapid.Bool().Draw(t, "tile") {
				full.Set(i, rapid.Uint8Range(minimum, maximum).Draw(t, "exponent"))
			}
		}
		moves := rapid.IntRange(0, 40).Draw(t, "moves")
		follow(t, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), full, moves)
	})
}

// ladder draws a board as strong players reach it late in the game, in snake order: large tiles, each
// at most once, then small ones. Such tiles merge one after another up to the first missing one.
func ladder(r *rand.Rand) board.Board {
	full := board.New(bitboard.Size)
	top := uint8(16 + r.IntN(2))
	if r.IntN(4) == 0 {
		top = uint8(18 + r.IntN(board.MaxExponent-17))
	}
	missing := 1 + r.IntN(8)
	e, i := top, 0
	for ; e > 0 && i < 14; e-- {
		if e < top && (e > 17 || r.IntN(int(top)) < missing) {
			continue
		}
		full.Set(snake(i), e)
		if i++; r.IntN(8) == 0 {
			full.Set(snake(i), e)
			i++
		}
	}
	for free := r.IntN(5); i < 16-free; i++ {
		full.Set(snake(i), uint8(1+r.IntN(2)))
	}
	return full
}

// snake is the i-th cell on the way along one row and back along the next.
func snake(i int) int {
	if r := i / 4; r%2 == 1 {
		return 4*r + 3 - i%4
	}
	return i
}

// Boards on which a tile that must not appear would appear soon.
func TestPackLadders(t *testing.T) {
	n := 4000
	if testing.Short() || !soak.Wanted() {
		n = 400
	}
	packed := 0
	r := rand.New(rand.NewPCG(1, 0))
	for range n {
		full := ladder(r)
		for _, moves := range []int{1 + r.IntN(5), 1 + r.IntN(60)} {
			if follow(t, r, full, moves) {
				packed++
			}
		}
	}
	if packed < n/2 || packed > 3*n/2 {
		t.Errorf("%d of %d boards were packed", packed, 2*n)
	}
}

// The board has every tile from 2^minimum to 65536 once, except one. Its sum is 2^minimum less than
// what makes the missing tile, or two 32768, so 4 per move must be less than 2^minimum.
func TestPackLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	for minimum := 3; minimum < 10; minimum++ {
		for missing := minimum + 1; missing < 16; missing++ {
			full := board.New(bitboard.Size)
			i := 0
			for e := 16; e >= minimum; e-- {
				if e != missing {
					full.Set(snake(i), uint8(e))
					i++
				}
			}
			limit := 1 << (minimum - 2)
			for _, moves := range []int{0, 1, limit / 2, limit - 1, limit, limit + 1, 4 * limit} {
				must.Equal(t, follow(t, r, full, moves), moves < limit, full, "for", moves, "moves")
			}
		}
	}
}

// Known boards and their packed form for a number of moves, "" if they cannot be packed.
func TestPackKnown(t *testing.T) {
	for _, c := range []struct {
		board string
		moves int
		want  string
	}{
		{"0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", 1000, "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0"},
		{"32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,4,2,0", 0, "32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,4,2,0"},
		{"32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,4,2,0", 1, ""},
		{"32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,4,0,0", 1, ""},
		{"32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,2,0,0", 1, "32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,2,0,0"},
		{"65536,32768,16384,8192/4096,2048,1024,512/256,128,64,32/16,0,0,0", 1, "32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,0,0,0"},
		{"65536,32768,16384,8192/4096,2048,1024,512/256,128,64,32/16,4,0,0", 1, ""},
		{"65536,32768,16384,8192/4096,2048,1024,512/256,128,64,32/16,8,4,2", 0, ""},
		{"65536,32768,16384,8192/4096,2048,1024,512/256,128,64,32/16,8,4,2", 1, ""},
		{"65536,32768,16384,8192/4096,2048,1024,512/256,128,64,16/8,4,0,0", 0, "32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,4,0,0"},
		{"65536,32768,16384,8192/4096,2048,1024,512/256,128,64,16/8,4,0,0", 1, ""},
		{"32768,32768,0,0/0,0,0,0/0,0,0,0/0,0,0,2", 1, "16384,16384,0,0/0,0,0,0/0,0,0,0/0,0,0,2"},
		{"131072,65536,8192,4/2,0,0,0/0,0,0,0/0,0,0,0", 8, "32768,16384,2048,4/2,0,0,0/0,0,0,0/0,0,0,0"},
		{"281474976710656,2,4,8/2,4,2,4/4,2,4,2/2,4,2,4", 4, "32768,2,4,8/2,4,2,4/4,2,4,2/2,4,2,4"},
	} {
		full := parse(t, c.board)
		p, ok := pack(t, full, c.moves)
		if !ok {
			must.Equal(t, "", c.want, c.board, "for", c.moves, "moves")
			continue
		}
		if got := p.packed.Board(); got.String() != c.want {
			t.Errorf("%s for %d moves is packed as %v, want %q", c.board, c.moves, got, c.want)
		}
		p.everywhere(t, min(c.moves, 1))
	}
	for _, full := range otherSizes() {
		if _, _, ok := bitboard.Pack(&full, 1); ok {
			t.Errorf("a board of %v is packed", full.Size())
		}
	}
}
