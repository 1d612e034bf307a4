package review

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// The accuracy of a move falls with its loss, the faster the larger the board; that of moves is the harmonic mean,
// in which a single move that gives away everything weighs as much as many good ones.
func TestAccuracy(t *testing.T) {
	b, _ := board.Parse("4,8,2/16,32,4/2,2,8") // worth 216
	m := moveWith(t, Position{Position: eval.Position{Board: b, Score: 7}, Played: board.Right}, 284, 259)
	want := math.Exp(-1.5 * 3 * 25 / 500)
	if m.Loss != 25.0/500 || m.Class != protocol.ClassInaccuracy || m.Best != board.Left || math.Abs(m.Accuracy-want) > 1e-12 {
		t.Errorf("%+v, want the accuracy %v", m, want)
	}
	var game Tally
	for range 99 {
		game.Add(&Judgement{Grade: player.Grade{Class: protocol.ClassBest}, Accuracy: 1})
	}
	size := board.Size{Rows: 4, Cols: 4}
	game.Add(&Judgement{Grade: player.Grade{Class: protocol.ClassBlunder, Loss: 1}, Accuracy: Accuracy(1, size)})
	if got, want := game.Accuracy(), 100/(99+math.Exp(6)); math.Abs(got-want) > 1e-12 {
		t.Errorf("99 best moves and a blunder: %v, want %v", got, want)
	}
	game = Tally{}
	game.Add(&Judgement{Grade: player.Grade{Class: protocol.ClassGood, Loss: -0.01}, Accuracy: Accuracy(-0.01, size)})
	must.Equal(t, game.Accuracy(), 1, "accuracy of a move that measures better than the best one")
	if none := new(Tally); !math.IsNaN(none.Accuracy()) {
		t.Errorf("no moves: %v", none.Accuracy())
	}
}

// The more a board is in danger, the less often games from it go on; the random numbers are the same each time.
func TestSurvival(t *testing.T) {
	d := player.Driver{Player: maker(t, Casual).New()}
	chance := func(text string) float64 {
		b := must.Get(board.Parse(text))(t)
		share, err := Survival(t.Context(), &d, b, game.P4)
		if again, _ := Survival(t.Context(), &d, b, game.P4); err != nil || again != share {
			t.Errorf("%s: %v, then %v, %v", text, share, again, err)
		}
		return share
	}
	fresh, tight, over := chance("0,2,0,0/0,0,0,0/0,0,0,2/0,0,0,0"), chance("2,4,8,16/4,8,32,2/64,2,8,4/2,128,4,2"), chance("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2")
	if fresh < 0.9 || tight > 0.5 || tight >= fresh || over != 0 {
		t.Errorf("an empty board %v, a tight one %v, the end %v", fresh, tight, over)
	}
	for size, want := range map[board.Size]int{{Rows: 2, Cols: 2}: 1, {Rows: 4, Cols: 4}: 100, {Rows: 6, Cols: 6}: 200} {
		must.Equal(t, Horizon(size), want, "horizon on", size)
	}
}

// A phase ends with its tile.
func TestPhase(t *testing.T) {
	for largest, want := range map[uint8]protocol.GamePhase{
		8: "to_512", 9: "to_2048", 10: "to_2048", 11: "to_8192", 12: "to_8192", 13: "to_16384", 14: "to_32768", 15: "beyond", 16: "beyond",
	} {
		b := board.New(board.Size{Rows: 4, Cols: 4})
		b.Set(3, largest)
		must.Equal(t, Phase(&b), want, "largest tile", board.Tile(largest))
	}
}
