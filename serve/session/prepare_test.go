package session_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/serve/session"
)

// slow takes a minute to prepare and a millisecond to decide, in virtual time.
type slow struct {
	prepared map[board.Size]bool
	events   *[]string
}

func (p *slow) Start(_, _ uint64) {}

func (p *slow) Prepare(ctx context.Context, size board.Size) error {
	if p.prepared[size] {
		return nil
	}
	select {
	case <-time.After(time.Minute):
	case <-ctx.Done():
		return ctx.Err()
	}
	p.prepared[size] = true
	*p.events = append(*p.events, "prepared "+size.String())
	return nil
}

func (p *slow) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	if err := p.Prepare(ctx, q.Board.Size()); err != nil {
		return player.Decision{}, err
	}
	select {
	case <-time.After(time.Millisecond):
	case <-ctx.Done():
		return player.Decision{}, ctx.Err()
	}
	*p.events = append(*p.events, "decided")
	d := player.Decision{Board: q.Board, Player: "slow", Source: "test"}
	d.OK, d.Move = true, board.Right
	return d, nil
}

// slowSession is a session of one slow player, and what that player has done.
func slowSession(t *testing.T, prepareOnHello bool) (*session.Session, *[]string) {
	t.Helper()
	var events []string
	s := must.Get(session.New(session.Options{
		Name: "test", Version: "1.2.3", PrepareOnHello: prepareOnHello,
		Player: catalog.Maker{Spec: "slow", New: func() player.Player { return &slow{map[board.Size]bool{}, &events} }},
	}))(t)
	return s, &events
}

// A hello with a size is answered once the player is ready for it, so that no move
// waits. Without a size nothing is prepared.
func TestHelloPrepares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, events := slowSession(t, true)
		call(t, s, "hello", `{"name":"x","protocol":1}`)
		if len(*events) != 0 {
			t.Errorf("after a hello without size: %q", *events)
		}
		start := time.Now()
		if got := call(t, s, "hello", `{"name":"x","protocol":1,"size":"3x4"}`); !strings.HasPrefix(got, `{"name":"test"`) || strings.Contains(got, `"size"`) {
			t.Error(got)
		}
		if !slices.Equal(*events, []string{"prepared 3x4"}) || time.Since(start) != time.Minute {
			t.Errorf("after a hello with size: %q, %v", *events, time.Since(start))
		}
		start = time.Now()
		if got := call(t, s, "best_move", `{"board":"2,2,0,0/0,0,0,0/0,0,0,0"}`); got != `{"move":"right"}` || time.Since(start) != time.Millisecond {
			t.Errorf("%s after %v", got, time.Since(start))
		}
		short, events := slowSession(t, false)
		call(t, short, "hello", `{"size":"3x4"}`)
		if len(*events) != 0 {
			t.Errorf("a session for one request prepares: %q", *events)
		}
	})
}

// What a player does before its first answer counts neither as elapsed_ms nor
// against time_ms, whether the client states a size or not.
func TestPreparingIsNotTheMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, events := slowSession(t, true)
		if got := call(t, s, "best_move", `{"board":[[2,2],[0,4]],"time_ms":5}`); got != `{"move":"right"}` {
			t.Error(got)
		}
		if got := call(t, s, "analyze", `{"board":"2,2,0/0,0,0"}`); !strings.Contains(got, `"elapsed_ms":1,`) {
			t.Error(got)
		}
		if want := []string{"prepared 2x2", "decided", "prepared 2x3", "decided"}; !slices.Equal(*events, want) {
			t.Errorf("%q, want %q", *events, want)
		}
	})
}

// A cancelled request neither waits for the one before it nor spoils the session.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := slowSession(t, true)
		first := make(chan string)
		go func() { first <- call(t, s, "best_move", `{"board":[[2,2],[0,4]]}`) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := s.Call(ctx, "best_move", []byte(`{"board":[[2,2],[0,4]]}`)); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if got := <-first; got != `{"move":"right"}` {
			t.Error(got)
		}
		if got := call(t, s, "best_move", `{"board":[[2,2],[0,4]]}`); got != `{"move":"right"}` {
			t.Error(got)
		}
	})
}
