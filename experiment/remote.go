package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// Remote lets workers on other machines play. Hub and Files are required.
type Remote struct {
	Hub Hub
	// Files returns the files that a spec names, as the function Files does.
	Files func(spec string) (map[string]string, error)
	// OnOpen is called when the queue is open, with the number of cores of the workers elsewhere.
	OnOpen func(cores func() int)
	// OnFalse is called when a worker is rejected because it delivered a false game. Its games are
	// played again.
	OnFalse func(worker, reason string)
}

// A scheduler handles some hundred chunks a second. With many cores chunks are longer, so that there
// are at most chunksPerSecond of them.
const (
	minChunkTime    = 2 * time.Second
	chunksPerSecond = 200
)

// remotePlay plays an experiment by a queue with workers on other machines.
type remotePlay struct {
	*Experiment
	o           *PlayOptions
	queue       arena.RemoteQueue
	outstanding []arena.Chunk
}

// openQueue opens the queue of the experiment and makes the files of its players available.
func (x *Experiment) openQueue(ctx context.Context, o *PlayOptions) (*remotePlay, error) {
	r := &remotePlay{Experiment: x, o: o}
	signature, err := x.config.Program.signature(ctx)
	if err != nil {
		return nil, err
	}
	if err := o.Remote.share(ctx, x.Stored.Setup.Spawn, x.Stored.Setup.SpawnIdentity); err != nil {
		return nil, err
	}
	programs := false
	for i := range o.Players {
		p := &o.Players[i]
		if err := o.Remote.share(ctx, p.Spec, p.Identity); err != nil {
			return nil, err
		}
		programs = programs || x.makers[p.Identity].External != nil
	}
	r.queue, err = o.Remote.Hub.OpenQueue(ctx, arena.QueueInfo{
		ID: x.queueID(), Name: x.Stored.Name, Version: x.config.Program.Version, Signature: signature, AllowExec: programs,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", x.Stored.Name, err)
	}
	all, err := r.queue.Outstanding(ctx)
	if err != nil {
		return nil, errors.Join(err, r.queue.Close())
	}
	for _, c := range all {
		if p := x.Player(c.Identity); p != nil && c.Setup == x.Stored.Setup && r.plays(p) {
			r.outstanding = append(r.outstanding, c)
		}
	}
	return r, nil
}

// queueID identifies the experiment among all that share a server.
func (x *Experiment) queueID() string {
	host, _ := os.Hostname() // it only tells stores with equal paths apart
	path := x.store.Path()
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	e := x.Stored
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %s", host, path, e.Name, e.Created.Unix(), e.Setup.Hash()))
	return hex.EncodeToString(sum[:10])
}

// share makes the files of a spec available, which must have the hashes of its identity.
func (r *Remote) share(ctx context.Context, spec, identity string) error {
	files, err := r.Files(spec)
	if err != nil {
		return err
	}
	for hash, path := range files {
		sum, err := r.Hub.PutFile(ctx, path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if "sha256:"+sum != hash || !strings.Contains(identity, hash) {
			return fmt.Errorf("%s has changed: begin again", path)
		}
	}
	return nil
}

// plays reports whether a player is among those of this play.
func (r *remotePlay) plays(p *store.Player) bool {
	for i := range r.o.Players {
		if r.o.Players[i].Identity == p.Identity {
			return true
		}
	}
	return false
}

// pending are the games of a player that workers play already.
func (r *remotePlay) pending(identity string) (all []arena.Range) {
	for _, c := range r.outstanding {
		if c.Identity == identity {
			all = append(all, arena.Range{First: c.First, Games: c.Games})
		}
	}
	return all
}

// play plays the plan and what is outstanding. The queue is removed at the end, unless the experiment
// is to be resumed.
func (r *remotePlay) play(ctx context.Context, s *arena.Scheduler, w arena.Worker) error {
	s.Queue, s.Outstanding = r.queue, r.outstanding
	s.Capacity = func() int {
		n := r.queue.Cores() + r.o.Workers
		if r.o.ChunkTime == 0 {
			s.Plan.ChunkTime = max(minChunkTime, time.Duration(n)*time.Second/chunksPerSecond)
		}
		return n
	}
	s.Inspect = &arena.Inspector{Factory: w.Factory, Deterministic: r.deterministic, OnFalse: r.onFalse}
	if r.o.Remote.OnOpen != nil {
		r.o.Remote.OnOpen(r.queue.Cores)
	}
	w.Queue, w.Heartbeat = r.queue, r.queue.Heartbeat()
	var err error
	if r.o.Workers > 0 {
		err = s.RunHere(ctx, w, r.o.Workers)
	} else {
		err = s.Run(ctx)
	}
	if err != nil && !errors.Is(store.RemovalCause(ctx, err), store.ErrRemoved) {
		return errors.Join(err, r.queue.Close())
	}
	clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	// What cannot be removed now ages out; all games are stored.
	_ = r.queue.Remove(clean)
	return err
}

// deterministic reports whether a chunk's player makes the same moves wherever it plays.
func (r *remotePlay) deterministic(c *arena.Chunk) bool {
	m, ok := r.makers[c.Identity]
	return ok && !m.TimeLimited && m.External == nil
}

// onFalse removes what a rejected worker delivered.
func (r *remotePlay) onFalse(ctx context.Context, d *arena.Delivery, reason string, former map[string][]arena.Range) error {
	for identity, games := range former {
		p := r.Player(identity)
		if p == nil {
			continue
		}
		if err := r.store.Discard(ctx, r.Stored, p, games); err != nil {
			return err
		}
		r.forget(identity, games)
	}
	if r.o.Remote.OnFalse != nil {
		r.o.Remote.OnFalse(d.Worker, reason)
	}
	return r.queue.Reject(ctx, d, reason)
}

// forget removes games from memory.
func (x *Experiment) forget(identity string, ranges []arena.Range) {
	kept := x.games[identity][:0]
	for _, g := range x.games[identity] {
		if !arena.InRanges(ranges, g.Index) {
			kept = append(kept, g)
		}
	}
	x.games[identity] = kept
}
