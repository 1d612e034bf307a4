package experiment_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// A ranking finds the order of players that differ, with fewer games for players that differ most. Equally strong players share ranks
// and play all games. An interrupted ranking has the same verdicts as one that was not interrupted.
func TestRank(t *testing.T) {
	c := config(program("1", ""))
	size := board.Size{Rows: 2, Cols: 3}
	specs := []string{"random", "weighted-snake", "perfect", "greedy", "expectimax"} // weighted-snake and expectimax play alike on 2x3
	players := must.Get(c.Entrants(t.Context(), specs, size))(t)
	var identities []string
	for _, p := range players {
		identities = append(identities, p.Identity)
	}
	const most = 300
	rank := func(s experiment.Store, stop int) protocol.RankTable {
		t.Helper()
		x, err := c.Find(t.Context(), s, "ladder")
		if errors.Is(err, arena.ErrUnknown) {
			x, err = c.Begin(t.Context(), s, &arena.Plan{Name: "ladder", Setup: arena.Setup{Size: size, Spawn: "random", Seed: 3}}, players)
		}
		if err != nil {
			t.Fatal(err)
		}
		must.Do(t, x.Extend(t.Context(), experiment.Extension{Entrants: players, Games: most, Match: true}))
		r := must.Get(x.Rank(t.Context(), identities, 0.95))(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		rounds := 0
		err = r.Play(ctx, experiment.PlayOptions{Workers: 2, Games: most, OnStart: func(have [][]arena.Outcome) { // called in each round
			if len(have) < 2 {
				t.Errorf("a round of %d players", len(have))
			}
			if rounds++; rounds == stop {
				cancel()
			}
		}})
		if stop == 0 && err != nil || stop > 0 && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		return r.Table(2)
	}
	whole := rank(open(t), 0)
	want := [][2]int{{1, 1}, {2, 3}, {2, 3}, {4, 4}, {5, 5}}
	names := []string{"perfect", "weighted-snake", "expectimax", "greedy", "random"}
	for i, p := range whole.Players {
		if [2]int{p.Best, p.Worst} != want[i] || p.Player != names[i] {
			t.Errorf("%+v, want %s with ranks %v", p, names[i], want[i])
		}
		if close := i == 1 || i == 2; close != (p.Games == most) {
			t.Errorf("%s has played %d games", p.Player, p.Games)
		}
	}
	if o := whole.Left; o == nil || o.AtLeast == 0 || whole.Open[0] != "weighted-snake" || whole.Open[1] != "expectimax" {
		t.Errorf("outlook: %+v, %v", whole.Left, whole.Open)
	}
	s := open(t)
	for stop := 3; stop > 0; stop-- {
		rank(s, stop)
	}
	if again := rank(s, 0); !reflect.DeepEqual(again.Players, whole.Players) {
		t.Errorf("after interruptions:\n%+v\nwant\n%+v", again.Players, whole.Players)
	}
}
