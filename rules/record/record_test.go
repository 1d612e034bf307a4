package record_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"

	"pgregory.net/rapid"
)

// Package game's golden test has this flag; here it does nothing, so that
// hand is a game written by hand. Its start tiles are the first draws of
// PCG(1, 2), which package game's tests work out: 2 on cell 12, 4 on cell 9.
const hand = `{"afterstate_record":1,"size":"4x4","spawn":"random","p4":0.1,"seed":1,"game":2,"player":"human","move_count":1,"moves":"AA==","board":[[2,4,0,0],[0,0,0,0],[0,0,0,0],[2,0,0,0]],"score":0}`

// listed is a game by hand whose record lists its spawns: 2 and 2 in the top row merge to the left, a 4
// spawns in the last corner.
const listed = `{"afterstate_record":1,"size":"2x2","spawn":"adversary(plies=2)","seed":0,"game":0,"player":"<&>","move_count":1,"moves":"Aw==","spawns":"011132","board":[[4,0],[0,4]],"score":4}`

func TestHandWritten(t *testing.T) {
	for _, line := range []string{hand, listed, from, timed} {
		r := must.Get(record.Parse([]byte(line)))(t)
		must.Get(r.Replay())(t)
		if again, err := r.MarshalJSON(); err != nil || string(again) != line {
			t.Errorf("%s\nis written as\n%s, %v", line, again, err)
		}
	}
	r, _ := record.Parse([]byte(listed))
	want := record.Record{
		Meta:   record.Meta{Spawn: "adversary(plies=2)", Player: "<&>"},
		Moves:  []board.Direction{board.Left},
		Spawns: []game.Spawn{{Cell: 0, Exponent: 1}, {Cell: 1, Exponent: 1}, {Cell: 3, Exponent: 2}},
		Board:  r.Board,
		Score:  4,
	}
	if !reflect.DeepEqual(r, want) || r.Board.String() != "4,0/0,4" {
		t.Errorf("%s\nis read as %+v", listed, r)
	}
}

// from is a game from a given board: the 2s merge, and the first draw of the seed follows.
const from = `{"afterstate_record":1,"size":"2x2","start":[[2,2],[8,4]],"spawn":"adversary","seed":0,"game":0,"player":"","move_count":1,"moves":"Aw==","spawns":"11","board":[[4,2],[8,4]],"score":4}`

// timed is listed with a time of 299 ms: 300 as a varint is 2c, with the bit for more bytes, and 2.
var timed = strings.Replace(listed, `"spawns":"011132"`, `"spawns":"011132","times":"rAI="`, 1)

func TestTimes(t *testing.T) {
	r := must.Get(record.Parse([]byte(timed)))(t)
	if !slices.Equal(r.Times, []int64{299}) {
		t.Errorf("times %v", r.Times)
	}
	for _, times := range [][]int64{nil, {record.UnknownTime, 0, 126, 127, 16382, 16383, record.MaxTime}} {
		packed := record.PackTimes(times)
		if again, err := record.UnpackTimes(packed, len(times)); err != nil || !slices.Equal(again, times) {
			t.Errorf("%v is unpacked as %v, %v", times, again, err)
		}
	}
	if packed := record.PackTimes([]int64{record.UnknownTime, 126, 127}); !slices.Equal(packed, []byte{0, 127, 128, 1}) {
		t.Errorf("packed %v", packed)
	}
	if _, err := record.UnpackTimes(nil, -1); err == nil {
		t.Error("-1 times are unpacked")
	}
}

func TestReplayRefuses(t *testing.T) {
	for _, c := range []struct{ line, from, to, want string }{
		{hand, `"score":0`, `"score":4`, `score is 4, but the moves give 0`},
		{hand, `[[2,4,0,0]`, `[[2,4,0,2]`, `board is 2,4,0,2/0,0,0,0/0,0,0,0/2,0,0,0, but the moves lead to 2,4,0,0/`},
		{hand, `"seed":1`, `"seed":2`, `board is 2,4,0,0`},
		{listed, `"011132"`, `"010132"`, `start: the new 2 is on a1, which holds 2`},
		{listed, `"011132"`, `"011102"`, `move 1: after left the new 4 is on a1, which holds 4`},
		{listed, `"Aw=="`, `"AA=="`, `move 1: up changes nothing, on board 2,2/0,0`},
		{from, `[[2,2]`, `[[2,4]`, `move 1: left changes nothing, on board 2,4/8,4`},
	} {
		r, err := record.Parse([]byte(strings.Replace(c.line, c.from, c.to, 1)))
		if err != nil {
			t.Errorf("%s for %s: %v", c.to, c.from, err)
			continue
		}
		_, err = r.Replay()
		must.Contains(t, fmt.Sprint(err), c.want, c.to, "for", c.from, "error")
	}
}

func TestReplayAfterTheEnd(t *testing.T) {
	g, _ := game.New(game.Options{Size: board.Size{Rows: 2, Cols: 2}, Spawner: game.NewRandom(1, 0, game.P4)})
	playRandom(g, rand.New(rand.NewPCG(1, 1)))
	r := record.Of(g, record.Meta{P4: game.P4, Seed: 1})
	r.Moves = append(r.Moves, board.Down)
	if _, err := r.Replay(); err == nil || err.Error() != fmt.Sprintf("move %d: down comes after the end of the game, on board %v", len(r.Moves), r.Board) {
		t.Errorf("a move too many: error %v", err)
	}
}

// Records built by hand are validated before they are written or replayed.
func TestBadRecordsAreNotWritten(t *testing.T) {
	for name, spoil := range map[string]func(*record.Record){
		"no board":       func(r *record.Record) { r.Board = board.Board{} },
		"no spawn rule":  func(r *record.Record) { r.Spawn = "" },
		"p4 not number":  func(r *record.Record) { r.P4 = math.NaN() },
		"p4 above 1":     func(r *record.Record) { r.P4 = 1.5 },
		"player bytes":   func(r *record.Record) { r.Player = "\xff" },
		"score below 0":  func(r *record.Record) { r.Score = -1 },
		"no direction":   func(r *record.Record) { r.Moves[0] = 4 },
		"times missing":  func(r *record.Record) { r.Times = []int64{} },
		"times too many": func(r *record.Record) { r.Times = []int64{1, 2} },
		"time below -1":  func(r *record.Record) { r.Times = []int64{-2} },
		"time too long":  func(r *record.Record) { r.Times = []int64{record.MaxTime + 1} },
		"spawns too":     func(r *record.Record) { r.Spawns = []game.Spawn{{}, {}, {}} },
		"spawns missing": func(r *record.Record) { r.Spawn = "other" },
		"spawn cell": func(r *record.Record) {
			r.Spawn, r.Spawns = "other", []game.Spawn{{Cell: 16, Exponent: 1}, {Cell: 1, Exponent: 1}, {Exponent: 1}}
		},
		"spawn tile": func(r *record.Record) {
			r.Spawn, r.Spawns = "other", []game.Spawn{{Exponent: 3}, {Cell: 1, Exponent: 1}, {Exponent: 1}}
		},
	} {
		r := must.Get(record.Parse([]byte(hand)))(t)
		spoil(&r)
		if err := record.Write(io.Discard, r); err == nil {
			t.Errorf("%s: written", name)
		}
		if _, err := r.Replay(); err == nil {
			t.Errorf("%s: replayed", name)
		}
	}
}

func TestInsideJSON(t *testing.T) {
	r := must.Get(record.Parse([]byte(listed)))(t)
	type outer struct{ Records []record.Record }
	text := must.Get(json.Marshal(outer{[]record.Record{r}}))(t)
	var again outer
	if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again.Records[0], r) {
		t.Errorf("%s is read as %+v, %v", text, again, err)
	}
}

func playRandom(g *game.Game, random *rand.Rand) {
	for !g.Over() {
		_ = g.Move(board.Direction(random.IntN(4)))
	}
}

// Random games, ended or not, with undone moves, with times, seeded and scripted: Of, write,
// Parse and Replay give the same game.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := board.Size{Rows: rapid.IntRange(2, 6).Draw(t, "rows"), Cols: rapid.IntRange(2, 6).Draw(t, "cols")}
		m := record.Meta{
			P4:     rapid.Float64Range(0, 1).Draw(t, "p4"),
			Seed:   rapid.Uint64().Draw(t, "seed"),
			Game:   rapid.Uint64().Draw(t, "game"),
			Player: rapid.String().Draw(t, "player"),
		}
		o := game.Options{Size: size, Spawner: game.NewRandom(m.Seed, m.Game, m.P4)}
		if rapid.Bool().Draw(t, "given") {
			o.Board = board.New(size)
			for cell := range size.Cells() {
				o.Board.Set(cell, uint8(rapid.IntRange(0, 12).Draw(t, "tile")))
			}
			if o.Board.Sum() == 0 { // no move changes it, and its game never ends
				o.Board.Set(0, 1)
			}
		}
		played := must.Get(game.New(o))(t)
		playRandom(played, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "moves"), 0)))
		for range rapid.IntRange(0, played.Moves()).Draw(t, "undone") {
			played.Undo()
		}
		if rapid.Bool().Draw(t, "listed") {
			m.Spawn = rapid.StringN(1, 20, -1).Filter(func(s string) bool { return s != record.Random }).Draw(t, "spawn")
		}
		r := record.Of(played, m)
		if rapid.Bool().Draw(t, "timed") {
			for range r.Moves {
				r.Times = append(r.Times, rapid.Int64Range(record.UnknownTime, record.MaxTime).Draw(t, "ms"))
			}
		}
		sameGame(t, played, r)
	})
}

func sameGame(t *rapid.T, played *game.Game, r record.Record) {
	line := must.Get(r.MarshalJSON())(t)
	parsed, err := record.Parse(line)
	if err != nil || !reflect.DeepEqual(parsed, r) {
		t.Fatalf("%s\nis read as %+v, %v", line, parsed, err)
	}
	again, err := parsed.Replay()
	if err != nil {
		t.Fatalf("%s\ndoes not replay: %v", line, err)
	}
	if again.Board() != played.Board() || again.Score() != played.Score() || again.Start() != played.Start() || !slices.Equal(again.Steps(), played.Steps()) {
		t.Fatalf("%s\nreplays to another game", line)
	}
}
