package catalog

import (
	"errors"
	"testing"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/models"
	"afterstate/ntuple"
	"afterstate/player"
)

// Prepare makes the tables of the fast search, so that the first move does not.
func TestPrepareCompiles(t *testing.T) {
	for _, spec := range []string{"expert", "auto"} {
		m, err := Parse(spec, Capabilities{Networks: NoNetworks})
		if err != nil {
			t.Fatal(err)
		}
		p := m.New()
		if err := player.Prepare(t.Context(), p, board.Size{Rows: 3, Cols: 3}); err != nil {
			t.Fatal(err)
		}
		if err := player.Prepare(t.Context(), p, bitboard.Size); err != nil {
			t.Fatal(err)
		}
		if a, ok := p.(*auto); ok {
			p = a.inner
		}
		if e := p.(*searching).search.(*expectimax); e.bits == nil {
			t.Errorf("%s: nothing is compiled", spec)
		}
	}
}

// A network that could not be loaded is loaded again; one that was loaded is not.
func TestLoadingIsTriedAgain(t *testing.T) {
	calls := 0
	l := &loader{source: models.Source{Load: func() (*ntuple.Network, error) {
		if calls++; calls < 3 {
			return nil, errors.New("not yet")
		}
		return &ntuple.Network{}, nil
	}}}
	for i := range 5 {
		if n, err := l.load(); (n != nil) != (i >= 2) || (err == nil) != (i >= 2) {
			t.Errorf("call %d: %v, %v", i, n, err)
		}
		if l.ready() != (i >= 2) {
			t.Errorf("call %d: ready %v", i, l.ready())
		}
	}
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
}
