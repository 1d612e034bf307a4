package formats_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// The game of the golden files: moves, the tiles that follow, times and rates. The tests encode it
// by the published layouts, apart from the package's own code.
//
//	2 . . .    left   2 . . .    right  . . . 4
//	. . 4 .    ---->  4 . . .    ----->  ... as below
//
// start: a 2 on cell 0, a 4 on cell 6.
var golden = struct {
	start  [2]game.Spawn
	steps  []step
	boards []uint64 // nibbles, before each move and at the end
	scores []int
}{
	start: [2]game.Spawn{{Cell: 0, Exponent: 1}, {Cell: 6, Exponent: 2}},
	steps: []step{
		{dir: 'L', cell: 8, four: true, ms: 90},    // 2/4/4(new)
		{dir: 'U', cell: 15, four: false, ms: 300}, // 4+4 merge
		{dir: 'R', cell: 0, four: false, ms: 5000},
		{dir: 'D', cell: 3, four: true, ms: 17000},
	},
	boards: []uint64{
		0x1000_0020_0000_0000,
		0x1000_2000_2000_0000,
		0x1000_3000_0000_0001,
		0x1001_0003_0000_0001,
		0x0002_0001_0003_1001,
	},
	scores: []int{0, 0, 8, 8, 8},
}

type step struct {
	dir  byte
	cell int
	four bool
	ms   int
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// goldenFiles are the game in each format, as written by these encoders.
func goldenFiles() map[string][]byte {
	return map[string][]byte{
		"rpl": rplBytes(), "rpl1": []byte(rpl1Text()), "2048verse": verseText(),
		"framework": frameworkText(), "csv": csvText(), "csv-moves": movesText(),
	}
}

func little(x uint64, bytes int) (out []byte) {
	for range bytes {
		out, x = append(out, byte(x)), x>>8
	}
	return out
}

func rplBytes() (out []byte) {
	for i, s := range golden.steps {
		change := strings.IndexByte("LRUD", s.dir)<<5 | (15-s.cell)<<1 | bit(s.four)
		out = append(append(out, little(golden.boards[i], 8)...), byte(change))
		for rate := range 4 { // left, right, up, down
			out = append(out, little(uint64(rate*i)*100_000_000, 4)...)
		}
	}
	out = append(append(out, little(golden.boards[len(golden.steps)], 8)...), 88)
	for _, x := range []uint64{666666666, 233333333, 314159265, 987654321} {
		out = append(out, little(x, 4)...)
	}
	return out
}

func uleb(x int) (out []byte) {
	for x > 127 {
		out, x = append(out, byte(x|128)), x>>7
	}
	return append(out, byte(x))
}

// rpl1Text has an undone move, a stored board and an unknown extension too.
func rpl1Text() string {
	data := []byte{'R', 'P', 'L', '1', 0x44, 1 | 2, 2}
	data = append(data, uleb(1_700_000_000)...)
	for _, s := range golden.start {
		data = append(data, byte(s.Cell|bit(s.Exponent == 2)<<4))
	}
	data = append(data, 131, 2, 4, 'p', 'o', 'w', '2', 131, 77, 1, 'x')
	for i, s := range golden.steps {
		if i == 1 { // a move that is undone, and took 40 ms and 10 more
			data = append(data, 1|15<<2, 40, 128, 10)
			data = append(data, byte(strings.IndexByte("URDL", s.dir)|s.cell<<2|bit(s.four)<<6))
			data = append(data, uleb(s.ms-50)...)
			data = append(data, checkpoint(golden.boards[2])...)
			continue
		}
		data = append(data, byte(strings.IndexByte("URDL", s.dir)|s.cell<<2|bit(s.four)<<6))
		data = append(data, uleb(s.ms)...)
	}
	data = append(data, 132)
	data = append(data, little(uint64(crc(data)), 4)...)
	return "REPLAY_v1RPL_B64_" + base64.StdEncoding.EncodeToString(data)
}

// checkpoint is a stored board: five bits a cell, the lowest first.
func checkpoint(b uint64) []byte {
	out := make([]byte, 11)
	out[0] = 130
	for i := range 16 {
		for k := range 5 {
			if b>>(60-4*i)&15>>k&1 == 1 {
				at := 5*i + k
				out[1+at/8] |= 1 << (at % 8)
			}
		}
	}
	return out
}

// crc is the CRC-32 of zip files, bit by bit.
func crc(data []byte) uint32 {
	sum := ^uint32(0)
	for _, c := range data {
		sum ^= uint32(c)
		for range 8 {
			sum = sum>>1 ^ 0xedb88320*(sum&1)
		}
	}
	return ^sum
}

// verseText is in Latin-1, as the site's files are.
func verseText() []byte {
	const ascii = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digit := func(v int) byte {
		switch {
		case v < len(ascii):
			return ascii[v]
		case v < 126:
			return byte(0xC0 + v - len(ascii))
		}
		return []byte{0xA4, 0xBE}[v-126]
	}
	out := []byte("4x4-1_")
	event := func(d, cell int, four bool, resolution, mult int) {
		e := d | bit(four)<<2 | cell%4<<4 | cell/4<<7 | resolution<<10 | mult<<13
		out = append(out, digit(e>>14), digit(e>>7&127), digit(e&127))
	}
	for _, s := range golden.start {
		event(0, s.Cell, s.Exponent == 2, 7, 255)
	}
	for _, s := range golden.steps {
		// The resolutions begin at 0, 256, 1024, 4096 and 16384 ms.
		r, from, by := 0, 0, 1
		for i, next := range []int{256, 1024, 4096, 16384} {
			if s.ms >= next {
				r, from, by = i+1, next, []int{3, 12, 48, 192}[i]
			}
		}
		event(strings.IndexByte("UDLR", s.dir), s.cell, s.four, r, (s.ms-from)/by)
	}
	return out
}

func frameworkText() []byte {
	out := "greedy:random@1700000000000|"
	place := func(cell int, four bool) { out += fmt.Sprintf("%X%d", cell, 1+bit(four)) }
	for _, s := range golden.start {
		place(s.Cell, s.Exponent == 2)
	}
	for i, s := range golden.steps {
		out += "#" + string(s.dir)
		if r := golden.scores[i+1] - golden.scores[i]; r > 0 {
			out += fmt.Sprintf("[%d]", r)
		}
		out += fmt.Sprintf("(%d)", s.ms)
		place(s.cell, s.four)
	}
	return []byte(out + "|random@1700000000999\n")
}

// tiles is a board as four rows of tile values.
func tiles(b uint64) string {
	var rows []string
	for r := range 4 {
		var row []string
		for c := range 4 {
			e := b >> (60 - 4*(4*r+c)) & 15
			row = append(row, fmt.Sprint(1<<e&^1))
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return strings.Join(rows, "/")
}

// csvText separates cells by semicolons and has its columns in another order.
func csvText() []byte {
	out := "Move;Board;Score;ms;rate_left\n"
	for i, b := range golden.boards {
		if i == len(golden.steps) {
			out += fmt.Sprintf(";%s;%d;;\n", tiles(b), golden.scores[i])
			break
		}
		out += fmt.Sprintf("%c;%s;%d;%d;0.5\n", golden.steps[i].dir, tiles(b), golden.scores[i], golden.steps[i].ms)
	}
	return []byte(out)
}

func movesText() []byte {
	out := "move\tspawn_cell\tspawn_tile\tms\n"
	for _, s := range golden.start {
		out += fmt.Sprintf("\t%d\t%d\t\n", s.Cell, 2<<bit(s.Exponent == 2))
	}
	names := map[byte]string{'U': "up", 'R': "right", 'D': "down", 'L': "left"}
	for _, s := range golden.steps {
		out += fmt.Sprintf("%s\t%d\t%d\t%d\n", names[s.dir], s.cell, 2<<bit(s.four), s.ms)
	}
	return []byte(out)
}

// Each golden file is recognized and read as the game.
func TestGolden(t *testing.T) {
	for name, data := range goldenFiles() {
		if f := formats.Detect(data); f == nil || f.Name != name {
			t.Errorf("%s is recognized as %v", name, f)
			continue
		}
		games, err := readAll(data, nil)
		if err != nil || len(games) != 1 {
			t.Errorf("%s: %d games, %v", name, len(games), err)
			continue
		}
		checkGolden(t, formats.Named(name), games[0])
	}
}

func checkGolden(t *testing.T, f *formats.Format, g *formats.AnnotatedRecord) {
	t.Helper()
	var moves []board.Direction
	var times []int64
	spawns := slices.Clone(golden.start[:])
	for _, s := range golden.steps {
		moves = append(moves, board.Direction(strings.IndexByte("URDL", s.dir)))
		spawns = append(spawns, game.Spawn{Cell: s.cell, Exponent: uint8(1 + bit(s.four))})
		times = append(times, int64(s.ms))
	}
	if !slices.Equal(g.Moves, moves) || !slices.Equal(g.Spawns, spawns) || g.Score != 8 || g.Board.String() != strings.ReplaceAll(tiles(golden.boards[4]), " ", ",") {
		t.Errorf("%s: %+v", f.Name, g)
	}
	if f.Name == "2048verse" { // steps of 48 and 192 ms
		times = []int64{90, 256 + 14*3, 4096 + 18*48, 16384 + 3*192}
	}
	if f.Holds&formats.Times != 0 && !slices.Equal(g.Times, times) {
		t.Errorf("%s: times %v, want %v", f.Name, g.Times, times)
	}
	if f.Name == "rpl" && (len(g.Rates) != 4 || g.Rates[3] != [4]float64{board.Left: 0, board.Right: 0.075, board.Up: 0.15, board.Down: 0.225}) {
		t.Errorf("rates %v", g.Rates)
	}
	lost := map[string][]formats.Loss{
		"rpl1": {{What: "time of day"}, {What: "undone moves", Count: 1}, {What: "extensions", Count: 1}}, "framework": {{What: "time of day"}},
	}
	if !slices.Equal(g.Lost, lost[f.Name]) {
		t.Errorf("%s: lost %q", f.Name, g.Lost)
	}
}

// The package writes the same bytes as this encoder, since a .rpl file contains nothing but the game.
func TestGoldenBytes(t *testing.T) {
	data := rplBytes()
	games := must.Get(readAll(data, nil))(t)
	if again, _ := write(t, formats.Named("rpl"), games[0]); !bytes.Equal(again, data) {
		t.Errorf("wrote\n%s\nwant\n%s", hex.Dump(again), hex.Dump(data))
	}
}

// The bytes of a game in RPL1 without the text around them are read too.
func TestBareRPL1(t *testing.T) {
	data := must.Get(base64.StdEncoding.DecodeString(strings.TrimPrefix(rpl1Text(), "REPLAY_v1RPL_B64_")))(t)
	games, err := readAll(data, nil)
	if err != nil || len(games) != 1 {
		t.Fatal(err)
	}
	checkGolden(t, formats.Named("rpl1"), games[0])
	data[20] ^= 1
	_, err = readAll(data, nil)
	must.Contains(t, fmt.Sprint(err), "checksum", "a changed byte")
}

// A stored board that differs from the moves is an error.
func TestRPL1Checkpoint(t *testing.T) {
	data := []byte{'R', 'P', 'L', '1', 0x44, 0, 2, 0, 1}
	data = append(data, checkpoint(0x1200_0000_0000_0000)...)
	data = append(data, little(uint64(crc(data)), 4)...)
	_, err := readAll(data, nil)
	if err == nil || err.Error() != "after move 0: the file has tile 4 on b1, but the moves lead to 2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0" {
		t.Error(err)
	}
}
