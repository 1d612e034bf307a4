package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// kind describes a random game.
type kind struct {
	size   board.Size
	start  bool // from a start board in place of two tiles
	seeded bool // a record whose tiles follow from the seed
	moves  int
	plain  bool // without times, rates, player and start score
}

// random plays a random game.
func random(t testing.TB, seed uint64, k kind) *formats.AnnotatedRecord {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	o := game.Options{Size: k.size, Spawner: game.NewRandom(seed, 3, 0.3)}
	if k.start {
		o.Board = board.New(k.size)
		for i := range k.size.Cells() {
			o.Board.Set(i, uint8(rng.IntN(6)))
		}
		o.Board.Set(0, 0)
		o.Board.Set(1, 9)
	}
	g := must.Get(game.New(o))(t)
	for g.Moves() < k.moves && !g.Over() {
		_ = g.Move(board.Directions[rng.IntN(4)])
	}
	meta := record.Meta{Spawn: record.Imported, Player: "greedy"}
	if k.seeded {
		meta = record.Meta{P4: 0.3, Seed: seed, Game: 3, Player: "greedy"}
	}
	all := &formats.AnnotatedRecord{Record: record.Of(g, meta), StartScore: 4 * int64(rng.IntN(100))}
	for range g.Moves() {
		ms := []int64{record.UnknownTime, int64(rng.IntN(200)), int64(rng.IntN(60000))}[rng.IntN(3)]
		all.Times = append(all.Times, ms)
		all.Rates = append(all.Rates, [4]float64{float64(rng.IntN(4e9)) / 4e9, 0, 1, 0.25})
	}
	if k.plain {
		all.Times, all.Rates, all.StartScore, all.Record.Player = nil, nil, 0, ""
	}
	return all
}

// fits reports whether a format can hold a game at all.
func fits(f *formats.Format, g *formats.AnnotatedRecord) bool {
	size := g.Board.Size()
	square := f.Sizes != "square boards" || size.Rows == size.Cols
	started := g.Start.Size() == (board.Size{}) || f.Holds&(formats.Start|formats.Moves) != formats.Moves
	return square && started && (f.Sizes != "4x4" || size == board.Size{Rows: 4, Cols: 4}) && (f.Name != "rpl" || len(g.Moves) > 0)
}

// expected is what remains of a game after it was written and read in a format.
func expected(t testing.TB, f *formats.Format, g *formats.AnnotatedRecord) *formats.AnnotatedRecord {
	t.Helper()
	want := *g
	if f.Holds&formats.Seed == 0 && g.Record.Spawn == record.Random {
		listed := record.Of(must.Get(g.Replay())(t), record.Meta{Spawn: record.Imported, Player: g.Record.Player})
		listed.Times = g.Times
		want.Record = listed
	}
	if f.Holds&formats.Order == 0 && want.Start.Size() == (board.Size{}) {
		want.Spawns = slices.Clone(want.Spawns)
		slices.SortFunc(want.Spawns[:2], func(a, b game.Spawn) int { return a.Cell - b.Cell })
	}
	if f.Holds&formats.Player == 0 {
		want.Player = ""
	}
	if f.Holds&formats.Times == 0 {
		want.Times = nil
	}
	if f.Holds&formats.Rates == 0 {
		want.Rates = nil
	}
	if f.Holds&formats.StartScore == 0 {
		want.StartScore = 0
	}
	switch f.Name { // times that a format rounds
	case "2048verse":
		want.Times = slices.Clone(want.Times)
		for i, ms := range want.Times {
			for _, step := range []struct{ from, by int64 }{{16384, 48 * 4}, {4096, 48}, {1024, 12}, {256, 3}} {
				if ms >= step.from {
					want.Times[i] = step.from + (ms-step.from)/step.by*step.by
					break
				}
			}
		}
	case "framework":
		want.Times = slices.Clone(want.Times)
		for i, ms := range want.Times {
			want.Times[i] = max(ms, 0)
		}
	}
	if f.Name != "records" && !slices.ContainsFunc(want.Times, func(ms int64) bool { return ms > 0 }) {
		want.Times = nil
	}
	return &want
}

func write(t testing.TB, f *formats.Format, games ...*formats.AnnotatedRecord) ([]byte, []string) {
	t.Helper()
	var out bytes.Buffer
	w := formats.NewWriter(&out, f)
	for _, g := range games {
		if err := w.Write(g); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
	return out.Bytes(), w.Dropped()
}

func readAll(data []byte, f *formats.Format) (games []*formats.AnnotatedRecord, err error) {
	for g, err := range formats.Read(bytes.NewReader(data), f) {
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, nil
}

// same compares games.
var same = []cmp.Option{cmpopts.EquateEmpty(), cmpopts.EquateComparable(board.Board{})}

var kinds = []kind{
	{size: board.Size{Rows: 4, Cols: 4}, moves: 400},
	{size: board.Size{Rows: 4, Cols: 4}, moves: 300, seeded: true},
	{size: board.Size{Rows: 4, Cols: 4}, moves: 200, start: true},
	{size: board.Size{Rows: 4, Cols: 4}, moves: 200, plain: true},
	{size: board.Size{Rows: 4, Cols: 4}},
	{size: board.Size{Rows: 2, Cols: 3}, moves: 50},
	{size: board.Size{Rows: 3, Cols: 2}, moves: 50, seeded: true, plain: true},
	{size: board.Size{Rows: 5, Cols: 4}, moves: 300},
	{size: board.Size{Rows: 6, Cols: 6}, moves: 100, start: true},
}

// A game that is written and read is the same, apart from what the format cannot hold, which the
// writer lists. The format is recognized, and the record of the game replays.
func TestRoundTrip(t *testing.T) {
	for _, f := range formats.All() {
		if f.Holds&formats.Moves == 0 {
			continue
		}
		tried := 0
		for _, k := range kinds {
			for seed := range uint64(soak.Count(5, 500)) {
				g := random(t, seed, k)
				if !fits(f, g) {
					continue
				}
				tried++
				data, dropped := write(t, f, g)
				if found := formats.Detect(data); found == nil || found.Name != f.Name {
					t.Fatalf("%s is recognized as %v:\n%.300s", f.Name, found, data)
				}
				games, err := readAll(data, nil)
				if err != nil || len(games) != 1 {
					t.Fatalf("%s: %d games, %v\n%.300s", f.Name, len(games), err, data)
				}
				want := expected(t, f, g)
				if diff := cmp.Diff(want, games[0], same...); diff != "" {
					t.Fatalf("%s: -want +read\n%s", f.Name, diff)
				}
				if _, err := games[0].Replay(); err != nil {
					t.Fatalf("%s: %v", f.Name, err)
				}
				checkDropped(t, f, g, dropped)
			}
		}
		if tried == 0 {
			t.Errorf("%s: no game", f.Name)
		}
	}
}

func checkDropped(t *testing.T, f *formats.Format, g *formats.AnnotatedRecord, dropped []string) {
	t.Helper()
	var want []string
	add := func(feature formats.Feature, present bool, text string) {
		if present && f.Holds&feature == 0 {
			want = append(want, text+" (1 game)")
		}
	}
	add(formats.Player, g.Player != "", "player")
	add(formats.Rates, len(g.Moves) > 0 && g.Rates != nil, "rates")
	add(formats.StartScore, g.StartScore != 0, "score at the start")
	add(formats.Seed, g.Record.Spawn == record.Random, "seed")
	add(formats.Times, len(g.Moves) > 0 && g.Times != nil, "times")
	if !slices.Equal(dropped, want) {
		t.Errorf("%s: dropped %q, want %q", f.Name, dropped, want)
	}
}

// Files of several games have the games in order; formats of one game refuse a second one.
func TestSeveralGames(t *testing.T) {
	var games []*formats.AnnotatedRecord
	for seed := range uint64(3) {
		games = append(games, random(t, seed, kind{size: board.Size{Rows: 4, Cols: 4}, moves: 30}))
	}
	for _, f := range formats.All() {
		if f.Holds&formats.Many == 0 {
			w := formats.NewWriter(new(bytes.Buffer), f)
			err := errors.Join(w.Write(games[0]), w.Write(games[1]))
			must.Equal(t, fmt.Sprint(err), f.Name+" holds one game per file, but there are several", f.Name)
			continue
		}
		data, _ := write(t, f, games...)
		again, err := readAll(data, nil)
		if err != nil || len(again) != 3 {
			t.Fatalf("%s: %d games, %v", f.Name, len(again), err)
		}
		for i := range again {
			if diff := cmp.Diff(expected(t, f, games[i]), again[i], same...); diff != "" {
				t.Errorf("%s: game %d: -want +read\n%s", f.Name, i, diff)
			}
		}
	}
}

// The gameState has the last board and the score.
func TestGameState(t *testing.T) {
	g := random(t, 1, kind{size: board.Size{Rows: 4, Cols: 4}, moves: 60})
	f := formats.Named("gamestate")
	data, dropped := write(t, f, g)
	if !slices.Contains(dropped, "moves (1 game)") {
		t.Errorf("dropped %q", dropped)
	}
	again, err := readAll(data, nil)
	if err != nil || again[0].Board != g.Board || again[0].StartScore != g.StartScore+g.Score || len(again[0].Moves) != 0 {
		t.Errorf("%+v, %v of\n%s", again, err, data)
	}
}

// A writer refuses games that its format cannot hold, and says what the format holds.
func TestWriterRefuses(t *testing.T) {
	four := board.Size{Rows: 4, Cols: 4}
	started, wide := random(t, 1, kind{size: four, moves: 9, start: true}), random(t, 1, kind{size: board.Size{Rows: 2, Cols: 4}, moves: 9})
	large := random(t, 1, kind{size: four, moves: 9, start: true})
	large.Start.Set(1, 16)
	large.Moves, large.Times, large.Spawns, large.Board, large.Score = nil, nil, nil, large.Start, 0
	for _, c := range []struct {
		format string
		g      *formats.AnnotatedRecord
		want   string
	}{
		{"rpl", wide, "the board is 2x4: rpl holds 4x4"},
		{"gamestate", wide, "the board is 2x4: gamestate holds square boards"},
		{"rpl1", started, "rpl1 holds only games that begin with two tiles"},
		{"2048verse", started, "2048verse holds only games that begin with two tiles"},
		{"csv-moves", started, "csv-moves holds only games that begin with two tiles"},
		{"rpl", large, "rpl cannot hold a game without moves"},
	} {
		err := formats.NewWriter(new(bytes.Buffer), formats.Named(c.format)).Write(c.g)
		must.Contains(t, fmt.Sprint(err), c.want, c.format)
	}
	broken := random(t, 1, kind{size: four, moves: 9})
	broken.Score += 4
	for _, f := range formats.All() {
		if f.Name == "records" || f.Name == "gamestate" {
			continue
		}
		if err := formats.NewWriter(new(bytes.Buffer), f).Write(broken); err == nil {
			t.Errorf("%s takes a game with a wrong score", f.Name)
		}
	}
}

// Every format names the move that breaks the rules and the board.
func TestIllegalMoves(t *testing.T) {
	const (
		rows  = "game,board,move\n"
		moves = "spawn_cell,spawn_tile,move\n0,2,\n1,2,\n"
	)
	for name, c := range map[string]struct{ file, want string }{
		"records":        {`{"afterstate_record":1,"size":"2x2","spawn":"random","p4":0.1,"seed":1,"game":0,"player":"greedy","move_count":11,"moves":"FAEB","board":[[8,16],[2,4]],"score":60}`, "line 1: move 3: right changes nothing, on board 2,4/0,2"},
		"2048verse":      {"4x4-1_00000g000", "line 1: move 1: up changes nothing, on board 2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0"},
		"verse tile":     {"4x4-1_00000g002", "line 1: move 1: after left the new 2 is on a1, which holds 4, on board 2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0"},
		"framework":      {"a:b@0|0111#U21|a@0", "line 1: move 1: up changes nothing, on board 2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0"},
		"reward":         {"a:b@0|0111#L[8]21|a@0", "line 1: move 1: the file has reward 8, but the move gives 4, on board 2,2,0,0/"},
		"large tile":     {"a:b@0|0111#L[4]23|a@0", "line 1: move 1: after left the new tile is 8: must be 2 or 4, on board"},
		"csv":            {rows + "a,\"2,2/0,0\",up\na,\"4,0/0,2\",", "line 3: move 1: up changes nothing, on board 2,2/0,0"},
		"csv tile alone": {"game,board,move,spawn_cell,spawn_tile\na,2 2/0 0,,2,2\n", "line 2: the row has a new tile but no move"},
		"csv unsorted":   {rows + "a,2 2/0 0,\nb,2 2/0 0,\na,8 2/0 2,\n", "line 4: game \"a\" starts again from board 8,2/0,2"},
		"csv board":      {rows + "a,2 2/0 0,\na,2 2/0 2,", "line 3: move 1: no move and new tile lead to 2,2/0,2, on board 2,2/0,0"},
		"csv again":      {rows + "a,2 2/0 0,\na,2 2/0 0,", "line 3: move 1: the board is the same as in the previous row: each move must change it, on board 2,2/0,0"},
		"csv number":     {rows + "a,2 2/0 0,4\n", "line 2: move \"4\": must be up, right, down or left, or 0 to 3 in this order"},
		"csv-moves":      {moves + "3,2,up", "line 4: move 1: up changes nothing, on board 2,2,0,0/"},
	} {
		games, err := readAll([]byte(c.file), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %d games, error is\n%v, want\n%s", name, len(games), err, c.want)
		}
	}
}

// A file that is damaged in its last part is an error, after which nothing follows.
func TestDamage(t *testing.T) {
	g := random(t, 4, kind{size: board.Size{Rows: 4, Cols: 4}, moves: 40, plain: true})
	for _, f := range formats.All() {
		if f.Holds&formats.Moves == 0 {
			continue
		}
		data, _ := write(t, f, g)
		for cut := 1; cut < min(len(data), 60); cut++ {
			games, err := readAll(data[:len(data)-cut], f)
			if err == nil && !partial(f, g, games) {
				t.Errorf("%s without its last %d bytes: %+v", f.Name, cut, games[0])
			}
		}
	}
}

// partial reports whether games contains one game, complete or ending some moves earlier.
func partial(f *formats.Format, g *formats.AnnotatedRecord, games []*formats.AnnotatedRecord) bool {
	unmarked := f.Holds&formats.Many != 0 && f.Name != "records" && f.Name != "rpl1" && f.Name != "framework"
	whole := len(games) == 1 && games[0].Board == g.Board
	return whole || unmarked && len(games) == 1 && slices.Equal(games[0].Moves, g.Moves[:len(games[0].Moves)])
}

// Unknown content is refused with the names of the formats; a file without a game is an error.
func TestUnknown(t *testing.T) {
	for _, text := range []string{"hello", "{}", "\x00\x01\x02", "a,b,c\n1,2,3", "RPL2", strings.Repeat("\x00", 100)} {
		if _, err := readAll([]byte(text), nil); !errors.Is(err, formats.ErrUnknown) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, f := range append(formats.All(), nil) {
		for _, text := range []string{"", "\n", "\ufeff"} {
			if _, err := readAll([]byte(text), f); err == nil {
				t.Errorf("%+v: %q has no error", f, text)
			}
		}
	}
	if formats.Named("rpl2") != nil || !slices.Contains(formats.Names(), "rpl") {
		t.Error("names")
	}
}

// A line that is too long is refused before it is stored.
func TestLongLine(t *testing.T) {
	long := "4x4-1_" + strings.Repeat("0", formats.MaxLine)
	_, err := readAll([]byte(long), nil)
	must.Equal(t, fmt.Sprint(err), fmt.Sprintf("line 1 has more than %d bytes", formats.MaxLine))
}
