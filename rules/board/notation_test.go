package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
)

func TestNotationsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		asJSON := must.Get(json.Marshal(b))(t)
		texts := []string{b.String(), b.Drawing(), string(asJSON), "http://127.0.0.1:2048/#solve/" + b.String(), "#play/from/" + strings.ReplaceAll(b.String(), ",", "%2C")}
		if hex, ok := b.Exponents(); ok {
			texts = append(texts, hex, strings.ToUpper(hex), "https://2048verse.com/p/"+hex, "www.2048verse.com/p/"+hex+"/?from=elsewhere")
		}
		for _, text := range append(texts, asOthersWrite(&b)...) {
			back, err := Parse(text)
			if err != nil || back != b {
				t.Fatalf("%q reads as %v, %v; want %v", text, back, err, b)
			}
		}
	})
}

// asOthersWrite returns a board as programs, spreadsheets and people write it.
func asOthersWrite(b *Board) []string {
	size := b.Size()
	rows := func(empty, cells, begin, between, end string) string {
		var lines []string
		for _, row := range b.Tiles() {
			var words []string
			for _, tile := range row {
				word := strconv.FormatInt(tile, 10)
				if tile == 0 {
					word = empty
				}
				words = append(words, word)
			}
			lines = append(lines, begin+strings.Join(words, cells)+end)
		}
		return strings.Join(lines, between)
	}
	texts := []string{
		rows(".", " ", "", "\n", ""), rows("    .", " ", " ", "\n", "") + "\n", rows("0", "\t", "", "\r\n", ""), rows("_", "|", "", "\n", ""),
		rows("-", " ", "", "/", ""), rows("0", " ", "", "; ", ""), rows("0", ";", "", "\n", ""), rows("0", " | ", "| ", "\n", " |"),
		rows("", " | ", "+----+\n| ", "\n|----|\n", " |\n+----+"), "[" + rows("0", ". ", "[", "\n ", ".]") + "]", "[" + rows("None", ", ", "[", ", ", "]") + "]",
		"array([" + rows("0", ", ", "[", ",\n       ", "]") + "], dtype=int32)", "tensor([" + rows("0", ", ", "[", ",\n        ", "]") + "], device='cuda:0')",
		"jnp.array([" + rows("0", ", ", "[", ",", "]") + "])", "<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\narray([" + rows("0", ", ", "[", ",\n       ", "]") + "], dtype=int32)>",
		"{" + rows("0", ", ", "{", ", ", "}") + "};", "{\n" + rows("0", ",", "  {", ",\n", "}") + "\n}",
		"Score: 1,234\nBest: 16k\n\n" + rows("0", " ", "", "\n", "") + "\nMoves: 30\nYour next move:", rows("0", "\t", "", "\n", "") + "\r\nScore: 12\r\n",
		`{"player":"auto","board":[` + rows("0", ",", "[", ",", "]") + `],"moves":{"up":{"legal":true}}}`, powers(rows(".", " ", "", "\n", "")), "\ufeff" + rows("0", ",", "", "\n", "") + "\n",
	}
	texts = append(texts, inThousands(rows("_", " ", "", "\n", ""), "k"), inThousands(rows("0", ",", "", "/", ""), "K"))
	lastEmpty := true
	if b.Sum() == 0 {
		return texts // a spreadsheet without tiles is no board
	}
	for r := range size.Rows {
		lastEmpty = lastEmpty && b.At(r, size.Cols-1) == 0
	}
	if size.Cols != size.Rows+1 || !lastEmpty { // else it looks like a square board with a separator after each row
		texts = append(texts, rows("", "\t", "", "\n", ""), rows("", ",", "", "\n", ""), rows("", ";", "", "\r\n", "")+"\r\n", rows("", `","`, `"`, "\n", `"`))
	}
	if size.Rows == size.Cols && size.Rows > 2 {
		for _, cells := range []string{" ", ",", "\t", ";", "|", ", ", "\n"} {
			texts = append(texts, rows("0", cells, "", cells, ""))
		}
		texts = append(texts, rows("", ",", "", ",", ""), rows("", "\t", "", "\t", ""), "["+rows("0", ", ", "", ", ", "")+"]")
	}
	return texts
}

// powers writes the tiles from 2^17 on as powers, as the program's drawings do.
func powers(text string) string {
	return regexp.MustCompile(`\d{6,}`).ReplaceAllStringFunc(text, func(word string) string {
		tile, _ := strconv.ParseInt(word, 10, 64)
		return "2^" + strconv.Itoa(bits.TrailingZeros64(uint64(tile)))
	})
}

// inThousands writes the tiles from 1024 on in short, as people do: 16k for 16384.
func inThousands(text, k string) string {
	return regexp.MustCompile(`\d{4,}`).ReplaceAllStringFunc(text, func(word string) string {
		tile, _ := strconv.ParseInt(word, 10, 64)
		return strconv.FormatInt(tile/1024, 10) + k
	})
}

func TestParseForms(t *testing.T) {
	state := `{"grid":{"size":2,"cells":[[{"position":{"x":0,"y":0},"value":2},null],[null,{"position":{"x":1,"y":1},"value":4}]]},"score":0,"over":false,"won":false,"keepPlaying":false}`
	for text, want := range map[string]string{
		"2,0/.,4":                        "2,0/0,4",
		" 2, 0 / 0, 4 \n":                "2,0/0,4",
		"2 0\n0 4\n":                     "2,0/0,4",
		"2 0\r\n0 4\r\n":                 "2,0/0,4",
		"2 0/\n0 4/\n":                   "2,0/0,4",
		"[[2,0],[0,4]]":                  "2,0/0,4",
		"[[2,null],[null,4]]":            "2,0/0,4",
		"((2, 0), (0, 4))":               "2,0/0,4",
		"000000000000001h":               "0,0,0,0/0,0,0,0/0,0,0,0/0,0,2,131072",
		"2,0,262144/0,0,0":               "2,0,262144/0,0,0",
		"[[2,0,0],\n [0,4,1024]]":        "2,0,0/0,4,1024",
		"2,,0/0,0,0":                     "2,0,0/0,0,0",
		" |4|2| \n2|4|8|16\n |8| |4":     "0,4,2,0/2,4,8,16/0,8,0,4",
		"| 2 | 4 |  |\n|  | 8 | 2 |":     "2,4,0/0,8,2",
		`{"board":"2,0/0,4","score":12}`: "2,0/0,4",
		"\t\n2\t4":                       "0,0/2,4",
		"2\t4\n\t":                       "2,4/0,0",
		"\n\n2 4\n\n8 16\n\n":            "2,4/8,16",
		"2,4,\n8,16,\n":                  "2,4/8,16",
		"2 4; 8 16;":                     "2,4/8,16",
		"2,0 0/4,8 16":                   "2,0,0/4,8,16",
		"2\n4\n8\n2\n4\n8\n2\n4\n8":      "2,4,8/2,4,8/2,4,8",
		"2,4,8,2,4,8,2,4,8,":             "2,4,8/2,4,8/2,4,8",
		"┌───┬───┐\n│ 2 │   │\n├───┼───┤\n│   │ 4 │\n└───┴───┘": "2,0/0,4",
		state:                              "2,0/0,4",
		"gameState\t" + state:              "2,0/0,4",
		strconv.Quote(state):               "2,0/0,4",
		"'" + state + "'":                  "2,0/0,4",
		"2.0,0.0\n0.0,4.0":                 "2,0/0,4",
		"16k 8k _\n65k 1K 131k":            "16384,8192,0/65536,1024,131072",
		"64k,128k,256k/262k,0,-":           "65536,131072,262144/262144,0,0",
		"2048VERSE.com/p/000000000000001F": "0,0,0,0/0,0,0,0/0,0,0,0/0,0,2,32768",
		"2\u00a0\u00a04\n8\u00a016":        "2,4/8,16",
	} {
		if b, err := Parse(text); err != nil || b.String() != want {
			t.Errorf("Parse(%q) = %v, %v; want %s", text, b, err, want)
		}
	}
	if _, score, err := ParseScored(strings.Replace(state, `"score":0`, `"score":1234`, 1)); err != nil || score == nil || *score != 1234 {
		t.Errorf("the score of a gameState reads as %v, %v", score, err)
	}
	if b, score, err := ParseScored("https://example.com/#solve/2%2C0/0,4/1234/best(p4=0.5)"); err != nil || b.String() != "2,0/0,4" || score == nil || *score != 1234 {
		t.Errorf("a link of the page reads as %v with the score %v, %v", b, score, err)
	}
	if _, score, err := ParseScored("2,0/0,4"); err != nil || score != nil {
		t.Errorf("a board without a score has %v, %v", score, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, culprit := range map[string]string{
		"":                                   "empty board",
		"2,0":                                "2 numbers without rows: must be 9, 16, 25 or 36 cells",
		"2,0,0,4":                            "4 numbers without rows",
		"2,4,8,16,32,64,128,":                "8 numbers",
		"2,0/0,3":                            `row 2, cell 2: "3" is not a tile: tiles are 2, 4, 8` + "|read as 2,0 / 0,[3]",
		"2,0//0,2":                           "row 2 has 0 cells,",
		"2,0/0,2/":                           "row 3 has 0 cells,|read as 2,0 / 0,2 / ",
		"2,0/0,1":                            `row 2, cell 2: "1"`,
		"2,0/0,-2":                           `"-2"`,
		"2,0/0":                              "row 2 has 1 cell,",
		"2 0 4\n0 4\n0 4 8\n":                "row 2 has 2 cells, row 1 has 3|read as 2,0,4 / 0,4 / 0,4,8",
		"2 0\n0 4 8\n0 4 8\n":                "row 1 has 2 cells, row 2 has 3",
		"2,0/0,x":                            `"x"|read as 2,0 / 0,[x]`,
		"2\t\tx\n4\t8\t":                     "|read as 2,0,[x] / 4,8,0",
		"[[2,0],[0]]":                        "row 2 has 1 cell,",
		"[[2,0],[0,7]]":                      `"7" is not a tile`,
		"[2]":                                "1 number without rows",
		"00000000000000i0":                   "character 15",
		"0,0,0,0,0,0,0/2,2,2,2,2,2,2":        "7 cells in the first",
		"2,0/0,1125899906842":                `"1125899906842"`,
		"2.5,0/0,0":                          `"2.5"`,
		"16kk,0/0,0":                         `"16kk"`,
		"17k,0/0,0":                          `"17k"`,
		"k,0/0,0":                            `"k"`,
		"-16k,0/0,0":                         `"-16k"`,
		"9223372036854775807k,0/0,0":         "is not a tile",
		"2048verse.com/p/12":                 "2 exponents after 2048verse.com/p/: must be 16",
		"xxxxxxxxxxxx0006":                   "x in 12 cells: too many",
		`{"grid":{"size":9}}`:                "the original page's state: size 9",
		`{"board":[[2,3],[0,4]]}`:            `row 1, cell 2: "3" is not a tile`,
		`{"board":[[2,0],[0,4]],"score":-4}`: "score -4: must be 0 or more",
		`{"board":""}`:                       "empty board",
		"{{2, 0}, {0, 3}}":                   `row 2, cell 2: "3" is not a tile`,
		"tensor([[2, 0], [0, 4]]":            "is not a tile",
		"array([[2, 0], [0, 4]], 2, 4)":      "is not a tile",
		"Score: 12":                          "is not a tile",
		"Score 12\n2 0\n0 4":                 "is not a tile",
		"2 0\nScore: 12\n0 4":                "is not a tile",
		"2^49 0/0 2":                         `"2^49"`,
		"2^0 0/0 2":                          `"2^0"`,
		strings.Repeat("2 ", 500):            "500 numbers|...",
	} {
		_, err := Parse(text)
		for _, part := range strings.Split(culprit, "|") {
			must.Contains(t, fmt.Sprint(err), part, "Parse", text)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("Parse(%q): an error of %d bytes", text, len(err.Error()))
		}
	}
	for _, text := range []string{"", "4", "4x", "1x4", "4x7", "4*4", "-4x4"} {
		if s, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %v, want an error", text, s)
		}
	}
}

// Letters that may be walls are not guessed.
func TestParseWalls(t *testing.T) {
	for text, want := range map[string][]string{
		"ffffff0000010001":                 {"32768,32768,32768,32768/32768,32768,0,0/0,0,0,2/0,0,0,2", "32768,16384,8192,4096/2048,1024,0,0/0,0,0,2/0,0,0,2"},
		"2048verse.com/p/00000000000A0FFF": {"0,0,0,0/0,0,0,0/0,0,0,1024/0,32768,32768,32768", "0,0,0,0/0,0,0,0/0,0,0,1024/0,32768,16384,8192"},
		"FFF000000000000d":                 {"32768,32768,32768,0/0,0,0,0/0,0,0,0/0,0,0,8192", "65536,32768,16384,0/0,0,0,0/0,0,0,0/0,0,0,8192"},
		"xxX0000000000001":                 {"32768,16384,8192,0/0,0,0,0/0,0,0,0/0,0,0,2"},
	} {
		_, err := Parse(text)
		var walls *WallsError
		if !errors.As(err, &walls) {
			t.Errorf("Parse(%q): %v, want a question about walls", text, err)
			continue
		}
		for i, b := range walls.Readings {
			if len(want) != len(walls.Readings) || b.String() != want[i] || !strings.Contains(err.Error(), ": "+want[i]) {
				t.Errorf("Parse(%q): %v, want %v", text, err, want)
			}
		}
	}
	for text, want := range map[string]string{
		"f000000000000001": "32768,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2",
		"gff0000000000001": "65536,32768,32768,0/0,0,0,0/0,0,0,0/0,0,0,2", // two larger tiles than 65536 are not possible
	} {
		if b, err := Parse(text); err != nil || b.String() != want {
			t.Errorf("Parse(%q) = %v, %v; want %s", text, b, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2,0/0,4", "16k 8k/_ 131k", "2048verse.com/p/fff0000000000x01", "[[2,0],[0,4]]", "0123456789abcdefgh", "000000000000001h", "2 .\n. 4", "2\t\t\n\t4\t\n8\t\t16", "| 2 | 4 |\n|---|---|\n| 8 | |", "array([[2., 0.],\n [0., 4.]])", `{"grid":{"size":2,"cells":[[null,null],[null,{"value":2}]]},"score":4}`, "2;4;8;2;4;8;2;4;8", "(", "Score: 12\n2 0\n0 4", "{{2, 0}, {0, 4}};", "tensor([[2, 0],\n [0, 4]], device='cuda:0')", "2^36 .\n. 2", " |4|2\n2|8| ", `{"board":"2,0/0,4","score":12}`, "[" + strings.Repeat("[],", 4<<20) + "[]]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b Board
		var err error
		testenv.Bounded(t, len(text), func() { b, err = Parse(text) })
		if err != nil {
			if strings.Count(err.Error(), "\n") > 2 {
				t.Fatalf("error of many lines: %v", err)
			}
			return
		}
		if back, err := Parse(b.String()); err != nil || back != b {
			t.Fatalf("%q reads as %v, which reads as %v, %v", text, b, back, err)
		}
		checkReference(t, b)
	})
}
