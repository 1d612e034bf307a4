package tui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/live"
	"github.com/afterstate2048/afterstate/rules/board"
)

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

// While the player of the hints loads its network, the screen says so, and not at once.
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
	if out.String() != "loading the network\n" {
		t.Errorf("%q", &out)
	}
}

// A watched game whose player loads its network says so in place of its speed.
func TestWatchLoads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newTestWatch(t, &loader{stub: stub{decide: firstMove}}, nil)
		await(t, m, "loading", func(s *live.Snapshot) bool { return s.Loading })
		if !strings.Contains(screenText(m), "loading the network") {
			t.Error(screenText(m))
		}
		await(t, m, "a move", func(s *live.Snapshot) bool { return s.Moves > 0 && !s.Loading })
		if strings.Contains(screenText(m), "loading") {
			t.Error(screenText(m))
		}
	})
}
