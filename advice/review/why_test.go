package review

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

func direction(t *testing.T, text string) board.Direction {
	t.Helper()
	return must.Get(board.ParseDirection(strings.ToLower(text)))(t)
}

func sentence(r *protocol.Reason) string {
	if r == nil {
		return ""
	}
	return written([]protocol.Reason{*r})
}

// testdata/why.txt has mistakes of several players: the board, the move, the better move, and the sentence. Each was checked by hand.
func TestWhy(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(must.Get(os.ReadFile("testdata/why.txt"))(t))), "\n")
	if len(lines) < 100 {
		t.Errorf("%d sentences, want 100 or more", len(lines))
	}
	var got strings.Builder
	for _, line := range lines {
		moves, _, _ := strings.Cut(line, ": ")
		f := strings.Fields(moves)
		b := must.Get(board.Parse(f[0]))(t)
		fmt.Fprintf(&got, "%s: %s\n", moves, sentence(Why(b, direction(t, f[1]), direction(t, f[2]), game.P4)))
	}
	must.Golden(t, "testdata/why.txt", []byte(got.String()))
}

// claim is a kind of sentence, and what makes it true.
type claim struct {
	text *regexp.Regexp
	true func(t *testing.T, b, after, better board.Board, groups []string) bool
}

var claims = []claim{
	{regexp.MustCompile(`^After \w+ the new tile ends the game with a chance of ([\d.]+) %, after \w+ with ([\d.]+) %\.$`), func(t *testing.T, _, after, better board.Board, g []string) bool {
		return near(t, g[1], 100*endsIn(after)) && near(t, g[2], 100*endsIn(better)) && endsIn(after) > endsIn(better)
	}},
	{regexp.MustCompile(`^\w+ takes the (\d+), the largest tile, out of the corner\.$`), func(_ *testing.T, b, after, better board.Board, g []string) bool {
		return inCorner(b, g[1]) && !inCorner(after, g[1]) && inCorner(better, g[1]) && g[1] == fmt.Sprint(board.Tile(b.Largest()))
	}},
	{regexp.MustCompile(`^\w+ opens the (\w+ \w+), which has the (\d+) in its corner: the new tile lands there with a chance of ([\d.]+) %\.$`), func(t *testing.T, b, after, better board.Board, g []string) bool {
		holes := func(b board.Board) float64 {
			return float64(strings.Count(" "+strings.ReplaceAll(tilesAlong(b, g[1]), " ", "  ")+" ", " 0 "))
		}
		tiles := strings.Fields(tilesAlong(b, g[1]))
		return holes(b) == 0 && holes(better) == 0 && near(t, g[3], 100*holes(after)/float64(after.Empty())) && (tiles[0] == g[2] || tiles[len(tiles)-1] == g[2])
	}},
	{regexp.MustCompile(`^After \w+ the (\d+) in row (\d+), column (\d+) is walled in by (.*)\.$`), func(t *testing.T, _, after, _ board.Board, g []string) bool {
		row, col := must.Get(strconv.Atoi(g[2]))(t)-1, must.Get(strconv.Atoi(g[3]))(t)-1
		tile := board.Tile(after.At(row, col))
		var beside []string
		for _, d := range [][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}} {
			if r, c := row+d[0], col+d[1]; r >= 0 && c >= 0 && r < after.Size().Rows && c < after.Size().Cols {
				other := board.Tile(after.At(r, c))
				beside = append(beside, fmt.Sprint(other))
				if other < 8*tile {
					return false
				}
			}
		}
		return fmt.Sprint(tile) == g[1] && strings.Join(beside, " ") == strings.ReplaceAll(g[4], ",", "")
	}},
	{regexp.MustCompile(`^(\w+) merges two (\d+)s; after (\w+) no two (\d+)s can merge on the next move\.$`), func(t *testing.T, b, after, _ board.Board, g []string) bool {
		upright := direction(t, g[1]) == board.Up || direction(t, g[1]) == board.Down
		return g[2] == g[4] && meets(b, g[2], upright) && !meets(after, g[2], true) && !meets(after, g[2], false)
	}},
	{regexp.MustCompile(`^After \w+ no equal tiles touch, after \w+ two (\d+)s do\.$`), func(_ *testing.T, _, after, better board.Board, g []string) bool {
		for _, row := range both(after) {
			for i := 1; i < len(row); i++ {
				if row[i] != 0 && row[i] == row[i-1] {
					return false
				}
			}
		}
		return slices.ContainsFunc(both(better), func(row []int64) bool { return strings.Contains(fmt.Sprint(row)+" ", g[1]+" "+g[1]) })
	}},
	{regexp.MustCompile(`^Empty cells: (\d+) after \w+, (\d+) after \w+\.$`), func(_ *testing.T, _, after, better board.Board, g []string) bool {
		return fmt.Sprint(after.Empty()) == g[1] && fmt.Sprint(better.Empty()) == g[2]
	}},
	{regexp.MustCompile(`^Pairs of equal tiles that touch: (\d+) after \w+, (\d+) after \w+\.$`), func(_ *testing.T, _, after, better board.Board, g []string) bool {
		touching := func(b board.Board) (n int) {
			for _, row := range both(b) {
				for i := 1; i < len(row); i++ {
					if row[i] != 0 && row[i] == row[i-1] {
						n++
					}
				}
			}
			return n
		}
		return fmt.Sprint(touching(after)) == g[1] && fmt.Sprint(touching(better)) == g[2]
	}},
}

// Every sentence is true of its boards, by other means than those that made it.
func TestWhyIsTrue(t *testing.T) {
	met := make([]int, len(claims))
	silent, all := 0, 0
	for seed := range soak.Pick(uint64(36), uint64(soak.Count(60, 1000))) {
		size := []board.Size{{Rows: 4, Cols: 4}, {Rows: 3, Cols: 4}, {Rows: 5, Cols: 5}}[seed%3]
		for _, p := range played(t, []string{"random", "greedy", "expectimax(eval=expert,plies=1)"}[seed/3%3], size, seed) {
			for _, better := range p.Board.Legal() {
				after, _, _ := p.Board.Slide(p.Played)
				afterBest, _, _ := p.Board.Slide(better)
				text := sentence(Why(p.Board, p.Played, better, game.P4))
				if all++; text == "" {
					silent++
					continue
				}
				i := slices.IndexFunc(claims, func(c claim) bool { return c.text.MatchString(text) })
				if i < 0 || !claims[i].true(t, p.Board, after, afterBest, claims[i].text.FindStringSubmatch(text)) {
					t.Fatalf("%v, %v, %v: %s", p.Board, p.Played, better, text)
				}
				met[i]++
			}
		}
	}
	t.Logf("%d of %d silent, %v", silent, all, met)
	if slices.Contains(met, 0) {
		t.Errorf("a kind of sentence never came up: %v", met)
	}
}

// endsIn plays every new tile.
func endsIn(after board.Board) (chance float64) {
	for n := range after.Empty() {
		for exponent, q := range map[uint8]float64{1: 1 - game.P4, 2: game.P4} {
			b := after
			if b.PlaceNth(n, exponent); len(b.Legal()) == 0 {
				chance += q / float64(after.Empty())
			}
		}
	}
	return float64(int(chance*1e9+0.5)) / 1e9
}

func near(t *testing.T, text string, x float64) bool {
	t.Helper()
	stated := must.Get(strconv.ParseFloat(text, 64))(t)
	return stated-x < 0.051 && x-stated < 0.051
}

func inCorner(b board.Board, tile string) bool {
	all := b.Tiles()
	last := all[len(all)-1]
	return slices.Contains([]string{fmt.Sprint(all[0][0]), fmt.Sprint(all[0][len(last)-1]), fmt.Sprint(last[0]), fmt.Sprint(last[len(last)-1])}, tile)
}

// tilesAlong returns the tiles of an edge by its name.
func tilesAlong(b board.Board, name string) string {
	if strings.HasSuffix(name, "column") {
		b = b.Transposed()
	}
	all := b.Tiles()
	row := all[0]
	if strings.HasPrefix(name, "bottom") || strings.HasPrefix(name, "right") {
		row = all[len(all)-1]
	}
	return strings.Trim(fmt.Sprint(row), "[]")
}

// meets reports whether two such tiles follow each other in a column, or in a row, with nothing but empty cells between.
func meets(b board.Board, tile string, upright bool) bool {
	if upright {
		b = b.Transposed()
	}
	for _, row := range b.Tiles() {
		row = slices.DeleteFunc(row, func(x int64) bool { return x == 0 })
		for i := 1; i < len(row); i++ {
			if row[i] == row[i-1] && fmt.Sprint(row[i]) == tile {
				return true
			}
		}
	}
	return false
}

// both returns the rows, then the columns.
func both(b board.Board) [][]int64 {
	turned := b.Transposed()
	return append(b.Tiles(), turned.Tiles()...)
}

func TestWhySilent(t *testing.T) {
	b := must.Get(board.Parse("2,0/0,2"))(t)
	for _, d := range board.Directions {
		must.Equal(t, sentence(Why(b, d, d, game.P4)), "", d, "against itself")
	}
}
