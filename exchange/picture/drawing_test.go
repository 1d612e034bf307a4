package picture_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/exchange/drawing"
	"github.com/afterstate2048/afterstate/exchange/picture"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// What is drawn as PNG is read again as the same board, for every tile that the reader knows.
func TestDrawingIsReadAgain(t *testing.T) {
	sizes := []board.Size{{Rows: 3, Cols: 3}, {Rows: 4, Cols: 4}, {Rows: 5, Cols: 5}, {Rows: 6, Cols: 6}}
	for seed, size := range sizes[:soak.Pick(2, 4)] {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		b := board.New(size)
		for i := range size.Cells() {
			b.Set(i, uint8(random.IntN(min(18, size.Cells()))))
		}
		var file bytes.Buffer
		must.Do(t, drawing.PNG(&file, b))
		r, err := picture.Read(t.Context(), &file)
		if err != nil || r.Board != b || r.Doubt() != "" {
			t.Errorf("%v is read as %v, %q, %v", b, r.Board, r.Doubt(), err)
		}
	}
}

// An SVG file is well formed, has the board as its title and every number once.
func TestSVG(t *testing.T) {
	b := board.New(board.Size{Rows: 2, Cols: 3})
	b.Set(0, board.MaxExponent)
	b.Set(4, 11)
	var file bytes.Buffer
	must.Do(t, drawing.SVG(&file, b))
	text := file.String()
	for d := xml.NewDecoder(&file); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for part, n := range map[string]int{"<title>" + b.String() + "</title>": 1, ">2048</text>": 1, ">281474976710656</text>": 1, "<text": 2, "<rect": 7} {
		if strings.Count(text, part) != n {
			t.Errorf("%q is there %d times, want %d:\n%s", part, strings.Count(text, part), n, text)
		}
	}
}
