package explain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/learn/learntest"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

func TestMain(m *testing.M) { testenv.Main(m) }

func maker(t testing.TB, spec string) catalog.Maker {
	t.Helper()
	return must.Get(catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
}

func query(t testing.TB, text string) search.Query {
	t.Helper()
	b := must.Get(board.Parse(text))(t)
	return search.NewQuery(b, 0)
}

// reach is the chance of the next tile.
func reach(r *Reasons, d board.Direction) float64 {
	share, _, _ := r.Odds.Chance(d, r.Odds.Goal())
	return share
}

const middle = "128,64,8,2/16,32,4,2/4,8,2,0/2,4,0,0"

// slowed is a maker whose players take time in a synctest bubble, where computing takes none: cost
// for each decision, and a tenth of it for each check of the context by a search.
func slowed(m catalog.Maker, cost time.Duration) catalog.Maker {
	quick := m.NewRollout
	if quick == nil {
		quick = m.New
	}
	fresh := m.New
	m.New = func() player.Player { return &slow{fresh(), cost} }
	m.NewRollout = func() player.Player { return &slow{quick(), cost} }
	return m
}

type slow struct {
	player.Player
	cost time.Duration
}

func (s *slow) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	time.Sleep(s.cost)
	return s.Player.Decide(ticking{ctx, s.cost / 10}, q)
}

func (s *slow) Unwrap() player.Player { return s.Player }

type ticking struct {
	context.Context
	cost time.Duration
}

func (c ticking) Err() error {
	time.Sleep(c.cost)
	return c.Context.Err()
}

// The decision is the player's own; every legal move has the same number of
// games and terms that add up to the evaluator's value.
func TestExplain(t *testing.T) {
	for _, spec := range []string{
		"auto", "snake", "weighted-snake", "deepening(time=20ms)", "alphabeta", "greedy",
		"expectimax(eval=sum(empty=2,smoothness=-1,snake=0.5),plies=2)", "random",
	} {
		t.Run(spec, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { explains(t, spec) }) })
	}
}

func explains(t *testing.T, spec string) {
	m := slowed(maker(t, spec), time.Millisecond)
	q := query(t, middle)
	r := must.Get(Explain(t.Context(), m, q, Options{Time: time.Second, Threads: 2}))(t)
	q.All = true
	d, _ := m.New().Decide(t.Context(), q)
	if !m.TimeLimited && (r.Decision.Move != d.Move || r.Decision.Result.Moves != d.Result.Moves) {
		t.Errorf("explains %+v, decides %+v", r.Decision.Result, d.Result)
	}
	if r.Odds.Games == 0 || r.Odds.Goal() != 8 {
		t.Errorf("%d games to 2^%d", r.Odds.Games, r.Odds.Goal())
	}
	for _, dir := range board.Directions {
		x, terms := r.Odds.Moves[dir], r.Terms[dir]
		if x.SoonOver > r.Odds.Games || x.Made[0] > r.Odds.Games || !d.Moves[dir].Legal && (x.SoonOver+x.Made[0]+len(terms) > 0) {
			t.Errorf("%v: %+v of %d", dir, x, r.Odds.Games)
		}
		if m.Evaluator == nil || !d.Moves[dir].Legal {
			continue
		}
		after, _, _ := q.Board.Slide(dir)
		_, e := m.Evaluator(after.Size())
		want, sum := e.Value(&eval.Position{Board: after}), 0.0
		for _, part := range terms {
			sum += part.Value
		}
		if math.Abs(sum-want) > 1e-9*math.Abs(want) {
			t.Errorf("%v: parts %v add up to %v, the value is %v", dir, terms, sum, want)
		}
	}
}

// On 2x2 no game lasts fifty moves, and an available merge reaches the next tile.
func TestCertainties(t *testing.T) { synctest.Test(t, certainties) }

func certainties(t *testing.T) {
	r := must.Get(Explain(t.Context(), slowed(maker(t, "auto"), time.Millisecond), query(t, "2,2/0,0"), Options{Time: 500 * time.Millisecond}))(t)
	for _, d := range []board.Direction{board.Right, board.Down, board.Left} {
		if share, ci := r.Odds.SoonOver(d); share != 1 || ci.Low >= 1 || ci.Low < 0.2 { // 0.2 is for a single game
			t.Errorf("%v: dead with %v %v", d, share, ci)
		}
	}
	for _, d := range []board.Direction{board.Right, board.Left} {
		must.Equal(t, reach(&r, d), 1, "chance of the 4 by", d)
	}
	if r.Decision.Moves[board.Up].Legal || r.Odds.Moves[board.Up].SoonOver != 0 {
		t.Errorf("up is no move: %+v", r.Odds.Moves[board.Up])
	}
}

// The time limit after the decision is exceeded by at most the current decision or check, with any player: one that
// searches until its own time is up, one that knows the spawns, and one that is too slow for
// games and has none.
func TestTime(t *testing.T) {
	const limit = 300 * time.Millisecond
	for _, c := range []struct {
		spec  string
		cost  time.Duration
		games bool
	}{
		{"greedy", time.Millisecond, true},
		{"deepening(time=50ms)", time.Millisecond, true},
		{"minimax(depth=3)", 200 * time.Millisecond, false},
		{"greedy", 200 * time.Millisecond, false},
	} {
		t.Run(fmt.Sprint(c.spec, " ", c.cost), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := slowed(maker(t, c.spec), c.cost)
				start := time.Now()
				r := must.Get(Explain(t.Context(), m, query(t, middle), Options{Time: limit, Threads: 2}))(t)
				// Each player may be in a decision, and each search between two checks.
				if took := time.Since(start) - r.Decision.Elapsed; took > limit+limit/10 && c.games || took < limit {
					t.Errorf("took %v of %v", took, limit)
				}
				must.Equal(t, r.Odds.Games > 0, c.games, r.Odds.Games, "games")
			})
		})
	}
}

func TestForesightNeedsAGame(t *testing.T) {
	if _, err := Explain(t.Context(), maker(t, "foresight"), query(t, middle), Options{}); !errors.Is(err, search.ErrUnknownSpawns) {
		t.Errorf("without a game: %v", err)
	}
}

// A network's games are played until they made the next tile, which takes more than Horizon moves.
func TestWholeGames(t *testing.T) {
	n := learntest.Trained(t, board.Size{Rows: 3, Cols: 3}, "3x4")
	m := maker(t, "greedy")
	m.Network = func(context.Context, board.Size) (*ntuple.Network, error) { return n, nil }
	q := query(t, "128,0,0/0,0,0/2,0,0")
	r, err := Explain(t.Context(), m, q, Options{Threads: 2, Games: 128})
	if share := reach(&r, board.Right); err != nil || r.Odds.Horizon != 0 || r.Odds.Games != 128 || share < 0.1 {
		t.Errorf("makes a 256 in %v of %d games, horizon %d, %v", share, r.Odds.Games, r.Odds.Horizon, err)
	}
	m.Network = nil
	r, err = Explain(t.Context(), m, q, Options{Threads: 2, Games: 128})
	if share := reach(&r, board.Right); err != nil || r.Odds.Horizon != Horizon || r.Odds.Games != 128 || share > 0 {
		t.Errorf("makes a 256 within %d moves in %v of %d games, %v", r.Odds.Horizon, share, r.Odds.Games, err)
	}
	if v, ok := r.Verdict(); ok {
		t.Errorf("a verdict by games of %d moves: %+v", Horizon, v)
	}
}

func TestEnds(t *testing.T) {
	r, err := Explain(t.Context(), maker(t, "auto"), query(t, "2,4/4,2"), Options{})
	if err != nil || r.Decision.OK || r.Odds.Games != 0 {
		t.Errorf("dead board: %+v, %v", r, err)
	}
}

// loading is a player that loads something before it is ready; the players of a maker share it.
type loading struct {
	slow
	loaded *int
}

func (p *loading) Prepare(ctx context.Context, _ board.Size) error {
	if *p.loaded == 0 {
		defer player.Loading(ctx)()
		time.Sleep(time.Minute)
	}
	*p.loaded++
	return nil
}

func (p *loading) Ready(board.Size) (bool, error) { return *p.loaded > 0, nil }

func loadingMaker(m catalog.Maker) (catalog.Maker, *int) {
	loaded := new(int)
	fresh := m.New
	m.New = func() player.Player { return &loading{slow{fresh(), time.Millisecond}, loaded} }
	m.NewRollout = m.New
	return m, loaded
}

// Loading counts neither for Options.Time nor for the time of the decision.
func TestLoadingTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := loadingMaker(maker(t, "greedy"))
		ctx, cancel := player.WithLimit(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		r, err := Explain(ctx, m, query(t, "2,2/0,0"), Options{Time: 500 * time.Millisecond, Threads: 1})
		took := time.Since(start) - time.Minute
		if err != nil || r.Odds.Games == 0 || took < 500*time.Millisecond || took > 600*time.Millisecond || r.Decision.Elapsed > 100*time.Millisecond {
			t.Errorf("%v, %d games, %v beside loading, decided in %v", err, r.Odds.Games, took, r.Decision.Elapsed)
		}
	})
}

// A board that leaves no choice is explained without loading, unless chances of tiles are wanted; once the player is
// ready the only move has its reasons too.
func TestOnlyMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, loaded := loadingMaker(maker(t, "greedy"))
		for _, b := range []string{"2,4/4,2", "2,4/0,0"} {
			r, err := Explain(t.Context(), m, query(t, b), Options{})
			if err != nil || r.Decision.OK != (b == "2,4/0,0") || r.Odds.Games != 0 || *loaded != 0 {
				t.Errorf("%s: %+v, %v, loaded %d times", b, r, err, *loaded)
			}
		}
		r, err := Explain(t.Context(), m, query(t, "2,4/0,0"), Options{Threads: 1, Tiles: []uint8{3}, Games: 8})
		if err != nil || *loaded == 0 || r.Odds.Games != 8 || r.Odds.Whole != 1 {
			t.Errorf("with a tile: %+v, %v", r, err)
		}
		*loaded = 1
		r, err = Explain(t.Context(), m, query(t, "2,4/0,0"), Options{Threads: 1})
		if err != nil || r.Decision.Move != board.Down || r.Odds.Games == 0 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// A context that ends in the middle ends the work after the current move.
func TestCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		start := time.Now()
		_, err := Explain(ctx, slowed(maker(t, "auto"), time.Millisecond), query(t, middle), Options{Time: time.Minute})
		if took := time.Since(start); !errors.Is(err, context.Canceled) || took > 55*time.Millisecond {
			t.Errorf("cancelled: %v after %v", err, took)
		}
	})
}

func TestJSON(t *testing.T) { synctest.Test(t, asJSON) }

func asJSON(t *testing.T) {
	r := must.Get(Explain(t.Context(), slowed(maker(t, "greedy"), time.Millisecond), query(t, "2,2/0,0"), Options{Time: 50 * time.Millisecond}))(t)
	r.Decision.Elapsed = 0
	r.Odds.Games = 0
	out := must.Get(json.Marshal(r))(t)
	const want = `"source":"reward","why":{"played_by":"the player","games":0,"whole_games":0,"soon_moves":50,"horizon_moves":50,"tiles":[4],"moves":{` +
		`"down":{"game_over":{"share":null,"ci95":null},"tiles":{"4":{"share":null,"ci95":null,"games":0}},"score":{"mean":null,"ci95":null},"length":{"mean":null,"ci95":null},"exact":`
	if !strings.HasPrefix(string(out), `{"board":[[2,2],[0,0]],"player":"greedy","move":"right",`) || !strings.Contains(string(out), want) {
		t.Errorf("%s", out)
	}
}
