package board

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNotationsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		asJSON, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		texts := []string{b.String(), string(asJSON), strings.NewReplacer(",", " ", "/", "\n", "0", "0").Replace(b.String())}
		if hex, ok := b.Exponents(); ok {
			texts = append(texts, hex, strings.ToUpper(hex))
		}
		for _, text := range texts {
			back, err := Parse(text)
			if err != nil || back != b {
				t.Fatalf("%q reads as %v, %v; want %v", text, back, err, b)
			}
		}
	})
}

func TestParseForms(t *testing.T) {
	for text, want := range map[string]string{
		"2,0/.,4":                 "2,0/0,4",
		" 2, 0 / 0, 4 \n":         "2,0/0,4",
		"2 0\n0 4\n":              "2,0/0,4",
		"2 0\r\n0 4\r\n":          "2,0/0,4",
		"[[2,0],[0,4]]":           "2,0/0,4",
		"000000000000001h":        "0,0,0,0/0,0,0,0/0,0,0,0/0,0,2,131072",
		"2,0,262144/0,0,0":        "2,0,262144/0,0,0",
		"[[2,0,0],\n [0,4,1024]]": "2,0,0/0,4,1024",
	} {
		if b, err := Parse(text); err != nil || b.String() != want {
			t.Errorf("Parse(%q) = %v, %v; want %s", text, b, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, culprit := range map[string]string{
		"":                    "empty board",
		"2,0":                 "1 row,",
		"2,0/0,3":             `row 2, cell 2: "3"`,
		"2,,0/0,0,0":          `row 1, cell 2: ""`,
		"2,0//0,2":            `row 2, cell 1: ""`,
		"2,0/0,2/":            `row 3, cell 1: ""`,
		"2,0/0,1":             `row 2, cell 2: "1"`,
		"2,0/0,-2":            `"-2"`,
		"2,0/0":               "row 2 has 1 cell,",
		"2,0/0,x":             `"x"`,
		"[[2,0],[0]]":         "row 2 has 1 cell,",
		"[[2,0],[0,7]]":       "7 is not a tile",
		"[2]":                 "rows of whole tile values",
		"00000000000000i0":    "character 15",
		"0,0,0,0,0,0,0/0":     "first of 7 cells",
		"2,0/0,1125899906842": `"1125899906842"`,
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), culprit) {
			t.Errorf("Parse(%q): error %v, want one that names %q", text, err, culprit)
		}
	}
	for _, text := range []string{"", "4", "4x", "1x4", "4x7", "4*4", "-4x4"} {
		if s, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %v, want an error", text, s)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2,0/0,4", "[[2,0],[0,4]]", "0123456789abcdefgh", "000000000000001h", "2 .\n. 4"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := Parse(text)
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
