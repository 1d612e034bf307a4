package experiment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"afterstate/arena"
	"afterstate/arena/store"
)

// Hub reaches workers on other machines. A *jetstream.Client of arena/jetstream is one.
type Hub interface {
	// OpenQueue opens the queue of an experiment.
	OpenQueue(ctx context.Context, info arena.QueueInfo) (arena.RemoteQueue, error)
	// PutFile makes a file available to workers by the SHA-256 of its contents.
	PutFile(ctx context.Context, path string) (sum string, err error)
}

// remote is the play of an experiment with workers on other machines.
type remote struct {
	*Experiment
	o         *PlayOptions
	queue     arena.RemoteQueue
	scheduler *arena.Scheduler
	resuming  bool
	seen      map[string]map[uint64]bool // games that were kept here, by identity: late and doubled deliveries are left out
}

// remote opens the experiment's queue, and stores the games that came back since it was played last.
func (x *Experiment) remote(ctx context.Context, o *PlayOptions) (r *remote, outstanding map[string][]arena.Range, err error) {
	info, err := x.queueInfo(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	if err := x.putFiles(ctx, o); err != nil {
		return nil, nil, err
	}
	r = &remote{Experiment: x, o: o, resuming: true, seen: map[string]map[uint64]bool{}}
	if r.queue, err = o.Hub.OpenQueue(ctx, info); err != nil {
		return nil, nil, err
	}
	r.scheduler = &arena.Scheduler{
		Queue: r.queue, Plan: &arena.Plan{},
		Capacity: func() int { return r.queue.Cores() + o.Workers },
		Keep: func(c *arena.Chunk, games []arena.Recorded) error {
			return r.keepRemote(context.WithoutCancel(ctx), c, games)
		},
		Inspect: &arena.Inspector{Factory: x.factory(nil), Deterministic: x.deterministic, Parallel: max(o.Workers, 1), OnFalse: r.withdraw},
	}
	outstanding, err = r.scheduler.Resume(ctx, r.queue)
	r.resuming = false
	if err != nil {
		return nil, nil, errors.Join(err, r.queue.Close())
	}
	return r, outstanding, nil
}

// queueInfo describes the experiment to workers.
func (x *Experiment) queueInfo(ctx context.Context, o *PlayOptions) (arena.QueueInfo, error) {
	signature, err := x.config.Program.signature(ctx)
	e := x.Stored
	id := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s", e.Name, e.Created.UTC().Format(time.RFC3339Nano), e.Setup.Hash()))
	info := arena.QueueInfo{ID: fmt.Sprintf("%x", id[:12]), Name: e.Name, Version: x.config.Program.Version, Signature: signature}
	for _, p := range o.Players {
		info.AllowExec = info.AllowExec || arena.RunsOthers(p.Spec)
	}
	return info, err
}

// putFiles makes the files of the players and of the spawn rule available to workers.
func (x *Experiment) putFiles(ctx context.Context, o *PlayOptions) error {
	if x.config.Files == nil {
		return nil
	}
	specs := []string{x.Stored.Setup.Spawn}
	for _, p := range o.Players {
		specs = append(specs, p.Spec)
	}
	for _, spec := range specs {
		files, err := x.config.Files(spec)
		if err != nil {
			return err
		}
		for sum, path := range files {
			switch got, err := o.Hub.PutFile(ctx, path); {
			case err != nil:
				return err
			case got != sum:
				return fmt.Errorf("%s changes while it is read: its SHA-256 was %s, is %s", path, sum, got)
			}
		}
	}
	return nil
}

// deterministic reports whether a chunk's player makes the same moves on every machine.
func (x *Experiment) deterministic(c *arena.Chunk) bool {
	m, ok := x.makers[c.Identity]
	return ok && !m.TimeLimited && !arena.RunsOthers(c.Identity)
}

// keepRemote stores games. Those that came back before Play read the store are not counted twice.
func (r *remote) keepRemote(ctx context.Context, c *arena.Chunk, games []arena.Recorded) error {
	p := r.Player(c.Identity)
	if p == nil {
		return nil // an outstanding chunk of a player that was removed
	}
	if games = r.fresh(c.Identity, games); len(games) == 0 {
		return nil
	}
	if !r.resuming {
		return r.keep(ctx, c, games, r.o)
	}
	if _, err := r.store.Keep(ctx, r.Stored, p, games); err != nil {
		return err
	}
	delete(r.games, c.Identity) // they are read again
	if r.o.onResume != nil {
		return r.o.onResume(p, games)
	}
	return nil
}

// fresh returns the games that were not kept before.
func (r *remote) fresh(identity string, games []arena.Recorded) []arena.Recorded {
	seen := r.seen[identity]
	if seen == nil {
		seen = map[uint64]bool{}
		r.seen[identity] = seen
	}
	var all []arena.Recorded
	for _, g := range games {
		if !seen[g.Index] {
			seen[g.Index] = true
			all = append(all, g)
		}
	}
	return all
}

// withdraw removes the games of a worker whose delivery was false.
func (r *remote) withdraw(ctx context.Context, d *arena.Delivery, reason string, former map[string][]arena.Range) error {
	if err := r.queue.Reject(ctx, d, reason); err != nil {
		return err
	}
	removed := 0
	for identity, games := range former {
		p := r.Player(identity)
		if p == nil {
			continue
		}
		n, err := r.store.Withdraw(ctx, r.Stored, p, games)
		if err != nil {
			return err
		}
		removed += n
		maps.DeleteFunc(r.seen[identity], func(index uint64, _ bool) bool { return contains(games, index) })
		if !r.o.DiscardOutcomes {
			r.games[identity] = slices.DeleteFunc(r.games[identity], func(g arena.Game) bool { return contains(games, g.Index) })
		}
	}
	if r.o.OnRejected != nil {
		return r.o.OnRejected(d.Worker, reason, removed)
	}
	return nil
}

func contains(games []arena.Range, index uint64) bool {
	return slices.ContainsFunc(games, func(r arena.Range) bool { return index >= r.First && index-r.First < uint64(r.Games) })
}

// play plays until the plan is done, and closes the queue. It stays on the server unless nothing is
// left to play.
func (r *remote) play(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, r.queue.Close()) }()
	if !r.scheduler.Enough() {
		if r.o.Workers > 0 {
			w := arena.Worker{Queue: r.queue, Factory: r.factory(r.o.Wrap), Heartbeat: r.queue.Heartbeat()}
			err = r.scheduler.RunHere(ctx, w, r.o.Workers)
		} else {
			err = r.scheduler.Run(ctx)
		}
	}
	if err = cmp.Or(store.RemovalCause(ctx, err), err); err == nil || errors.Is(err, store.ErrRemoved) {
		err = cmp.Or(err, r.queue.Remove(context.WithoutCancel(ctx)))
	}
	return err
}
