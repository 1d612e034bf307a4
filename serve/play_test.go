package serve

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// A game over the WebSocket is the game of its seed, with the ways of its tiles, and
// can be opened again from its moves on another connection.
func TestGame(t *testing.T) {
	c := start(t, Options{})
	l := c.dial()
	want := must.Get(game.New(game.Options{Size: board.Size{Rows: 3, Cols: 4}, Spawner: game.NewRandom(7, 2, game.P4)}))(t)
	s := decode[protocol.GameState](t, l.ask("game.open", `{"size":"3x4","seed":7,"game":2}`))
	if s.Board != want.Board() || s.Moves != 0 || s.Step != nil {
		t.Fatalf("opened %+v", s)
	}
	var moves []board.Direction
	for i := 0; i < 30 && !want.Over(); i++ {
		d := board.Directions[i*7%4]
		before := want.Board()
		refused := want.Move(d)
		s = decode[protocol.GameState](t, l.ask("game.move", fmt.Sprintf(`{"move":%q}`, d)))
		if s.Board != want.Board() || s.Score != want.Score() || (s.Step == nil) != (refused != nil) {
			t.Fatalf("move %d, %v: %+v, want %v", i, d, s, want.Board())
		}
		if s.Step == nil {
			continue
		}
		moves = append(moves, d)
		_, reward, _ := before.Slide(d)
		if s.Step.Move != d || s.Step.Reward != reward || fmt.Sprint(s.Step.Motions) != fmt.Sprint(before.Motions(d)) {
			t.Fatalf("move %d: %+v", i, s.Step)
		}
		if tile := s.Step.Spawn; board.Tile(s.Board.Cell(tile.Cell)) != tile.Tile {
			t.Fatalf("move %d: %+v on %v", i, tile, s.Board)
		}
	}
	s = decode[protocol.GameState](t, l.ask("game.undo", ""))
	if s.Moves != len(moves)-1 || s.Undone != 1 {
		t.Errorf("undone to %+v", s)
	}
	packed := record.PackMoves(moves)
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
		open := fmt.Sprintf(`{"size":"3x4","seed":7,"game":2,"moves":%q,"move_count":%d,"undone":1}`, encoding.EncodeToString(packed), len(moves))
		if again := decode[protocol.GameState](t, c.dial().ask("game.open", open)); again != s {
			t.Errorf("opened again %+v, want %+v", again, s)
		}
		// It needs no connection to look.
		if again := decode[protocol.GameState](t, c.ask("game.open", open)); again != s {
			t.Errorf("over HTTP %+v, want %+v", again, s)
		}
	}
	redone := decode[protocol.GameState](t, l.ask("game.redo", ""))
	if redone.Board != want.Board() || redone.Undone != 0 || redone.Step == nil || redone.Step.Move != moves[len(moves)-1] {
		t.Errorf("redone to %+v", redone)
	}
	line := decode[protocol.GameRecord](t, l.ask("game.record", "")).Record
	r := must.Get(record.Parse([]byte(line)))(t)
	if g, err := r.Replay(); err != nil || g.Board() != want.Board() || r.Player != "human" {
		t.Errorf("record %s: %v", line, err)
	}

	// The record of another game, with and without a connection; the open one stays.
	replay := fmt.Sprintf(`{"size":"3x4","seed":7,"game":2,"moves":%q,"move_count":%d}`, base64.RawURLEncoding.EncodeToString(packed), len(moves))
	for _, got := range []string{l.ask("game.replay", replay), c.ask("game.replay", replay)} {
		if again := decode[protocol.GameRecord](t, got).Record; again != line {
			t.Errorf("replayed %s, want %s", again, line)
		}
	}
	// Times go into the record: those of the game as it is opened, and those of its further moves. Moves without one have none.
	timed := strings.TrimSuffix(replay, "}") + fmt.Sprintf(`,"undone":2,"times":%q}`, base64.StdEncoding.EncodeToString(record.PackTimes(slices.Repeat([]int64{300}, len(moves)))))
	times := func(answer string) []int64 {
		return must.Get(record.Parse([]byte(decode[protocol.GameRecord](t, answer).Record)))(t).Times
	}
	if got, want := times(c.ask("game.replay", timed)), slices.Repeat([]int64{300}, len(moves)-2); !slices.Equal(got, want) {
		t.Errorf("replayed with times %v, want %v", got, want)
	}
	other := c.dial()
	other.ask("game.open", timed)
	other.ask("game.move", fmt.Sprintf(`{"move":%q}`, moves[len(moves)-2]))
	other.ask("game.move", fmt.Sprintf(`{"move":%q,"ms":1500}`, moves[len(moves)-1]))
	if got, want := times(other.ask("game.record", "")), append(slices.Repeat([]int64{300}, len(moves)-2), record.UnknownTime, 1500); !slices.Equal(got, want) {
		t.Errorf("played on with times %v, want %v", got, want)
	}
	if got := c.ask("game.replay", strings.Replace(timed, `"times":"`, `"times":"A`, 1)); !strings.Contains(got, "game.replay: times: ") {
		t.Errorf("a time too many: %s", got)
	}
	l.ask("game.replay", `{"size":"2x2","seed":1}`)
	if s := decode[protocol.GameState](t, l.ask("game.undo", "")); s.Moves != len(moves)-1 {
		t.Errorf("after another game was replayed the open one has %d moves, want %d", s.Moves, len(moves)-1)
	}
	if got := l.ask("game.replay", `{"size":"2x2","seed":1,"moves":"VQ","move_count":4}`); !strings.Contains(got, "game.replay: moves: move ") {
		t.Errorf("an illegal game: %s", got)
	}
}

// Errors that the recorded answers of the command line lack.
func TestGameErrors(t *testing.T) {
	l := start(t, Options{}).dial()
	for _, x := range []struct{ method, params, want string }{
		{"game.open", `{"spawn":"adversary(plies=8)"}`, `-32602 game.open: spawn: adversary: plies=8: must be a whole number from 1 to 2`},
		{"game.open", `{"spawn":"adversary(eval=sum(file=\"/etc/passwd\"))"}`, `-32602 game.open: spawn: adversary: eval=sum(file="/etc/passwd"): sum: files are not allowed here`},
		{"game.open", `{"moves":"AA==","move_count":9}`, "-32602 game.open: moves: 1 bytes: must be 3 for move_count 9"},
		{"game.open", `{"moves":"%%","move_count":2}`, "-32602 game.open: moves: must be base64 with two bits per move"},
		{"game.open", `{"undone":1}`, "-32602 game.open: undone: 1: must be at most 0, the number of moves"},
		{"game.open", `{"seed":1,"moves":"` + strings.Repeat("A", 132) + `","move_count":396}`, "-32602 game.open: moves: move "},
	} {
		if got := l.ask(x.method, x.params); got != x.want && !(strings.HasSuffix(x.want, " move ") && strings.HasPrefix(got, x.want)) {
			t.Errorf("%s %s\n gives %s\n want  %s", x.method, x.params, got, x.want)
		}
	}
}

// A game pauses at the winning tile until game.keep.
func TestGameWin(t *testing.T) {
	l := start(t, Options{}).dial()
	s := decode[protocol.GameState](t, l.ask("game.open", `{"size":"6x6","seed":1,"spawn":"friendly"}`))
	for i := 0; !s.PausedOnWin && !s.Over; i++ {
		if i > 20_000 {
			t.Fatal("2048 is never reached")
		}
		for _, d := range []string{"down", "left", "right", "up"} {
			if s = decode[protocol.GameState](t, l.ask("game.move", `{"move":"`+d+`"}`)); s.Step != nil || s.PausedOnWin {
				break
			}
		}
	}
	if !s.PausedOnWin || !s.Won || s.Board.Largest() != game.WinExponent {
		t.Fatalf("ended at %+v", s)
	}
	still := decode[protocol.GameState](t, l.ask("game.move", `{"move":"left"}`))
	if still.Moves != s.Moves {
		t.Error("a won game went on by itself")
	}
	if s = decode[protocol.GameState](t, l.ask("game.keep", "")); s.PausedOnWin || !s.Won {
		t.Errorf("kept on to %+v", s)
	}
}
