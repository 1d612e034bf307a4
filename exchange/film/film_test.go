package film

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// played is a game after a number of moves, the first legal direction each time.
func played(t *testing.T, size string, moves int) *game.Game {
	t.Helper()
	s := must.Get(board.ParseSize(size))(t)
	g := must.Get(game.New(game.Options{Size: s, Spawner: game.NewRandom(1, 0, game.P4)}))(t)
	for g.Moves() < moves && !g.Over() {
		for _, d := range []board.Direction{board.Left, board.Up, board.Right, board.Down} {
			if g.Move(d) == nil {
				break
			}
		}
	}
	return g
}

// At every moment of the film the visible tiles are those of the game's board.
func TestFilmShowsTheGame(t *testing.T) {
	for _, size := range []string{"2x2", "3x4", "4x4", "6x6"} {
		g := played(t, size, 80)
		b := g.Board()
		f := &filming{size: b.Size()}
		f.shoot(g.Start(), g.Steps())
		end := g.Moves()
		for g.Undo() {
		}
		for move := 0; move <= end; move++ {
			now := (float64(move) + 0.9) * moving // all tiles have arrived
			shown := board.New(b.Size())
			for _, a := range f.actors {
				if a.born > now || a.gone > 0 && a.gone <= now {
					continue
				}
				cell := a.path[0].cell
				for _, p := range a.path {
					if p.at <= now {
						cell = p.cell
					}
				}
				if shown.Cell(cell) != 0 {
					t.Fatalf("%s, move %d: two tiles on cell %d", size, move, cell)
				}
				shown.Set(cell, a.exponent)
			}
			if shown != g.Board() || f.scores[move] != g.Score() {
				t.Fatalf("%s, move %d: the film shows %v, score %d; the game has %v, score %d", size, move, shown, f.scores[move], g.Board(), g.Score())
			}
			g.Redo()
		}
	}
}

// The file is well-formed, its animations have a time for each value, in order.
func TestFilmIsSound(t *testing.T) {
	var out bytes.Buffer
	g := played(t, "4x4", 200)
	must.Do(t, Write(&out, g, `a<b & "c"`))
	animations := 0
	d := xml.NewDecoder(bytes.NewReader(out.Bytes()))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || !strings.HasPrefix(start.Name.Local, "animate") {
			continue
		}
		animations++
		attrs := map[string]string{}
		for _, a := range start.Attr {
			attrs[a.Name.Local] = a.Value
		}
		times := strings.Split(attrs["keyTimes"], ";")
		if len(times) != len(strings.Split(attrs["values"], ";")) || times[0] != "0" {
			t.Fatalf("%v", attrs)
		}
		last := -1.0
		for _, text := range times {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || x < last || x > 1 {
				t.Fatalf("key times %v", times)
			}
			last = x
		}
	}
	if animations < 100 {
		t.Errorf("%d animations", animations)
	}
	if perMove := out.Len() / g.Moves(); perMove > 1500 {
		t.Errorf("%d bytes a move", perMove)
	}
}

func TestFilmIsBounded(t *testing.T) {
	g := played(t, "6x6", MaxMoves+1)
	if g.Moves() <= MaxMoves {
		t.Fatalf("the game ended after %d moves", g.Moves())
	}
	if err := Write(io.Discard, g, ""); err == nil {
		t.Error("a film without end was made")
	}
}
