//go:build !js

package experiment

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/protocol"
)

// What ends at a verdict here: its confidence, and the largest numbers of games of a player and of players.
const (
	confidence = 0.95
	maxRanked  = 32
)

// decide returns what plays an experiment that ends at a verdict and has none.
func (x *Experiment) decide(ctx context.Context) (play func(context.Context, PlayOptions) error, err error) {
	ranking, err := x.rankAll(ctx)
	if err != nil {
		return nil, err
	}
	if players, _ := ranking.round(maxDecide); len(players) > 0 {
		return func(ctx context.Context, o PlayOptions) error {
			o.Games = maxDecide
			return ranking.Play(ctx, o, nil)
		}, nil
	}
	if _, open := ranking.Left(1); open != nil {
		return nil, fmt.Errorf("%q is not clear after %d games of a player, the maximum here", x.Stored.Name, maxDecide)
	}
	return nil, fmt.Errorf("%q has its verdict", x.Stored.Name)
}

// rankAll ranks all players of the experiment.
func (x *Experiment) rankAll(ctx context.Context) (*Ranking, error) {
	if n := len(x.Stored.Players); n < 2 || n > maxRanked {
		return nil, fmt.Errorf("%s has %d players: a verdict is on 2 to %d", x.Stored.Name, n, maxRanked)
	}
	return x.Rank(ctx, each.Of(x.Stored.Players, func(p arena.Player) string { return p.Identity }), confidence, nil)
}

// maxCurve is the number of points of a curve.
const maxCurve = 200

// Evidence ranks the players of an experiment by its games so far.
func (r *Runner) Evidence(ctx context.Context, name string) (*protocol.Evidence, error) {
	return cached(r, "evidence "+name, func() (*protocol.Evidence, error) {
		s, e, err := r.find(ctx, name)
		if err != nil {
			return nil, err
		}
		ranking, err := r.o.Config.experiment(s, e).rankAll(ctx)
		if err != nil {
			return nil, err
		}
		for i := range ranking.Players {
			ranking.names[i], ranking.Players[i].Spec = r.public(ranking.names[i]), r.public(ranking.Players[i].Spec)
		}
		workers := max(1, r.o.Workers)
		v := &protocol.Evidence{RankTable: ranking.Table(workers), Tests: []protocol.EvidenceTest{}}
		order := ranking.order()
		for i, below := range order[1:] {
			m := ranking.match(order[i], below, workers)
			t := protocol.EvidenceTest{MatchResult: m.Result()}
			t.After, t.EvidenceA, t.EvidenceB = m.Curve(maxCurve)
			v.Tests = append(v.Tests, t)
		}
		return v, nil
	})
}
