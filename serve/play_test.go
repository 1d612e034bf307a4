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
	redone := decode[protocol.GameState](t, l.ask("game.redo", ""))
	if redone.Board != want.Board() || redone.Undone != 0 || redone.Step == nil || redone.Step.Move != moves[len(moves)-1] {
		t.Errorf("redone to %+v", redone)
	}
	redone.Step = nil
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
		open := fmt.Sprintf(`{"size":"3x4","seed":7,"game":2,"moves":%q,"move_count":%d}`, encoding.EncodeToString(packed), len(moves))
		if again := decode[protocol.GameState](t, c.dial().ask("game.open", open)); again != redone {
			t.Errorf("opened again %+v, want %+v", again, redone)
		}
		// It needs no connection to look.
		if again := decode[protocol.GameState](t, c.ask("game.open", open)); again != redone {
			t.Errorf("over HTTP %+v, want %+v", again, redone)
		}
	}
	line := decode[protocol.GameRecord](t, l.ask("game.record", "")).Record
	r := must.Get(record.Parse([]byte(line)))(t)
	if g, err := r.Replay(); err != nil || g.Board() != want.Board() || r.Player != "human" {
		t.Errorf("record %s: %v", line, err)
	}
	// The times of moves go into the record. Moves without one have an unknown time.
	open := fmt.Sprintf(`{"size":"3x4","seed":7,"game":2,"moves":%q,"move_count":2}`, base64.StdEncoding.EncodeToString(record.PackMoves(moves[:2])))
	l.ask("game.open", open)
	l.ask("game.move", fmt.Sprintf(`{"move":%q}`, moves[2]))
	l.ask("game.move", fmt.Sprintf(`{"move":%q,"ms":1500}`, moves[3]))
	timed := must.Get(record.Parse([]byte(decode[protocol.GameRecord](t, l.ask("game.record", "")).Record)))(t)
	if want := []int64{record.UnknownTime, record.UnknownTime, record.UnknownTime, 1500}; !slices.Equal(timed.Times, want) {
		t.Errorf("times %v, want %v", timed.Times, want)
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
