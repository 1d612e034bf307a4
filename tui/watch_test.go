package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/live"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search"
)

// newTestWatch returns a running watched game on a dumb terminal of 80x24.
func newTestWatch(t *testing.T, p player.Player, change func(*WatchOptions)) *watch {
	t.Helper()
	g := must.Get(game.New(game.Options{Spawner: game.NewRandom(7, 0, game.P4)}))(t)
	o := WatchOptions{Game: g, Name: "first", About: "4x4, seed 7"}
	if p != nil {
		o.Driver = &player.Driver{Player: p}
	}
	if change != nil {
		change(&o)
	}
	m := newWatch(o)
	open(m, 80, 24)
	ctx, stop := context.WithCancel(context.Background())
	go m.live.Run(ctx)
	t.Cleanup(func() {
		stop()
		<-m.live.Done()
	})
	return m
}

// await lets the model read snapshots until one satisfies a condition.
func await(t *testing.T, m *watch, what string, wanted func(s *live.Snapshot) bool) {
	t.Helper()
	late := time.After(testenv.Hang)
	for m.look(); !wanted(&m.shown); m.look() {
		m.live.RequestSnapshot()
		select {
		case <-m.live.Updates():
		case <-late:
			t.Fatalf("timed out waiting for %s: %+v\n%s", what, m.shown, testenv.Stacks())
		}
	}
}

func atMove(n int) func(*live.Snapshot) bool {
	return func(s *live.Snapshot) bool { return s.Moves == n && (s.DecisionCurrent || s.Over) }
}

// byRule plays a game as the command watch does without a terminal.
func byRule(t *testing.T, p player.Player, moves int) *game.Game {
	t.Helper()
	g, _ := game.New(game.Options{Spawner: game.NewRandom(7, 0, game.P4)})
	for range moves {
		d, err := p.Decide(t.Context(), search.NewQuery(g.Board(), g.Score()))
		if err != nil || !d.OK {
			break
		}
		must.Do(t, g.Move(d.Move))
	}
	return g
}

// At any speed, a watched game is the same as without a screen.
func TestWatchPlaysTheSameGame(t *testing.T) {
	p := &stub{decide: firstMove}
	want := byRule(t, p, 1<<20)
	for _, speed := range []float64{0, 20000} {
		m := newTestWatch(t, p, func(o *WatchOptions) { o.Speed = speed })
		await(t, m, "the end", func(s *live.Snapshot) bool { return s.Over })
		if m.shown.Board != want.Board() || m.shown.Score != want.Score() || m.shown.Moves != want.Moves() || m.state().text != "no moves left" {
			t.Errorf("speed %v: %v after %d moves, %s; want %v after %d", speed, m.shown.Board, m.shown.Moves, m.state().text, want.Board(), want.Moves())
		}
	}
}

// Pausing, steps forward and back, and resuming do not change the game.
func TestWatchTravel(t *testing.T) {
	m := newTestWatch(t, &stub{decide: firstMove}, func(o *WatchOptions) { o.Speed = 1e-3 })
	await(t, m, "the first decision", atMove(0))
	press(m, "space")
	must.Equal(t, m.state().text, "paused", "state")
	press(m, "n", "right", "n")
	await(t, m, "move 3", atMove(3))
	m.shown.Decision.Elapsed = 0
	golden(t, "watch-paused", screenText(m))
	want := byRule(t, &stub{decide: firstMove}, 3)
	must.Equal(t, m.shown.Board, want.Board())
	press(m, "b", "left", "b", "b", "b")
	await(t, m, "the beginning", atMove(0))
	press(m, "n", "n", "n", "n")
	await(t, m, "move 4", atMove(4))
	want = byRule(t, &stub{decide: firstMove}, 4)
	must.Equal(t, m.shown.Board, want.Board())
	press(m, "b", "b", "+", "+", "+", "+", "+", "+", "+", "+", "space")
	if m.speed != 0 || m.state().text != "full speed" {
		t.Errorf("speed %v, state %q", m.speed, m.state().text)
	}
	await(t, m, "the end", func(s *live.Snapshot) bool { return s.Over })
	want = byRule(t, &stub{decide: firstMove}, 1<<20)
	must.Equal(t, m.shown.Board, want.Board(), "the end")
}

// The screen does not wait for a player that thinks.
func TestWatchSlowPlayer(t *testing.T) {
	began := make(chan bool, 9)
	slow := &stub{decide: func(ctx context.Context, q search.Query) (player.Decision, error) {
		began <- true
		<-ctx.Done()
		return player.Decision{}, ctx.Err()
	}}
	m := newTestWatch(t, slow, nil)
	c := newClock()
	m.screen.now = c.now
	<-began
	m.look()
	c.Time = c.Add(fadeAfter)
	must.Contains(t, screenText(m), "thinking")
}

func TestWatchUntil(t *testing.T) {
	m := newTestWatch(t, &stub{decide: firstMove}, func(o *WatchOptions) { o.Until = 32 })
	await(t, m, "the tile", func(s *live.Snapshot) bool { return s.Reached && s.DecisionCurrent })
	if b := m.shown.Board; board.Tile(b.Largest()) != 32 || m.state().text != "32 reached" {
		t.Errorf("%v, %q", b, m.state().text)
	}
	press(m, "space")
	await(t, m, "the end", func(s *live.Snapshot) bool { return s.Over })
}

// A player's failure is shown; the game can be resumed.
func TestWatchFailure(t *testing.T) {
	fails := true
	p := &stub{decide: func(ctx context.Context, q search.Query) (player.Decision, error) {
		if fails {
			fails = false
			return player.Decision{}, errors.New("the bot died")
		}
		return firstMove(ctx, q)
	}}
	m := newTestWatch(t, p, nil)
	await(t, m, "the failure", func(s *live.Snapshot) bool { return s.Err != nil })
	if text := screenText(m); !strings.Contains(text, "the bot died") || !strings.Contains(text, "failed") {
		t.Error(text)
	}
	press(m, "space")
	await(t, m, "the end", func(s *live.Snapshot) bool { return s.Over && s.Err == nil })
}

// A recorded game is shown from its beginning to its end, and no further.
func TestWatchRecord(t *testing.T) {
	played := byRule(t, &stub{decide: firstMove}, 20)
	r := record.Of(played, record.Meta{Seed: 7, P4: game.P4, Player: "first"})
	g := must.Get(r.Replay())(t)
	for g.Undo() {
	}
	m := newTestWatch(t, nil, func(o *WatchOptions) { o.Game, o.Speed, o.Animate = g, 1e-3, true })
	press(m, "n")
	await(t, m, "move 1", func(s *live.Snapshot) bool { return s.Moves == 1 })
	press(m, "n")
	await(t, m, "move 2", func(s *live.Snapshot) bool { return s.Moves == 2 })
	if !m.slide.running {
		t.Error("a step is not animated")
	}
	m.slide.stop()
	golden(t, "watch-record", screenText(m))
	m.setSpeed(0)
	press(m, "space")
	await(t, m, "the end", func(s *live.Snapshot) bool { return s.Over })
	if m.shown.Board != played.Board() || m.state().text != "end of the record" {
		t.Errorf("%v, %q", m.shown.Board, m.state().text)
	}
}

// Without keys the screen closes by itself.
func TestWatchWithoutKeys(t *testing.T) {
	m := newTestWatch(t, &stub{decide: firstMove}, nil)
	await(t, m, "the end", func(s *live.Snapshot) bool { return s.Over })
	m.keys = false
	must.Contains(t, screenText(m), "no keys")
	quits := false
	if all, ok := m.look()().(tea.BatchMsg); ok {
		for _, cmd := range all {
			_, quit := cmd().(tea.QuitMsg)
			quits = quits || quit
		}
	} else {
		_, quits = m.look()().(tea.QuitMsg)
	}
	if !quits {
		t.Error("the screen does not quit")
	}
}

func TestSpeeds(t *testing.T) {
	var up, down []float64
	for s := 0.5; s > 0; {
		s = faster(s)
		up = append(up, s)
	}
	for s := 0.0; len(down) == 0 || s > 1; {
		s = slower(s)
		down = append(down, s)
	}
	if len(up) != len(speeds)+1 || len(down) != len(speeds) || faster(0) != 0 || slower(0.5) != 0.5 || faster(30) != 50 || slower(30) != 20 {
		t.Errorf("up %v, down %v", up, down)
	}
}

// loader is a player that loads something for 5 s.
type loader struct {
	stub
	loaded bool
}

func (p *loader) Prepare(ctx context.Context, _ board.Size) error {
	if !p.loaded {
		defer player.Loading(ctx)()
		time.Sleep(5 * time.Second)
		p.loaded = true
	}
	return nil
}

// While the player of the hints loads its network, the screen says so, after a delay.
func TestHintLoads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &loader{stub: stub{decide: firstMove}}
		m, _ := newTestPlay(t, func(o *PlayOptions) {
			o.Hint = catalog.Maker{Spec: "loader", New: func() player.Player { return p }}
		})
		messages := make(chan tea.Msg, 10)
		m.send = func(msg tea.Msg) { messages <- msg }
		cmd := press(m, "space")
		go func() { messages <- cmd() }()
		start := time.Now()
		for _, want := range []struct {
			after time.Duration
			sees  string
		}{{0, "thinking"}, {300 * time.Millisecond, "loading the network"}, {5 * time.Second, "thinking"}} {
			if want.after > 0 {
				m.Update(<-messages)
			}
			if after := time.Since(start); after != want.after || !strings.Contains(screenText(m), want.sees) {
				t.Errorf("after %v: no %q\n%s", after, want.sees, screenText(m))
			}
		}
		m.Update(<-messages)
		if m.hint.err != nil || !m.hint.current {
			t.Errorf("%v, current %v", m.hint.err, m.hint.current)
		}
		if err := m.hint.close(); err != nil {
			t.Error(err)
		}
	})
}

// A terminal without a screen gets a line about loading.
func TestLoadingNotice(t *testing.T) {
	var out strings.Builder
	notify := LoadingNotice(&out)
	notify(true)
	notify(false)
	must.Equal(t, out.String(), "loading the network\n")
}

// A watched game whose player loads its network says so in place of its speed.
func TestWatchLoads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newTestWatch(t, &loader{stub: stub{decide: firstMove}}, nil)
		await(t, m, "loading", func(s *live.Snapshot) bool { return s.Loading })
		must.Contains(t, screenText(m), "loading the network")
		await(t, m, "a move", func(s *live.Snapshot) bool { return s.Moves > 0 && !s.Loading })
		if strings.Contains(screenText(m), "loading") {
			t.Error(screenText(m))
		}
	})
}
