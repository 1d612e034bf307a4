package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Hub reaches workers on other machines. A *jetstream.Client of experiment/jetstream is one.
type Hub interface {
	// OpenQueue opens the queue of an experiment.
	OpenQueue(ctx context.Context, info arena.QueueInfo) (arena.RemoteQueue, error)
	// PutFile makes a file available to workers by the SHA-256 of its contents.
	PutFile(ctx context.Context, path string) (sum string, err error)
	// Experiments returns the queues that are open, or were left with chunks.
	Experiments(ctx context.Context) ([]arena.QueueStatus, error)
	// Overview returns the workers, and what waits for them.
	Overview(ctx context.Context) (*protocol.WorkerList, error)
}

// Remote lets workers on other machines play. Hub and Files are required.
type Remote struct {
	Hub Hub
	// Files returns the files that a spec names, as the function Files does.
	Files func(spec string) (map[string]string, error)
	// Address is that of the hub for clients, without secrets.
	Address string
	// OnOpen is called when the queue is open, with the number of cores of the workers elsewhere.
	OnOpen func(cores func() int)
	// OnRefusals is called with the players that no worker elsewhere plays, and why, when that changes.
	OnRefusals func([]arena.Refusal)
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
	o     *PlayOptions
	queue arena.RemoteQueue
	kept  map[string]map[uint64]bool // stored games by identity, to leave out those that come twice

	finished int    // stored games of the players that play
	refused  string // what OnRefusals was called with last
}

// resume opens the queue of the experiment, stores the games that came back since it was played last,
// and returns those that workers still play, by identity.
func (x *Experiment) resume(ctx context.Context, s *arena.Scheduler, o *PlayOptions) (r *remotePlay, pending map[string][]arena.Range, err error) {
	r = &remotePlay{Experiment: x, o: o, kept: map[string]map[uint64]bool{}, refused: fmt.Sprint([]arena.Refusal(nil))}
	if err := r.open(ctx); err != nil {
		return nil, nil, err
	}
	keep := s.Keep
	s.Queue, s.Plan = r.queue, &arena.Planner{}
	s.Inspect = &arena.Inspector{Factory: x.factory(nil), Deterministic: r.deterministic, OnFalse: r.onFalse}
	s.Keep = func(c *arena.Chunk, games []arena.Recorded) error {
		delete(r.games, c.Identity) // they are read again before the experiment is played
		return x.keep(context.WithoutCancel(ctx), c, games, &PlayOptions{OnGames: o.onResume, DiscardOutcomes: true})
	}
	have := map[string][]arena.Range{}
	for identity, games := range x.games {
		byNumber(games)
		have[identity] = arena.Ranges(games)
	}
	pending, err = s.Resume(ctx, r.queue, have)
	if err != nil {
		return nil, nil, errors.Join(err, r.queue.Close())
	}
	s.Keep = func(c *arena.Chunk, games []arena.Recorded) error {
		if games = r.fresh(c.Identity, games); len(games) == 0 {
			return nil
		}
		if err := keep(c, games); err != nil {
			return err
		}
		r.stored(len(games))
		return nil
	}
	return r, pending, nil
}

// open opens the queue of the experiment and makes the files of its players available.
func (r *remotePlay) open(ctx context.Context) error {
	signature, err := r.config.Program.signature(ctx)
	if err != nil {
		return err
	}
	if _, err := r.o.Remote.share(ctx, r.Stored.Setup.Spawn, r.Stored.Setup.SpawnIdentity); err != nil {
		return err
	}
	info := arena.QueueInfo{
		ID: queueID(r.store, r.Stored), Name: r.Stored.Name, Version: r.config.Program.Version, Signature: signature,
		Size: r.Stored.Setup.Size, Games: cmp.Or(r.o.Games, r.Stored.Games),
	}
	for i := range r.o.Players {
		p := &r.o.Players[i]
		files, err := r.o.Remote.share(ctx, p.Spec, p.Identity)
		if err != nil {
			return err
		}
		m := r.makers[p.Identity]
		info.Members = append(info.Members, arena.Member{
			Identity: p.Identity, Name: r.Stored.NameOf(p), Program: m.External != nil,
			Demanding: files > 0 || m.Exact != nil && solve.HasTable(r.Stored.Setup.Size),
		})
	}
	r.queue, err = r.o.Remote.Hub.OpenQueue(ctx, info)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Stored.Name, err)
	}
	return nil
}

// loaded notes the stored games of a player. They come again if the server lost the acknowledgement of their
// delivery in a crash.
func (r *remotePlay) loaded(identity string, games []arena.Outcome) {
	kept := make(map[uint64]bool, len(games))
	for i := range games {
		kept[games[i].Index] = true
	}
	r.kept[identity] = kept
	r.stored(len(kept))
}

// stored counts games that were stored, or removed if n is negative.
func (r *remotePlay) stored(n int) {
	r.finished += n
	r.queue.SetFinished(r.finished)
}

// fresh returns the games that are not stored yet: a chunk may be played or delivered twice.
func (r *remotePlay) fresh(identity string, games []arena.Recorded) []arena.Recorded {
	if r.kept[identity] == nil {
		r.kept[identity] = map[uint64]bool{}
	}
	kept := r.kept[identity]
	return slices.DeleteFunc(slices.Clone(games), func(g arena.Recorded) bool {
		twice := kept[g.Index]
		kept[g.Index] = true
		return twice
	})
}

// queueID identifies an experiment of a store among all that share a server.
func queueID(s Store, e *arena.Plan) string {
	host, _ := os.Hostname() // it only distinguishes stores with equal paths
	path := s.Path()
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return arena.Digest(host, path, e.Name, e.Created.Unix(), e.Setup.Hash())
}

// share makes the files of a spec available, which must have the hashes of its identity, and returns their number.
func (r *Remote) share(ctx context.Context, spec, identity string) (int, error) {
	files, err := r.Files(spec)
	if err != nil {
		return 0, err
	}
	for hash, path := range files {
		sum, err := r.Hub.PutFile(ctx, path)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
		if "sha256:"+sum != hash || !strings.Contains(identity, hash) {
			return 0, fmt.Errorf("%s has changed: begin again", path)
		}
	}
	return len(files), nil
}

// play plays the plan and what is outstanding. The queue is removed at the end, unless the experiment
// is to be resumed.
func (r *remotePlay) play(ctx context.Context, s *arena.Scheduler, w arena.Worker) (err error) {
	s.Capacity = func(identity string) int {
		n := r.queue.Cores(identity) + r.o.Workers
		if identity == "" { // every second
			if r.o.ChunkTime == 0 {
				s.Plan.ChunkTime = max(minChunkTime, time.Duration(n)*time.Second/chunksPerSecond)
			}
			r.report()
		}
		return n
	}
	if r.o.Remote.OnOpen != nil {
		r.o.Remote.OnOpen(func() int { return r.queue.Cores("") })
	}
	w.Queue, w.Heartbeat = r.queue, r.queue.Heartbeat()
	if !s.Enough() { // games that had come back may suffice
		err = s.RunHere(ctx, w, r.o.Workers)
	}
	if err != nil && !errors.Is(arena.RemovalCause(ctx, err), arena.ErrRemoved) {
		return errors.Join(err, r.queue.Close())
	}
	clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
	defer cancel()
	// What cannot be removed now ages out; all games are stored.
	_ = r.queue.Remove(clean)
	return err
}

// report calls OnRefusals if something has changed. The scheduler asks for its capacity every second.
func (r *remotePlay) report() {
	all := r.queue.Refusals()
	if text := fmt.Sprint(all); text != r.refused && r.o.Remote.OnRefusals != nil {
		r.refused = text
		r.o.Remote.OnRefusals(all)
	}
}

// cleanUpTime limits the removal of a queue whose server may be away.
const cleanUpTime = 10 * time.Second

// removeQueue removes the queue of an experiment that was removed from its store: one that was stopped left its
// chunks there. Another process that plays the experiment holds the queue, and removes it when it stops. What
// cannot be removed ages out. r may be nil.
func (r *Remote) removeQueue(ctx context.Context, s Store, e *arena.Plan) {
	if r == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, cleanUpTime)
	defer cancel()
	q, err := r.Hub.OpenQueue(ctx, arena.QueueInfo{ID: queueID(s, e), Name: e.Name})
	if err == nil {
		_ = q.Remove(ctx)
	}
}

// deterministic reports whether a chunk's player makes the same moves wherever it plays.
func (r *remotePlay) deterministic(c *arena.Chunk) bool {
	m, ok := r.makers[c.Identity]
	return ok && !m.TimeLimited && m.External == nil
}

// onFalse removes what a rejected worker delivered.
func (r *remotePlay) onFalse(ctx context.Context, d *arena.Delivery, reason string, former map[string][]arena.Range) error {
	if err := r.queue.Reject(ctx, d, reason); err != nil {
		return err
	}
	removed := 0
	for identity, games := range former {
		p := r.Player(identity)
		if p == nil {
			continue
		}
		n, err := r.store.Discard(ctx, r.Stored, p, games)
		if err != nil {
			return err
		}
		removed += n
		r.stored(-n)
		r.games[identity] = slices.DeleteFunc(r.games[identity], func(g arena.Outcome) bool { return arena.InRanges(games, g.Index) })
		maps.DeleteFunc(r.kept[identity], func(index uint64, _ bool) bool { return arena.InRanges(games, index) })
	}
	if r.o.Remote.OnFalse != nil {
		r.o.Remote.OnFalse(d.Worker, reason)
	}
	if r.o.onFalse != nil && removed > 0 {
		return r.o.onFalse(d.Worker, reason, removed)
	}
	return nil
}
