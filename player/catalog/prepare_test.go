package catalog

import (
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Prepare makes the tables of the fast search, so that the first move does not.
func TestPrepareCompiles(t *testing.T) {
	for _, spec := range []string{"expert", "auto"} {
		m := must.Get(Parse(spec, Capabilities{Networks: NoNetworks}))(t)
		p := m.New()
		must.Do(t, player.Prepare(t.Context(), p, board.Size{Rows: 3, Cols: 3}))
		must.Do(t, player.Prepare(t.Context(), p, bitboard.Size))
		if a, ok := p.(*auto); ok {
			p = a.made
		}
		if e := p.(*searching).search.(*expectimax); e.bits == nil {
			t.Errorf("%s: nothing is compiled", spec)
		}
	}
}
