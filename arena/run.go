package arena

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"afterstate/player"
)

// Run plays an experiment. It calls observe, unless that is nil, after every
// game, by one goroutine at a time; workers wait for it.
//
// When ctx ends first, Run stops within a move of each player and returns the
// games that finished together with ctx's error. When a player fails it does
// the same, and the error names the player and the game; but a player that
// forfeits a game loses that one and goes on. Only an experiment that cannot be
// played has no results.
func Run(ctx context.Context, exp Experiment, observe func(Game)) (*Results, error) {
	exp, err := exp.checked()
	if err != nil {
		return nil, err
	}
	r := &run{
		Experiment: exp,
		observe:    observe,
		total:      int64(exp.Games) * int64(len(exp.Players)),
		games:      make([][]Game, len(exp.Players)),
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var failed error
	var once sync.Once
	var workers sync.WaitGroup
	for range min(int64(exp.Workers), r.total) {
		workers.Go(func() {
			// Once ctx has ended a player may well fail for that reason.
			if err := r.work(inner); err != nil && ctx.Err() == nil {
				once.Do(func() { failed = err })
				cancel()
			}
		})
	}
	workers.Wait()
	results := r.results()
	switch finished, of := results.Finished(); {
	case failed != nil:
		return results, failed
	case finished < of:
		return results, ctx.Err()
	}
	return results, nil
}

// run is an experiment under way.
type run struct {
	Experiment
	observe func(Game)
	total   int64
	next    atomic.Int64 // the next game to hand out; see work

	mu    sync.Mutex
	games [][]Game // by player, in the order in which they finished
}

// work plays one game after the other until none is left or ctx ends. Game 0 of
// all players comes before game 1 of any, so that whatever is finished when the
// run is stopped can be compared game by game.
func (r *run) work(ctx context.Context) error {
	players := make([]player.Player, len(r.Players))
	defer func() {
		for _, p := range players {
			_ = player.Close(p) // its games are played; nothing is lost
		}
	}()
	t := table{size: r.Size, seed: r.Seed, until: r.Until, spawner: r.Spawner}
	for {
		n := r.next.Add(1) - 1
		if n >= r.total || ctx.Err() != nil {
			return nil
		}
		who, index := int(n%int64(len(players))), uint64(n)/uint64(len(players))
		if players[who] == nil {
			p, err := r.Players[who].New()
			if err != nil {
				return fmt.Errorf("%s: %w", r.Players[who].Name, err)
			}
			players[who] = p
		}
		_, g, err := t.play(ctx, players[who], index)
		if err != nil {
			if ctx.Err() != nil {
				return nil // stopped, not failed
			}
			return fmt.Errorf("%s, game %d of seed %d: %w", r.Players[who].Name, index, r.Seed, err)
		}
		g.Player = who
		r.finish(g)
	}
}

func (r *run) finish(g Game) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.games[g.Player] = append(r.games[g.Player], g)
	if r.observe != nil {
		r.observe(g)
	}
}

// results puts the finished games in order, once no worker is left.
func (r *run) results() *Results {
	out := &Results{Size: r.Size, Seed: r.Seed, Games: r.Games, Until: r.Until}
	for i, e := range r.Players {
		slices.SortFunc(r.games[i], func(a, b Game) int { return cmp.Compare(a.Index, b.Index) })
		out.Players = append(out.Players, Played{
			Name: e.Name, Foresees: e.Foresees, TimeLimited: e.TimeLimited, Games: r.games[i],
		})
	}
	return out
}
