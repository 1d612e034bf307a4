package review

import (
	"regexp"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// At a level a bad move has a reason in numbers: the points, and the chances of the next tile where they differ.
func TestNumbers(t *testing.T) {
	level := must.Get(levels.Parse("3000", bitboard.Size))(t)
	parse := func(spec string) (catalog.Maker, error) { return catalog.Parse(spec, catalog.Capabilities{}) }
	judge := must.Get(New(parse, &level, bitboard.Size, 1, game.P4))(t)
	b := must.Get(board.Parse("16,2,128,32/4,16,64,128/2,8,16,32/0,4,8,16"))(t)
	moves := must.Get(judge.Review(t.Context(), Choices(eval.Position{Board: b}), Options{Threads: 1}))(t)
	for _, m := range moves {
		switch m.Played {
		case board.Down:
			want := `^A player of this level still makes 1,\d{3} points after down and 2,\d{3} after left; ` +
				`the 256 in \d\d % and in (9\d|100) % of games\. Pairs of equal tiles that touch: 1 after down, 2 after left\.$`
			if why := m.Why(); m.Class != protocol.ClassBlunder || !regexp.MustCompile(want).MatchString(why) {
				t.Errorf("%v: %s", m.Class, why)
			}
			if n := m.Wire().NextTile; n == nil || n.Tile != 256 || n.Best < n.Played+0.2 {
				t.Errorf("%+v", n)
			}
		case board.Left:
			if m.Class != protocol.ClassBest || m.Why() != "" || m.NextTile != nil {
				t.Errorf("%v: %s", m.Class, m.Why())
			}
		}
	}
}
