package record_test

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/record"
)

func TestAnyOrderAndSpace(t *testing.T) {
	line := " {\"score\":0, \"board\":[[2,4,0,0], [0,0,0,0],\t[0,0,0,0],[2,0,0,0]],\"moves\":\"AA==\",\"move_count\":1,\"player\":\"human\"," +
		"\"game\":2,\"seed\":1,\"p4\":1e-1,\"spawn\":\"random\",\"size\":\"4x4\",\"afterstate_record\":1}\r\n"
	r := must.Get(record.Parse([]byte(line)))(t)
	if again, _ := r.MarshalJSON(); string(again) != hand {
		t.Errorf("read as %s", again)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ line, from, to, want string }{
		{hand, hand, ``, `not a record: must be one JSON object, not ""`},
		{hand, hand, `[1]`, `not a record: must be one JSON object, not "[1]"`},
		{hand, hand, `{}`, `not a record: the field afterstate_record is missing: it must be 1`},
		{hand, `}`, ``, `not a record: the JSON object does not end`},
		{hand, `"score":0}`, `"sco`, `not a record: the JSON object does not end`},
		{hand, `"score":0}`, `"score":0,}`, `not a record: invalid character '}'`},
		{hand, `"score":0`, `"score":00`, `not a record: invalid character '0'`},
		{hand, "human", "hum\xffn", `not a record: must be JSON in UTF-8`},
		{hand, `"score":0}`, `"score":0} x`, `text after the record: "x"`},
		{hand, `"score":0}`, `"score":0}{}`, `text after the record: "{}"`},
		{hand, `"afterstate_record":1`, `"afterstate_record":2`, `record version 2: must be 1`},
		{hand, `"afterstate_record":1`, `"afterstate_record":2,"new_in_2":true`, `record version 2: must be 1`},
		{hand, `"afterstate_record":1`, `"afterstate_record":1.0`, `record version 1.0: must be 1`},
		{hand, `"score":0`, `"score":0,"speed":1`, `field "speed" is unknown: must be afterstate_record, size, start, spawn, p4,`},
		{hand, `"score"`, `"Score"`, `field "Score" is unknown`},
		{hand, `"score":0`, `"score":0,"score":0`, `field "score" comes twice`},
		{hand, `{`, manyFields(), `not a record: more than 64 fields`},
		{hand, `,"score":0`, ``, `score is missing`},
		{hand, `"size":"4x4",`, ``, `size is missing`},
		{hand, `"p4":0.1,`, ``, `p4 is missing`},
		{hand, `"4x4"`, `"4x7"`, `size is "4x7": must be RxC with rows and columns from 2 to 6`},
		{hand, `"4x4"`, `"4X4"`, `size is "4X4": must be RxC`},
		{hand, `"4x4"`, `4`, `size is 4: must be a string`},
		{hand, `"4x4"`, `"5x5"`, `but size is 5x5`},
		{hand, `"random"`, `""`, `spawn is "": must be "random" or the text of another rule`},
		{listed, `"adversary(plies=2)"`, `""`, `spawn is "": must be "random" or`},
		{hand, `"random"`, `null`, `spawn is null: must be a string`},
		{hand, `"p4":0.1`, `"p4":1.1`, `p4 is 1.1: must be a probability from 0 to 1`},
		{hand, `"p4":0.1`, `"p4":-0.1`, `p4 is -0.1: must be`},
		{hand, `"p4":0.1`, `"p4":"nan"`, `p4 is "nan": must be`},
		{listed, `"seed":0`, `"seed":0,"p4":0.1`, `p4 is given: only spawn "random" uses it`},
		{hand, `"seed":1`, `"seed":-1`, `seed is -1: must be a whole number from 0 to 18446744073709551615`},
		{hand, `"seed":1`, `"seed":18446744073709551616`, `seed is 18446744073709551616: must be a whole`},
		{hand, `"game":2`, `"game":"2"`, `game is "2": must be a whole`},
		{hand, `"human"`, `7`, `player is 7: must be a string`},
		{hand, `"score":0`, `"score":9223372036854775808`, `score is 9223372036854775808: must be`},
		{hand, `"move_count":1`, `"move_count":5`, `moves: 1 bytes do not hold 5 moves`},
		{hand, `"move_count":1`, `"move_count":0`, `moves has 4 characters: must be 0, the base64 of 0 moves`},
		{hand, `"move_count":1`, `"move_count":9223372036854775807`, `moves has 4 characters: must be 3074457345618258604, the base64 of 9223372036854775807 moves`},
		{hand, `"AA=="`, `"AA="`, `moves has 3 characters: must be 4`},
		{hand, `"AA=="`, `"AAA="`, `moves: 2 bytes do not hold 1 moves`},
		{hand, `"AA=="`, `"A\n=="`, `moves is "A\n==": must be base64 with padding`},
		{hand, `"AA=="`, `"A-=="`, `moves is "A-==": must be base64 with padding`},
		{hand, `"AA=="`, `"AB=="`, `moves is "AB==": must be base64 with padding`},
		{hand, `"AA=="`, `"BA=="`, `moves: the bits after move 1 are not zero`},
		{hand, `"score":0`, `"score":0,"spawns":"c192c1"`, `spawns is given: with spawn "random" the tiles follow from the seed`},
		{listed, `"spawns":"011132",`, ``, `spawns is missing`},
		{listed, `"011132"`, `"0111"`, `spawns has 4 characters: must be 6, two for each of 3 tiles`},
		{listed, `"011132"`, `"011133"`, `spawn 3 is "33": must be a cell 0-9a-z and 1 (a 2) or 2 (a 4)`},
		{listed, `"011132"`, `"0111A2"`, `spawn 3 is "A2": must be a cell`},
		{listed, `"011132"`, `"011142"`, `spawn 3 is on cell 4: a 2x2 board has cells 0 to 3`},
		{timed, `"rAI="`, `""`, `times: 0 bytes do not hold the times of 1 moves`},
		{timed, `"rAI="`, `null`, `times is null: must be a string`},
		{timed, `"rAI="`, `[299]`, `times is [299]: must be a string`},
		{timed, `"rAI="`, `"rAI"`, `times is "rAI": must be base64 with padding`},
		{timed, `"rAI="`, `"rAI=\n"`, `times is "rAI=\n": must be base64 with padding`},
		{timed, `"rAI="`, `"rA=="`, `times: the time of move 1 is not a varint, or exceeds 1099511627776 ms`},
		{timed, `"rAI="`, `"rAIA"`, `times: 1 bytes follow the time of move 1`},
		{timed, `"rAI="`, `"gAA="`, `times: the time of move 1 is not a varint, or exceeds 1099511627776 ms`},
		{timed, `"rAI="`, `"goCAgIAg"`, `times: the time of move 1 is not a varint, or exceeds 1099511627776 ms`},
		{timed, `"rAI="`, `"////////////fw=="`, `times: the time of move 1 is not a varint, or exceeds 1099511627776 ms`},
		{from, `[[2,2],[8,4]]`, `[[2,2,0],[8,4,0]]`, `start is 2x3, but size is 2x2`},
		{from, `[[2,2],[8,4]]`, `[[2,3],[8,4]]`, `board row 1, cell 2: 3 is not a tile`},
		{from, `[[2,2],[8,4]]`, `null`, `board has 0 rows`},
		{from, `"11"`, `"011111"`, `spawns has 6 characters: must be 2`},
		{hand, `[0,0,0,0],[2,0,0,0]`, `[2,0,0,0]`, `board is 3x4, but size is 4x4`},
		{hand, `[[2,4,0,0]`, `[[2,4,0]`, `board row 2 has 4 cells, row 1 has 3`},
		{hand, `[[2,4,0,0]`, `[[2,3,0,0]`, `board row 1, cell 2: 3 is not a tile`},
		{hand, `[[2,4,0,0]`, `[[2,4,null,0]`, `must be rows of whole tile values such as [[2,0],[0,4]]`},
		{hand, `[[2,4,0,0]`, `[[2,4,-0,0]`, `must be rows of whole tile values`},
		{hand, `[[2,4,0,0]`, `[[2,4,` + strings.Repeat(" ", 5000) + `0,0]`, `must be at most 4096 bytes`},
	} {
		line := strings.Replace(c.line, c.from, c.to, 1)
		r, err := record.Parse([]byte(line))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n\t") {
			t.Errorf("%s for %s: error is\n%v, want\n%s", c.to, c.from, err, c.want)
		}
		if !reflect.DeepEqual(r, record.Record{}) {
			t.Errorf("%s for %s: the error comes with a record", c.to, c.from)
		}
	}
}

// manyFields begins a record with 65 fields that no record has.
func manyFields() string {
	text := "{"
	for n := range 65 {
		text += fmt.Sprintf(`"field_%d":1,`, n)
	}
	return text
}

// FuzzParse: no line panics, and what parses is written as a line with the same content that
// replays equally.
func FuzzParse(f *testing.F) {
	golden := must.Get(os.ReadFile("../game/testdata/golden.jsonl"))(f)
	for line := range strings.Lines(string(golden)) {
		if len(line) < 1000 {
			f.Add([]byte(line))
		}
	}
	for _, line := range []string{hand, listed, timed} {
		for _, seed := range hostileLines(line) {
			f.Add([]byte(seed))
		}
	}
	f.Add([]byte(strings.Replace(hand, `[[2`, `[`+strings.Repeat("{},", 3<<20)+`[2`, 1)))
	f.Fuzz(func(t *testing.T, line []byte) {
		var r record.Record
		var err error
		testenv.Bounded(t, len(line), func() { r, err = record.Parse(line) })
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b\a") || !reflect.DeepEqual(r, record.Record{}) {
				t.Fatalf("%q: %q, %v", line, err, r)
			}
			return
		}
		text, err := r.MarshalJSON()
		if err != nil {
			t.Fatalf("%s\nparses, but is not written: %v", line, err)
		}
		again, err := record.Parse(text)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%s\nis written as\n%s\nwhich is read as %+v, %v", line, text, again, err)
		}
		first, err := r.Replay()
		second, errAgain := again.Replay()
		if (err == nil) != (errAgain == nil) {
			t.Fatalf("%s\nreplays with %v, then with %v", line, err, errAgain)
		}
		if err == nil && (first.Board() != second.Board() || !slices.Equal(first.Steps(), second.Steps())) {
			t.Fatalf("%s\nreplays to two games", line)
		}
	})
}

// hostileLines are corrupted variants of a line.
func hostileLines(line string) []string {
	lines := []string{line}
	for _, at := range []int{0, 1, 22, len(line) / 3, len(line) / 2, len(line) - 2} {
		for _, mask := range []byte{1, 0x20, 0x80} {
			b := []byte(line)
			b[at] ^= mask
			lines = append(lines, string(b))
		}
	}
	for _, n := range []int{0, 1, 20, len(line) / 2, len(line) - 1} {
		lines = append(lines, line[:n], line[:n]+"\x00", line[:n]+line)
	}
	for _, c := range [][2]string{
		{`"move_count":1`, `"move_count":9223372036854775807`}, {`"move_count":1`, `"move_count":-1`}, {`"move_count":1`, `"move_count":1e3`},
		{`"seed":`, `"seed":9999999999999999999`}, {`"score":`, `"score":9223372036854775807`}, {`"score":`, `"score":-`},
		{`"player":"`, `"player":"\u001b]52;c;eA==\u0007\u009b2J\u202e\n`}, {`"player":"`, "\"player\":\"\x1b]52;c;eA==\a"},
		{`"player":"`, `"player":"\ud800`}, {`"player"`, `"\u0070layer"`}, {`"player"`, `"\u001b[2J"`},
		{`"board":[[`, `"board":[[140737488355328,`}, {`"board":`, `"board":[],"x":`}, {`{`, `{{`}, {`}`, `}}`}, {`:`, `:[[[[`},
	} {
		lines = append(lines, strings.Replace(line, c[0], c[1], 1))
	}
	return lines
}

// A malicious line allocates at most a small multiple of its length.
func TestParseIsBounded(t *testing.T) {
	const size = 1 << 20
	for name, line := range map[string]string{
		"move_count":  strings.Replace(hand, `"move_count":1`, `"move_count":9000000000000000000`, 1),
		"moves":       strings.Replace(hand, `AA==`, strings.Repeat("A", size), 1),
		"real moves":  strings.Replace(hand, `1,"moves":"AA=="`, fmt.Sprintf(`%d,"moves":"%s"`, size*3, strings.Repeat("A", size)), 1),
		"times":       strings.Replace(timed, `rAI=`, strings.Repeat("A", size), 1),
		"real times":  strings.Replace(hand, `1,"moves":"AA=="`, fmt.Sprintf(`%d,"moves":"%s","times":"%s"`, size*3, strings.Repeat("A", size), strings.Repeat("A", size*4)), 1),
		"spawns":      strings.Replace(listed, `011132`, strings.Repeat("01", size/2), 1),
		"board":       strings.Replace(hand, `[[2`, `[`+strings.Repeat("[],", size/3)+`[2`, 1),
		"depth":       strings.Replace(hand, `[[2`, strings.Repeat("[", size)+`[[2`, 1),
		"player":      strings.Replace(hand, `human`, strings.Repeat(`\u0001`, size/6), 1),
		"many fields": strings.Replace(hand, `{`, `{"x":[`+strings.Repeat(`{"a":0},`, size/8)+`0],`, 1),
	} {
		var err error
		if took := testenv.Allocated(func() { _, err = record.Parse([]byte(line)) }); took > 16*int64(len(line))+1<<16 {
			t.Errorf("%s: a line of %d bytes allocates %d, error %v", name, len(line), took, err)
		}
	}
}
