package drive

import (
	"math"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

func TestAnswers(t *testing.T) {
	zeros := strings.Repeat("0,", 15)
	for text, want := range map[string]string{
		`{"rows":4,"cols":4,"cells":[` + zeros + `2]}`:      "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2",
		`{"rows":2,"cols":3,"cells":[2,4,8,0,0,131072]}`:    "2,4,8/0,0,131072",
		`{"rows":4,"cols":4,"cells":[` + zeros + `3]}`:      "a tile 3 in row 4, column 4: must be 0 or a power of two",
		`{"rows":4,"cols":4,"cells":[` + zeros + `1]}`:      "a tile 1 in row 4",
		`{"rows":4,"cols":4,"cells":[` + zeros + `-2]}`:     "a tile -2 in row 4",
		`{"rows":4,"cols":4,"cells":[` + zeros + `2.5]}`:    "a tile 2.5 in row 4",
		`{"rows":4,"cols":4,"cells":[` + zeros + `1e300]}`:  "a tile 1e+300 in row 4",
		`{"rows":4,"cols":4,"cells":[` + zeros + `2,0]}`:    "a board of 4x4 with 17 cells",
		`{"rows":9,"cols":9,"cells":[` + zeros + `2]}`:      "a board of 9x9 with 16 cells",
		`{"rows":4,"cols":4,"cells":[]}`:                    "a board of 4x4 with 0 cells",
		`{"rows":4,"cols":4,"cells":["\u001b[31m"]}`:        "cannot be read",
		`{"rows":4,"cols":4,"cells":[` + zeros + `2]} more`: "cannot be read",
		"": "cannot be read",
	} {
		a, err := parseAnswer(text)
		var v View
		if err == nil {
			v, err = a.view()
		}
		got := v.Board.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Whatever a page answers is a board or an error without control characters.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"origin":"http://a","rows":2,"cols":2,"cells":[2,0,0,4],"saved":[2,0,0,4],"score":4,"won":true,"agreed":true,"settled":true,"key":"k"}`)
	f.Add(`{"error":"\u001b]0;x\u0007"}`)
	f.Add(`{"cells":[1e308,-0,null]}`)
	f.Add(`{"cells":[` + strings.Repeat("0,", 8<<20) + `0]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var a answer
		var err error
		testenv.Bounded(t, len(text), func() { a, err = parseAnswer(text) })
		if err == nil {
			v, wrong := a.view()
			if wrong == nil && (!v.Board.Size().Valid() || v.Board.Size().Cells() != len(a.Cells)) {
				t.Fatalf("%v of %d numbers", v.Board.Size(), len(a.Cells))
			}
			plain(t, wrong)
			plain(t, a.disagreement())
		}
		plain(t, err)
	})
}

func plain(t *testing.T, err error) {
	if err != nil && strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		t.Fatalf("%q", err)
	}
}

func TestAdviceOf(t *testing.T) {
	inf := math.Inf(-1)
	legal := func(v float64) search.MoveValue { return search.MoveValue{Legal: true, Value: v} }
	for want, d := range map[string]player.Decision{
		"Left: right good −0.6 % · down blunder −75 % · up loses": {Unit: eval.Points, Result: search.Result{Move: board.Left, OK: true, Moves: [4]search.MoveValue{legal(inf), legal(1988), legal(500), legal(2000)}}},
		"Up: left loses":             {Unit: eval.Points, Result: search.Result{Move: board.Up, OK: true, Moves: [4]search.MoveValue{legal(3), {}, {}, legal(inf)}}},
		"Up: next best: left, right": {Unit: eval.Heuristic, Result: search.Result{Move: board.Up, OK: true, Moves: [4]search.MoveValue{legal(3), legal(-8), {}, legal(2)}}},
		"Up: left mistake −8.3 %":    {Unit: eval.Points, Result: search.Result{Move: board.Up, OK: true, Moves: [4]search.MoveValue{legal(3), {}, {}, legal(2.75)}}},
		"Down: the only legal move":  {Unit: eval.Points, Result: search.Result{Move: board.Down, OK: true, Moves: [4]search.MoveValue{{}, {}, legal(1), {}}}},
	} {
		if a := adviceOf(&d); a.Title+": "+a.Note != want || a.Move != strings.ToLower(a.Title) {
			t.Errorf("%+v, want %s", a, want)
		}
	}
}
