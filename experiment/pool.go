//go:build !js

package experiment

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// Pool plays games for a program that needs their outcomes and stores none, with workers on other
// machines. It is not safe for concurrent use.
type Pool struct {
	jobs    machines.Queue
	workers int
	version string
}

// OpenPool opens a queue for games of built-in players. id identifies the work among all that share
// the server; name describes it to workers. workers is the number of games at once in this process.
func (c *Config) OpenPool(ctx context.Context, r *Remote, id, name string, workers int) (*Pool, error) {
	signature, err := c.Program.signature(ctx)
	if err != nil {
		return nil, err
	}
	info := machines.QueueInfo{ID: arena.Digest(id), Version: c.Program.Version, Signature: signature}
	info.Name = name
	q, err := r.Hub.OpenQueue(ctx, info, r.onTrouble(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if r.OnOpen != nil {
		r.OnOpen(func() int { return q.Cores(false) })
	}
	return &Pool{q, workers, c.Program.Version}, nil
}

// Play plays the games 0 to games-1 of a setup with random spawns, and returns their outcomes in this order.
// The makers' specs name no files.
func (p *Pool) Play(ctx context.Context, m catalog.Maker, setup arena.Setup, games int) ([]arena.Outcome, error) {
	spawn, err := catalog.ParseSpawner(setup.Spawn, catalog.Capabilities{})
	if err != nil {
		return nil, err
	}
	setup.SpawnIdentity = spawn.Spec
	chunk := arena.Chunk{Setup: setup, Player: m.Spec, Identity: m.Spec, Version: p.version}
	plan := &arena.Planner{Workers: max(p.workers, 1)}
	plan.Add(chunk, []arena.Range{{Games: games}}, 0, 0)
	all := make([]arena.Outcome, games)
	have := make([]bool, games)
	w := arena.Worker{Factory: func(*arena.Chunk) (arena.PlayerFactory, error) {
		return arena.PlayerFactory{New: m.New, Spawn: spawn}, nil
	}}
	hash := setup.Hash()
	q := newSharedQueue(p.jobs, p.workers, func(c *arena.Chunk) (programs, ok bool) { // others are late, from an earlier part
		return false, c.Identity == m.Spec && c.Setup.Hash() == hash
	})
	s := &arena.Scheduler{
		Plan: plan,
		Capacity: func(string) int {
			q.help(ctx)
			return p.jobs.Cores(false) + p.workers
		},
		Keep: func(_ *arena.Chunk, delivered []arena.Recorded) error {
			for i := range delivered {
				if g := &delivered[i]; g.Index < uint64(games) {
					all[g.Index], have[g.Index] = g.Outcome, true
				}
			}
			return nil
		},
	}
	if err := q.run(ctx, s, w); err != nil {
		return nil, err
	}
	for i, ok := range have {
		if !ok {
			return nil, fmt.Errorf("%s: game %d did not come back", m.Spec, i)
		}
	}
	return all, nil
}

// Close leaves the queue. With done it is removed, since the work has ended.
func (p *Pool) Close(done bool) error { return leave(context.Background(), p.jobs, done) }
