package experiment

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// Pool plays games for a program that needs their outcomes and stores none, with workers on other
// machines. It is not safe for concurrent use.
type Pool struct {
	queue   arena.RemoteQueue
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
	info := arena.QueueInfo{ID: arena.Digest(id), Name: name, Version: c.Program.Version, Signature: signature}
	q, err := r.Hub.OpenQueue(ctx, info)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if r.OnOpen != nil {
		r.OnOpen(func() int { return q.Cores("") })
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
	w := arena.Worker{Queue: p.queue, Heartbeat: p.queue.Heartbeat(), Factory: func(c *arena.Chunk) (arena.PlayerFactory, error) {
		if c.Identity != m.Spec {
			return arena.PlayerFactory{}, fmt.Errorf("%s belongs to an earlier part of the work", c.Player)
		}
		return arena.PlayerFactory{New: m.New, Spawn: spawn}, nil
	}}
	s := arena.Scheduler{
		Queue: p.queue, Plan: plan, Capacity: func(string) int { return p.queue.Cores("") + p.workers },
		Keep: func(c *arena.Chunk, delivered []arena.Recorded) error {
			if c.Identity != m.Spec || c.Setup != setup {
				return nil // late, from an earlier part
			}
			for i := range delivered {
				if g := &delivered[i]; g.Index < uint64(games) {
					all[g.Index], have[g.Index] = g.Outcome, true
				}
			}
			return nil
		},
		Inspect: &arena.Inspector{Factory: w.Factory, Deterministic: func(*arena.Chunk) bool { return !m.TimeLimited }, OnFalse: p.reject},
	}
	if err := s.RunHere(ctx, w, p.workers); err != nil {
		return nil, err
	}
	for i, ok := range have {
		if !ok {
			return nil, fmt.Errorf("%s: game %d did not come back", m.Spec, i)
		}
	}
	return all, nil
}

// reject leaves the former games of a rejected worker, which belong to work that has ended.
func (p *Pool) reject(ctx context.Context, d *arena.Delivery, reason string, _ map[string][]arena.Range) error {
	return p.queue.Reject(ctx, d, reason)
}

// Close leaves the queue. With done it is removed, since the work has ended.
func (p *Pool) Close(done bool) error {
	if !done {
		return p.queue.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), cleanUpTime)
	defer cancel()
	return p.queue.Remove(ctx)
}
