package experiment_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/search"
)

// A review counts each move of each game once, with any number of threads; a cancelled
// one has the first games of the whole review.
func TestReview(t *testing.T) {
	s := open(t)
	x := begin(t, config(program("1", "")), s, 30, "random", "greedy")
	must.Do(t, x.Play(t.Context(), experiment.PlayOptions{Workers: 2}))
	m := must.Get(catalog.Parse("expectimax(eval=expert,death_value=-400000,plies=1)", catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	judge := review.By(m)
	whole := must.Get(experiment.Review(t.Context(), s, x.Plan, judge, experiment.ReviewOptions{Workers: 1}))(t)
	results := must.Get(x.Results(t.Context()))(t)
	for i, p := range whole {
		for g, r := range p.Games {
			if moves := r.Moves + r.Forced; moves != results.Players[i].Games[g].Moves || r.Index != uint64(g) {
				t.Errorf("%s, game %d: %d moves judged of %d", p.Player.Spec, g, moves, results.Players[i].Games[g].Moves)
			}
		}
		must.Equal(t, len(p.Games), 30, "games of", p.Player.Spec)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cut, fresh := m, m.New
	cut.New = func() player.Player { return &cancelling{fresh(), 700, cancel} }
	part, err := experiment.Review(ctx, s, x.Plan, review.By(cut), experiment.ReviewOptions{Workers: 1})
	if !errors.Is(err, context.Canceled) || len(part[0].Games) == 0 || len(part[0].Games) == 30 || len(part[1].Games) > 0 {
		t.Fatalf("%v after %d and %d games", err, len(part[0].Games), len(part[1].Games))
	}
	for i := range part {
		if want := whole[i].Games[:len(part[i].Games)]; !slices.Equal(part[i].Games, want) {
			t.Errorf("%s: %+v, want %+v", whole[i].Player.Spec, part[i].Games, want)
		}
	}
	table := experiment.Table(x.Plan, judge, whole)
	if random, greedy := table.Players[0], table.Players[1]; random.Games != 30 || random.Accuracy.Value >= greedy.Accuracy.Value || !random.Accuracy.CI.Known() ||
		random.Shares["best"] >= greedy.Shares["best"] || random.Loss.Value <= greedy.Loss.Value {
		t.Errorf("%+v", table)
	}
}

// cancelling ends a context after a number of decisions.
type cancelling struct {
	player.Player
	left   int
	cancel func()
}

func (c *cancelling) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return c.Player.Decide(ctx, q)
}
