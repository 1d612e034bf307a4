package endings

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// plainOf is a plain reference implementation of Of, on a list of exponents.
func plainOf(b bitboard.Board) (view bitboard.Board, walls int) {
	var tiles []uint8
	for i := range 16 {
		tiles = append(tiles, b.Cell(i))
	}
	count := func(e uint8) (n int) {
		for _, t := range tiles {
			if t == e {
				n++
			}
		}
		return n
	}
	if count(15) > 0 {
		return madeView, Made
	}
	for e := uint8(14); e >= 9 && count(e) > 0; e-- {
		if count(e) > 1 {
			return b, Complete
		}
		walls++
	}
	for i, t := range tiles {
		if int(t) > 14-walls {
			b |= Wall << (4 * i)
		}
	}
	return b, walls
}

func random(r *rand.Rand) (b bitboard.Board) {
	for i := range 16 {
		switch r.IntN(4) {
		case 0:
			if r.IntN(3) > 0 {
				break
			}
			b |= bitboard.Board(r.IntN(16)) << (4 * i)
		case 1:
			b |= bitboard.Board(r.IntN(9)) << (4 * i)
		}
	}
	for e := 14 - r.IntN(8) + 1; e < 15; e++ { // often one of each large tile
		i := r.IntN(16)
		b = b&^(15<<(4*i)) | bitboard.Board(e)<<(4*i)
	}
	return b
}

func TestOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[int]int{}
	for range 200_000 {
		b := random(r)
		got, walls := Of(b)
		if want, n := plainOf(b); got != want || walls != n {
			t.Fatalf("%v: %016x with %d walls, want %016x with %d", b.Board(), uint64(got), walls, uint64(want), n)
		}
		seen[walls]++
	}
	for walls := range Made + 1 {
		if seen[walls] < 100 {
			t.Errorf("only %d boards with %d walls", seen[walls], walls)
		}
	}
}

// A slide of the view is the view of the slide, until a goal is made.
func checkSlides(t *testing.T, b bitboard.Board) {
	view, walls := Of(b)
	if walls > MaxWalls {
		return
	}
	for _, d := range board.Directions {
		real, reward, moved := b.Slide(d)
		slid, viewReward, viewMoved := view.Slide(d)
		want, n := Of(real)
		if moved != viewMoved || reward != viewReward || n < walls || n == walls && slid != want {
			t.Fatalf("%v %v: %016x with reward %d, want %016x with %d walls and reward %d",
				b.Board(), d, uint64(slid), viewReward, uint64(want), n, reward)
		}
		if n != walls && cells(slid, Goal(walls)) == 0 {
			t.Fatalf("%v %v: %d walls without a goal", b.Board(), d, n)
		}
	}
}

func TestSlides(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 100_000 {
		checkSlides(t, random(r))
	}
}

func FuzzSlides(f *testing.F) {
	f.Add(uint64(0x00000000009aedcb)) // six walls
	f.Add(uint64(0x00000000998bedca)) // two 512s
	f.Fuzz(func(t *testing.T, b uint64) { checkSlides(t, bitboard.Board(b)) })
}

// A slide of the lowered board is the lowered slide, until a 16384 is made.
func TestLower(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	lowered := 0
	for range 200_000 {
		b := random(r)
		low := Lower(b)
		has32768, has16384 := cells(b, 15) != 0, cells(b, 14) != 0
		if (low != b) != (has32768 && !has16384) {
			t.Fatalf("%v became %v", b.Board(), low.Board())
		}
		if tiles := cells(b, 15); low == b || tiles&(tiles-1) != 0 { // two 32768s would merge
			continue
		}
		lowered++
		for _, d := range board.Directions {
			real, reward, moved := b.Slide(d)
			slid, lowReward, lowMoved := low.Slide(d)
			if moved != lowMoved || reward != lowReward || reward < 1<<14 && slid != Lower(real) {
				t.Fatalf("%v %v: %v, and of the lowered board %v", b.Board(), d, real.Board(), slid.Board())
			}
		}
	}
	if lowered < 1000 {
		t.Errorf("only %d boards have a 32768 and no 16384", lowered)
	}
}

func TestGoal(t *testing.T) {
	for walls, want := range []int64{16384, 8192, 4096, 2048, 1024, 512, 512} {
		must.Equal(t, board.Tile(Goal(walls)), want, "goal for", walls, "walls")
	}
}

func TestStart(t *testing.T) {
	r := rand.NewPCG(3, 1)
	for walls := 1; walls <= MaxWalls; walls++ {
		layouts := map[bitboard.Board]int{}
		for range 2000 {
			b := Start(walls, r)
			view, now := Of(b)
			if bits.OnesCount64(cells(view, Wall)) != walls || now != walls || b.Terminal() || 2*Small(view) >= board.Tile(Goal(walls)) || Small(view) < 2 {
				t.Fatalf("%d walls: %v", walls, b.Board())
			}
			layouts[bitboard.Board(cells(view, Wall))]++
		}
		if walls == MaxWalls && len(layouts) < 20 {
			t.Errorf("%d layouts of six walls, want many", len(layouts))
		}
	}
}

func TestCompleted(t *testing.T) {
	for text, want := range map[string]bool{
		"16384,8192,4096,2048/1024,512,512,4/2,0,0,0/0,0,0,0":      true,
		"16384,8192,4096,4096/8,0,0,4/2,0,0,0/0,0,0,0":             true,
		"16384,8192,4096,4096/1024,512,256,4/2,0,0,0/0,0,0,0":      false,
		"16384,8192,4096,2048/1024,512,512,4/256,256,64,0/0,0,0,0": false,
	} {
		full := must.Get(board.Parse(text))(t)
		b, _ := bitboard.From(&full)
		if _, walls := Of(b); walls != Complete || Completed(b) != want {
			t.Errorf("%s: %d walls, completed %v", text, walls, Completed(b))
		}
	}
}
