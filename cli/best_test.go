package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/advice/explain"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// The line on a terminal has the games and the best chance so far; other outputs get nothing.
func TestGamesProgress(t *testing.T) {
	m := must.Get(catalog.Parse("greedy", catalog.Capabilities{}))(t)
	b := must.Get(board.Parse("2,4,2/4,2,4/2,4,4"))(t)
	var out strings.Builder
	p := newGamesProgress(&out)
	o := explain.Options{Tiles: []uint8{3}, Games: 8, Progress: p.show}
	must.Get(explain.Explain(t.Context(), m, search.NewQuery(b, 0), o))(t)
	if p.End(); out.Len() > 0 {
		t.Errorf("%q without a terminal", &out)
	}
	p.Draw()
	if want := regexp.MustCompile(`8 games after each move, so far (up|right|down|left) makes 8 in 100\.0 % \[67\.6, 100\.0\], \d+\.\d s\n$`); !want.MatchString(out.String()) {
		t.Errorf("the line is %q", &out)
	}
}
