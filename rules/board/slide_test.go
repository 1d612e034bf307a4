package board

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
)

// sizes are all valid sizes.
func sizes() (all []Size) {
	for r := MinSide; r <= MaxSide; r++ {
		for c := MinSide; c <= MaxSide; c++ {
			all = append(all, Size{r, c})
		}
	}
	return all
}

// anyBoard draws a board of any size; few distinct tiles make merges common.
func anyBoard(t *rapid.T) Board {
	b := New(rapid.SampledFrom(sizes()).Draw(t, "size"))
	largest := rapid.SampledFrom([]uint8{1, 2, 3, 11, MaxExponent}).Draw(t, "largest")
	for i := range b.Size().Cells() {
		b.Set(i, rapid.Uint8Range(0, largest).Draw(t, "cell"))
	}
	return b
}

// applyMotions applies a list of motions.
func applyMotions(b Board, motions []Motion) (after Board, reward int64) {
	after = New(b.Size())
	for _, m := range motions {
		e := b.Cell(m.From)
		if m.Merged {
			reward += Tile(e + 1)
			e++
		}
		after.Set(m.To, e)
	}
	return after, reward / 2 // both halves of a merge counted it
}

func checkReference(t interface {
	Helper()
	Fatalf(string, ...any)
}, b Board) {
	t.Helper()
	for _, d := range Directions {
		fast, reward, moved := b.Slide(d)
		plain, plainReward := applyMotions(b, b.Motions(d))
		if fast != plain || reward != plainReward || moved != (plain != b) {
			t.Fatalf("%v of %v: fast %v reward %d moved %v, plain %v reward %d", d, b, fast, reward, moved, plain, plainReward)
		}
		six := Board{size: b.size}
		if r := b.slideSix(d, &six.rows); six != plain || r != plainReward {
			t.Fatalf("%v of %v by six rows: %v reward %d, want %v reward %d", d, b, six, r, plain, plainReward)
		}
	}
	var all [4]Afterstate
	b.Afterstates(&all)
	for _, d := range Directions {
		if after, reward, moved := b.Slide(d); all[d] != (Afterstate{after, reward, moved}) {
			t.Fatalf("%v of %v: all at once %+v, alone %v %d %v", d, b, all[d], after, reward, moved)
		}
	}
	dead := b.Sum() > 0 // an empty board is not dead, it only waits for its first tile
	for _, d := range Directions {
		_, _, moved := b.Slide(d)
		dead = dead && !moved
	}
	if b.Terminal() != dead {
		t.Fatalf("%v: Terminal() = %v", b, b.Terminal())
	}
}

func TestSlideEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkReference(t, anyBoard(t)) })
}

// Every line of up to four cells and sixteen exponents, in all four directions, next to three lines
// that must not affect it.
func TestSlideEveryRow(t *testing.T) {
	b := New(Size{4, 4})
	for line := range 1 << 16 {
		for r := range 4 {
			for c := range 4 {
				b.Set(4*r+c, uint8(line>>(4*((c+r)%4)))&15)
			}
		}
		checkReference(t, b)
	}
}

// Results of the original game's own code.
func TestOriginalRules(t *testing.T) {
	files, _ := filepath.Glob("testdata/original-rules-*.jsonl")
	if len(files) != 4 {
		t.Fatalf("found %d vector files, want 4", len(files))
	}
	for _, name := range files {
		f := must.Get(os.Open(name))(t)
		defer f.Close()
		lines := bufio.NewScanner(f)
		n := 0
		for ; lines.Scan(); n++ {
			var v struct {
				Board Board
				Moves map[Direction]struct {
					Moved  bool
					Reward int64
					After  Board
				}
				Over bool
			}
			must.Do(t, json.Unmarshal(lines.Bytes(), &v))
			for _, d := range Directions {
				after, reward, moved := v.Board.Slide(d)
				if w := v.Moves[d]; after != w.After || reward != w.Reward || moved != w.Moved {
					t.Errorf("%s line %d, %v: %v, %d, %v; want %+v", name, n+1, d, after, reward, moved, w)
				}
			}
			must.Equal(t, v.Board.Terminal(), v.Over, name, "line", n+1, "dead")
		}
		must.Equal(t, n, 250, name, "boards")
	}
}

// A slide commutes with every symmetry.
func TestSymmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		images := b.Symmetries()
		want := 4
		if b.Size().Rows == b.Size().Cols {
			want = 8
		}
		if len(images) != want || images[0] != b {
			t.Fatalf("%v has %d symmetries", b, len(images))
		}
		total := func(b Board) (sum int64) {
			for _, d := range Directions {
				after, reward, _ := b.Slide(d)
				sum += reward + int64(after.Empty())
			}
			return sum
		}
		for _, image := range images {
			if image.Sum() != b.Sum() || total(image) != total(b) {
				t.Fatalf("%v and its image %v slide differently", b, image)
			}
		}
	})
}

func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		empty, largest, sum := 0, uint8(0), int64(0)
		for i := range b.Size().Cells() {
			e := b.Cell(i)
			if e == 0 {
				empty++
			} else {
				sum += int64(1) << e
			}
			largest = max(largest, e)
		}
		if b.Empty() != empty || b.Largest() != largest || b.Sum() != sum {
			t.Fatalf("%v: empty %d largest %d sum %d, want %d %d %d", b, b.Empty(), b.Largest(), b.Sum(), empty, largest, sum)
		}
		seen := 0
		for i := range b.Size().Cells() {
			if b.Cell(i) != 0 {
				continue
			}
			placed := b
			if cell := placed.PlaceNth(seen, 5); cell != i || placed.Cell(i) != 5 {
				t.Fatalf("%v: empty cell %d is %d, want %d", b, seen, cell, i)
			}
			seen++
		}
	})
}

func BenchmarkSlide(b *testing.B) {
	for _, name := range []string{"4x4", "6x6"} {
		b.Run(name, func(b *testing.B) {
			boards := benchBoards(name)
			var total int64
			i := 0
			for b.Loop() {
				_, reward, _ := boards[i&1023].Slide(Direction(i>>10) & 3)
				total += reward
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mslides/s")
			_ = total
		})
	}
}

// BenchmarkAfterstates makes four slides at once; compare a quarter of its time with BenchmarkSlide.
func BenchmarkAfterstates(b *testing.B) {
	for _, name := range []string{"4x4", "6x6"} {
		b.Run(name, func(b *testing.B) {
			boards := benchBoards(name)
			var out [4]Afterstate
			i := 0
			for b.Loop() {
				boards[i&1023].Afterstates(&out)
				i++
			}
			b.ReportMetric(4*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mslides/s")
		})
	}
}

// benchBoards are boards as they arise in play: two thirds full, small tiles common.
func benchBoards(size string) (boards [1024]Board) {
	s, _ := ParseSize(size)
	state := uint64(1)
	for i := range boards {
		boards[i] = New(s)
		for c := range s.Cells() {
			state = state*6364136223846793005 + 1442695040888963407
			if x := state >> 33; x%3 != 0 {
				boards[i].Set(c, uint8(1+x>>8%7))
			}
		}
	}
	return boards
}
