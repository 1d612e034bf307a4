package session

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// A player with a time limit keeps all its optional interfaces.
func TestLimitTimeKeepsInterfaces(t *testing.T) {
	can := func(p player.Player) (out [4]bool) {
		_, out[0] = player.As[player.Seer](p)
		_, out[1] = player.As[player.Preparer](p)
		_, out[2] = player.As[player.Searcher](p)
		_, out[3] = player.As[io.Closer](p)
		return out
	}
	for _, spec := range []string{"foresight", "snake", "auto", "greedy", `exec(cmd=go)`} {
		m := must.Get(catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks, Exec: true}))(t)
		p := m.New()
		if got, want := can(LimitTime(p, time.Second)), can(p); got != want {
			t.Errorf("%s: %v, alone %v", spec, got, want)
		}
	}
}

// thinker answers by a function.
type thinker func(ctx context.Context) error

func (f thinker) Start(_, _ uint64) {}

func (f thinker) Decide(ctx context.Context, _ search.Query) (player.Decision, error) {
	return player.Decision{}, f(ctx)
}

// The time of a decision is limited from when the player first looks at its context, and the context
// ends with the decision.
func TestLimitTime(t *testing.T) {
	b, _ := board.Parse("2,4/0,0")
	ask := func(ctx context.Context, f thinker) error {
		_, err := LimitTime(f, time.Second).Decide(ctx, search.Query{Position: eval.Position{Board: b}})
		return err
	}
	wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if err := ask(t.Context(), wait); err == nil || !strings.HasPrefix(err.Error(), "no move within 1s") {
			t.Error(err)
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("a decision of 1s took %v", took)
		}
		stopped, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, stop)
		if err := ask(stopped, wait); !errors.Is(err, context.Canceled) {
			t.Errorf("a decision that is cancelled: %v", err)
		}
		failure := errors.New("failure")
		if err := ask(t.Context(), func(context.Context) error { return failure }); err != failure {
			t.Errorf("a player that fails: %v", err)
		}
		for what, look := range map[string]func(context.Context){
			"looked": func(ctx context.Context) { _ = ctx.Err() }, "did not look": func(context.Context) {},
		} {
			var held context.Context
			if err := ask(t.Context(), func(ctx context.Context) error { look(ctx); held = ctx; return nil }); err != nil {
				t.Error(err)
			}
			if held.Err() == nil {
				t.Errorf("the context of a player that %s outlives the decision", what)
			}
		}
	})
}
