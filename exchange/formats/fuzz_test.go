package formats_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
)

// fuzzFormat reads any bytes in a format: it neither panics nor yields a game that breaks the rules,
// errors are short lines, and what it reads is the same after it was written and read again.
func fuzzFormat(f *testing.F, name string) {
	format := formats.Named(name)
	for _, text := range costly(1 << 12) {
		f.Add([]byte(text))
	}
	if data, ok := goldenFiles()[name]; ok {
		f.Add(data)
		for _, at := range []int{0, len(data) / 2, len(data) - 1} {
			damaged := bytes.Clone(data)
			damaged[at] ^= 0x21
			f.Add(damaged)
		}
		f.Add(data[:len(data)/2])
		f.Add(append(bytes.Clone(data), data...))
	}
	for i, k := range kinds {
		if g := random(f, uint64(i), k); fits(format, g) {
			g.Rates, g.Moves = nil, g.Moves[:0:0]
			if g = random(f, uint64(i), kind{size: k.size, start: k.start, moves: 8}); fits(format, g) {
				data, _ := write(f, format, g)
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var games []*formats.AnnotatedRecord
		var err error
		testenv.Bounded(t, len(data), func() { games, err = readAll(data, format) })
		if err != nil {
			checkError(t, err)
			return
		}
		for _, g := range games {
			checkRead(t, format, g)
		}
	})
}

// costly contains files that have many parts for their size.
func costly(size int) map[string]string {
	fill := func(head, part, tail string) string { return head + strings.Repeat(part, size/len(part)) + tail }
	var extensions []byte
	for kind := uint64(1 << 14); len(extensions) < size; kind++ {
		extensions = append(binary.AppendUvarint(append(extensions, 0x83), kind), 0)
	}
	rpl1 := append([]byte("RPL1\x44\x00\x02\x00\x01"), extensions...)
	rpl1 = binary.LittleEndian.AppendUint32(rpl1, crc32.ChecksumIEEE(rpl1))
	return map[string]string{
		"columns":         fill("board", ",", "\n"),
		"unnamed columns": fill("", ",", "board\n"),
		"quoted columns":  fill("board", `,""`, "\n"),
		"cells":           fill("board\n", ",", "\n"),
		"names of games":  fill("game,board\n", "\"\",0000000000000011\n", ""),
		"verse":           fill("4x4-1_", "0", ""),
		"verse's kind":    fill("4x4-", "0", "_"),
		"verse, Latin-1":  fill("4x4-1_", "\xff", ""),
		"framework":       fill("a@1500000000|", "#U", "|"),
		"framework times": fill("a@1500000000|", "#U1(1)", "|"),
		"records":         fill(`{"afterstate_record":1,"x":[`, "{},", "0]}"),
		"saved games":     fill(`{"afterstate_record":1,"record":{"x":[`, "[],", "0]}}"),
		"state":           fill(`{"grid":{"size":4,"cells":[`, "[],", "[]]}}"),
		"extensions":      string(rpl1),
		"rpl1":            fill("REPLAY_v1RPL_B64_", "A", ""),
	}
}

// The cost of reading a file is proportional to its size, whatever it contains.
func TestCostlyFiles(t *testing.T) {
	for name, text := range costly(4 << 20) {
		t.Run(name, func(t *testing.T) {
			testenv.Bounded(t, len(text), func() {
				if _, err := readAll([]byte(text), nil); err != nil {
					checkError(t, err)
				}
			})
		})
	}
}

func checkError(t *testing.T, err error) {
	t.Helper()
	text := err.Error()
	if text == "" || len(text) > 4000 || strings.ContainsAny(text, "\x1b\x07\r\x00") || strings.Count(text, "\n") > 2 {
		t.Fatalf("error %q", text)
	}
}

func checkRead(t *testing.T, format *formats.Format, g *formats.AnnotatedRecord) {
	t.Helper()
	if _, err := g.Replay(); err != nil {
		t.Fatalf("%+v: %v", g, err)
	}
	if g.Times != nil && len(g.Times) != len(g.Moves) || g.Rates != nil && len(g.Rates) != len(g.Moves) {
		t.Fatalf("%d times and %d rates of %d moves", len(g.Times), len(g.Rates), len(g.Moves))
	}
	var out bytes.Buffer
	w := formats.NewWriter(&out, format)
	if err := w.Write(g); err != nil {
		if fits(format, g) && g.Board.Largest() <= 15 && g.StartScore+g.Score < 1<<32 {
			t.Fatalf("%+v is read, but not written: %v", g, err)
		}
		return
	}
	again, err := readAll(out.Bytes(), format)
	if err != nil || len(again) != 1 {
		t.Fatalf("%+v is written as\n%q\nand read with %v", g, out.Bytes(), err)
	}
	if format.Holds&formats.Moves == 0 {
		return
	}
	want := *g
	want.Lost, want.Times, again[0].Times, again[0].Lost = nil, nil, nil, nil
	if format.Name == "framework" { // names are cut at a colon
		want.Player, again[0].Player = "", ""
	}
	if diff := cmp.Diff(&want, again[0], same...); diff != "" {
		t.Fatalf("-read +again\n%s", diff)
	}
}

func FuzzRecords(f *testing.F)   { fuzzFormat(f, "records") }
func FuzzGameState(f *testing.F) { fuzzFormat(f, "gamestate") }
func FuzzRPL1(f *testing.F)      { fuzzFormat(f, "rpl1") }
func FuzzVerse(f *testing.F)     { fuzzFormat(f, "2048verse") }
func FuzzFramework(f *testing.F) { fuzzFormat(f, "framework") }
func FuzzCSV(f *testing.F)       { fuzzFormat(f, "csv") }
func FuzzMoves(f *testing.F)     { fuzzFormat(f, "csv-moves") }
func FuzzRPL(f *testing.F)       { fuzzFormat(f, "rpl") }

// FuzzRPL1Body changes what the checksum protects.
func FuzzRPL1Body(f *testing.F) {
	f.Add([]byte{0x44, 0, 2, 0, 1, 3 | 15<<2, 5, 128, 0, 132})
	f.Add(append([]byte{0x44, 2, 2, 0, 1}, checkpoint(0x1100_0000_0000_0000)...))
	f.Add([]byte{0x66, 8, 2, 0, 3, 133, 3, 35, 1, 9, 129, 1, 1})
	f.Fuzz(func(t *testing.T, body []byte) {
		data := append([]byte("RPL1"), body...)
		data = append(data, little(uint64(crc(data)), 4)...)
		games, err := readAll(data, nil)
		if err != nil {
			checkError(t, err)
			return
		}
		checkRead(t, formats.Named("rpl1"), games[0])
	})
}

// FuzzDetect: content of any kind is read in the format that is recognized, or not at all.
func FuzzDetect(f *testing.F) {
	for _, data := range goldenFiles() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		games, err := readAll(data, nil)
		if err != nil {
			checkError(t, err)
		}
		for _, g := range games {
			if _, err := g.Replay(); err != nil || g.Board.Size() == (board.Size{}) {
				t.Fatalf("%+v: %v", g, err)
			}
		}
	})
}
