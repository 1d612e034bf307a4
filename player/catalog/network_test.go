package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn/learntest"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// withNetworks may use networks: one of random weights for 4x4 boards and, as run
// small, one for 3x3.
func withNetworks(t testing.TB) (caps catalog.Capabilities, loads *atomic.Int32) {
	t.Helper()
	loads = new(atomic.Int32)
	made := func(size board.Size, name string) models.Source {
		network := models.Shared{Open: func() (*ntuple.Network, error) {
			loads.Add(1)
			return learntest.Random(t, size, name), nil
		}}
		return models.Source{Load: network.Load}
	}
	caps.Networks = func(name string, file bool) (models.Source, error) {
		switch {
		case name == "" && !file:
			return made(bitboard.Size, "2x4"), nil
		case name == "small" && !file:
			return made(board.Size{Rows: 3, Cols: 3}, "2x3"), nil
		case name == "broken":
			return models.Source{Load: func() (*ntuple.Network, error) { return nil, errors.New("broken: truncated") }}, nil
		}
		return models.Source{}, errors.New("no such network")
	}
	return caps, loads
}

func TestNetworkPlays(t *testing.T) {
	caps, loads := withNetworks(t)
	for text, size := range map[string]board.Size{
		"ntuple(plies=1)":                                        bitboard.Size,
		"ntuple(plies=2,downgrade=64)":                           bitboard.Size,
		"ntuple(nodes=300,min_prob=0.01,prune_margin=50,tt=2MB)": bitboard.Size,
		"ntuple(plies=2,impl=generic)":                           bitboard.Size,
		"ntuple(model=small,plies=1)":                            {Rows: 3, Cols: 3},
		"ntuple(model=small,nodes=500,tt=2MB,min_prob=0.01)":     {Rows: 3, Cols: 3},
	} {
		loads.Store(0)
		m := must.Get(catalog.Parse(text, caps))(t)
		must.Equal(t, loads.Load(), 0, text, "loads before one is needed")
		var scores [2]int64
		for i := range scores {
			g := newGame(t, size, 3, 0)
			for p := started(m.New(), g, 3, 0); !g.Over() && g.Moves() < 200; {
				d := decide(t, p, query(g))
				checkDecision(t, text, d, g, m)
				if d.Unit != "points" {
					t.Fatalf("%s: values in %s", text, d.Unit)
				}
				must.Do(t, g.Move(d.Move))
			}
			scores[i] = g.Score()
		}
		if loads.Load() != 1 || scores[0] != scores[1] {
			t.Errorf("%s: loaded %d times, scores %v", text, loads.Load(), scores)
		}
	}
}

func TestAutoPlaysTheChampion(t *testing.T) {
	caps, loads := withNetworks(t)
	m := must.Get(catalog.Parse("auto", caps))(t)
	p := m.New()
	decide(t, p, query(newGame(t, board.Size{Rows: 3, Cols: 3}, 1, 0)))
	must.Equal(t, loads.Load(), 0, "loads for a 3x3 board")
	d := decide(t, p, query(newGame(t, bitboard.Size, 1, 0)))
	if loads.Load() != 1 || d.Unit != "points" || d.Player != "auto" {
		t.Errorf("loaded %d times, %+v", loads.Load(), d)
	}
}

// The zero value of Capabilities plays the network that comes with the program, as the
// program itself does.
func TestZeroCapabilitiesPlayTheChampion(t *testing.T) {
	q := query(newGame(t, bitboard.Size, 1, 0))
	for spec, same := range map[string]string{"auto": "champion", "best": "master"} {
		if !champion.Main().Embedded() {
			same = "expert"
		}
		var decisions []player.Decision
		for _, spec := range []string{spec, same} {
			m := must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t)
			decisions = append(decisions, decide(t, m.New(), q))
		}
		if decisions[0].Unit != decisions[1].Unit || decisions[0].Result != decisions[1].Result {
			t.Errorf("%s decides %+v, %s %+v", spec, decisions[0], same, decisions[1])
		}
		without := decide(t, maker(t, spec).New(), q)
		if expert := decide(t, maker(t, "expert").New(), q); without.Unit != eval.Heuristic || without.Result != expert.Result {
			t.Errorf("without networks %s decides %+v, expert %+v", spec, without, expert)
		}
	}
}

func TestNetworkErrors(t *testing.T) {
	caps, _ := withNetworks(t)
	for text, want := range map[string]string{
		"ntuple(model=other)":     "ntuple: model=other: no such network",
		`ntuple(model="a.model")`: `ntuple: model="a.model": files are not allowed here`,
		"ntuple(model=a(b=1))":    "ntuple: model=a(b=1): must be the name of a run, or a path in double quotes",
		"ntuple(downgrade=100)":   "ntuple: downgrade=100: must be 0, or a tile from 8 to 32768",
		"ntuple(downgrade=4)":     "ntuple: downgrade=4: must be 0, or a tile from 8 to 32768",
		"ntuple(death_value=3)":   `ntuple has no key "death_value": must be clear_margin, depth_by_tiles, downgrade`,
		"ntuple(eval=snake)":      `ntuple has no key "eval"`,
	} {
		_, err := catalog.Parse(text, caps)
		must.Contains(t, fmt.Sprint(err), want, text)
	}
	for text, want := range map[string]string{
		"ntuple":                  "ntuple: networks are not allowed here",
		"ntuple(model=small)":     "ntuple: model=small: networks are not allowed here",
		`ntuple(model="a.model")`: `ntuple: model="a.model": files are not allowed here`,
	} {
		_, err := catalog.Parse(text, catalog.Capabilities{Networks: catalog.NoNetworks})
		must.Equal(t, fmt.Sprint(err), want, text, "without networks")
	}
	_, err := catalog.Parse("ntuple(model=small)", catalog.Capabilities{})
	must.Equal(t, fmt.Sprint(err), "ntuple: model=small: training runs and model files are not allowed here")
	for text, want := range map[string]string{
		"ntuple(model=broken)": "broken: truncated",
		"ntuple(model=small)":  "the network is for 3x3 boards, but this board is 4x4",
	} {
		m := must.Get(catalog.Parse(text, caps))(t)
		q := search.Query{Position: query(newGame(t, bitboard.Size, 1, 0)).Position}
		_, err := m.New().Decide(context.Background(), q)
		must.Contains(t, fmt.Sprint(err), want, text)
	}
}

// A caller can stop waiting for a network that is being loaded; later it is available.
func TestNetworkLoadsSlowly(t *testing.T) {
	caps, _ := withNetworks(t)
	quick, release := caps.Networks, make(chan struct{})
	caps.Networks = func(name string, file bool) (models.Source, error) {
		source, err := quick(name, file)
		return models.Source{Load: func() (*ntuple.Network, error) {
			<-release
			return source.Load()
		}}, err
	}
	b := must.Get(board.Parse("2,2,0,0/0,4,0,0/0,0,8,0/0,0,0,0"))(t)
	q := search.NewQuery(b, 0)
	var all []player.Player
	for _, spec := range []string{"auto", "ntuple(plies=1)"} {
		m := must.Get(catalog.Parse(spec, caps))(t)
		p := m.New()
		all = append(all, p)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if _, err := p.Decide(ctx, q); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", spec, err)
		}
		if _, _, err := p.(player.Searcher).Tree(ctx, q, search.TreeOptions{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: tree: %v", spec, err)
		}
		if err := player.Prepare(ctx, p, b.Size()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: prepare: %v", spec, err)
		}
		if err := player.Prepare(ctx, p, board.Size{Rows: 5, Cols: 5}); spec == "auto" && err != nil {
			t.Errorf("auto on 5x5 takes no network: %v", err)
		}
		cancel()
	}
	close(release)
	for _, p := range all {
		must.Do(t, player.Prepare(t.Context(), p, b.Size()))
		if d, err := p.Decide(t.Context(), q); err != nil || !d.OK {
			t.Errorf("%+v, %v", d, err)
		}
	}
}
