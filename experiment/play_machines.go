//go:build !js

package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/protocol"
)

// Hub connects to workers on other machines. *machines.Client implements it.
type Hub interface {
	// OpenQueue opens the queue of an experiment.
	OpenQueue(ctx context.Context, info machines.QueueInfo, onTrouble func(worker, reason string)) (machines.Queue, error)
	// PutFile makes a file available to workers. sum is the SHA-256 of its contents, by which workers request it.
	PutFile(ctx context.Context, path string) (sum string, err error)
	// Experiments returns the experiments that have a scheduler. The keys are the IDs of their queues.
	Experiments(ctx context.Context) (map[string]protocol.SharedExperiment, error)
	// Overview returns the workers and the queues.
	Overview(ctx context.Context) (*protocol.WorkerList, error)
}

// Machines configures play by workers on other machines. Hub and Files are required.
type Machines struct {
	Hub Hub
	// Files returns the files that a spec names, as a map from hash to path, like the function Files.
	Files func(spec string) (map[string]string, error)
	// Address is the address of the hub without secrets, for display.
	Address string
	// OnOpen is called when the queue is open. cores returns the current number of cores on other machines.
	OnOpen func(cores func() int)
	// Say, if not nil, is called with a message when workers cannot play a player or have handed back a job.
	Say func(text string)
}

func (r *Machines) say(format string, args ...any) {
	if r.Say != nil {
		r.Say(fmt.Sprintf(format, args...))
	}
}

// onTrouble returns a function that reports why a worker handed back a job of an experiment. The function
// reports each reason once for each worker.
func (r *Machines) onTrouble(name string) func(worker, reason string) {
	reported := map[string]bool{}
	return func(worker, reason string) {
		text := fmt.Sprintf("%s: worker %s handed back a job: %s", name, worker, reason)
		if !reported[text] {
			reported[text] = true
			r.say("%s", text)
		}
	}
}

// share makes the files of a spec available to workers. It fails if a file no longer has the hash in the identity.
func (r *Machines) share(ctx context.Context, spec, identity string) error {
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
			return fmt.Errorf("%s has just changed: try again", path)
		}
	}
	return nil
}

// removeQueue removes the queue of an experiment that was removed from its store. The queue may still hold
// jobs, because an experiment that is stopped leaves its jobs there. If another process still plays the
// experiment and therefore holds the queue, that process removes it when it stops. r may be nil.
func (r *Machines) removeQueue(ctx context.Context, s Store, e *arena.Plan) {
	if r == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, machines.CleanUpTime)
	defer cancel()
	info := machines.QueueInfo{ID: queueID(s, e)}
	info.Name = e.Name
	if q, err := r.Hub.OpenQueue(ctx, info, nil); err == nil {
		_ = machines.Leave(ctx, q, true)
	}
}

// queueID returns an ID that identifies a stored experiment among all experiments on a server.
func queueID(s Store, e *arena.Plan) string {
	host, _ := os.Hostname() // distinguishes stores with equal paths on different machines
	path := s.Path()
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return arena.Digest(host, path, e.Name, e.Created.Unix(), e.Setup.Hash())
}

// machinesPlay plays an experiment with workers on other machines.
type machinesPlay struct {
	*Experiment
	o     *PlayOptions
	queue *sharedQueue
	// stored holds the numbers of the stored games, by player identity. These games are not stored again.
	stored map[string]map[uint64]bool

	finished int    // number of stored games of the players in o.Players
	refused  string // last message that report has shown
}

// playElsewhere plays the scheduler's plan here and on other machines. The queue is removed at the end, unless the
// experiment is to be resumed.
func (x *Experiment) playElsewhere(ctx context.Context, s *arena.Scheduler, w arena.Worker, o *PlayOptions, finished [][]arena.Outcome) error {
	r := &machinesPlay{Experiment: x, o: o, stored: map[string]map[uint64]bool{}}
	jobs, err := r.open(ctx)
	if err != nil {
		return err
	}
	r.queue = &sharedQueue{LocalQueue: arena.NewLocalQueue(), jobs: jobs, localWorkers: o.Workers, accepts: r.accepts}
	for i := range o.Players {
		stored := make(map[uint64]bool, len(finished[i]))
		for k := range finished[i] {
			stored[finished[i][k].Index] = true
		}
		r.stored[o.Players[i].Identity] = stored
		r.finished += len(stored)
	}
	jobs.SetFinished(r.finished)
	keep := s.Keep
	s.Keep = func(c *arena.Chunk, games []arena.Recorded) error {
		if games = r.fresh(c.Identity, games); len(games) == 0 {
			return nil
		}
		r.finished += len(games)
		jobs.SetFinished(r.finished)
		return keep(c, games)
	}
	s.Capacity = func(identity string) int {
		if identity == "" { // called at least once a second, so regular work is done here
			if o.ChunkTime == 0 {
				s.Plan.ChunkTime = max(minChunkTime, time.Duration(jobs.Cores(false)+o.Workers)*time.Second/chunksPerSecond)
			}
			r.report()
			r.queue.help(ctx)
			return jobs.Cores(false) + o.Workers
		}
		return jobs.Cores(r.programs(identity)) + o.Workers
	}
	if o.Machines.OnOpen != nil {
		o.Machines.OnOpen(func() int { return jobs.Cores(false) })
	}
	if o.Workers == 0 {
		s.MaxAttempts = 1 // a game reaches this process only after workers failed: one more failure is final
	}
	err = r.queue.run(ctx, s, w)
	return errors.Join(err, machines.Leave(ctx, jobs, err == nil || errors.Is(arena.RemovalCause(ctx, err), arena.ErrRemoved)))
}

// The target duration of a chunk grows with the number of cores, so that at most about chunksPerSecond chunks
// arrive per second. A scheduler can handle a few hundred.
const (
	minChunkTime    = 2 * time.Second
	chunksPerSecond = 200
)

// open opens the queue of the experiment and makes the files of its players available.
func (r *machinesPlay) open(ctx context.Context) (machines.Queue, error) {
	signature, err := r.config.Program.signature(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.o.Machines.share(ctx, r.Plan.Setup.Spawn, r.Plan.Setup.SpawnIdentity); err != nil {
		return nil, err
	}
	info := machines.QueueInfo{ID: queueID(r.store, r.Plan), Version: r.config.Program.Version, Signature: signature}
	info.Name, info.Size, info.Games = r.Plan.Name, r.Plan.Setup.Size, cmp.Or(r.o.Games, r.Plan.Games)
	for i := range r.o.Players {
		p := &r.o.Players[i]
		if err := r.o.Machines.share(ctx, p.Spec, p.Identity); err != nil {
			return nil, err
		}
		info.Players = append(info.Players, r.Plan.NameOf(p))
	}
	q, err := r.o.Machines.Hub.OpenQueue(ctx, info, r.o.Machines.onTrouble(info.Name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Plan.Name, err)
	}
	return q, nil
}

// programs reports whether the player with this identity runs an external program.
func (r *machinesPlay) programs(identity string) bool {
	m, ok := r.makers[identity]
	return ok && m.External != nil
}

// accepts reports whether the player of a chunk runs an external program, and whether the chunk belongs to the
// experiment.
func (r *machinesPlay) accepts(c *arena.Chunk) (programs, ok bool) {
	return r.programs(c.Identity), r.Player(c.Identity) != nil && c.Setup.Hash() == r.Plan.Setup.Hash()
}

// fresh drops the games that are stored already, because a chunk may be played or delivered twice.
func (r *machinesPlay) fresh(identity string, games []arena.Recorded) []arena.Recorded {
	if r.stored[identity] == nil {
		r.stored[identity] = map[uint64]bool{}
	}
	stored := r.stored[identity]
	return slices.DeleteFunc(slices.Clone(games), func(g arena.Recorded) bool {
		twice := stored[g.Index]
		stored[g.Index] = true
		return twice
	})
}

// report shows the user which players no worker can play. It repeats the message only if these players change.
func (r *machinesPlay) report() {
	if r.o.Workers > 0 {
		return // this process plays what no worker can play
	}
	var lines []string
	for _, programs := range []bool{false, true} {
		reason := r.queue.jobs.Refusal(programs)
		var names []string
		for i := range r.o.Players {
			if p := &r.o.Players[i]; reason != "" && r.programs(p.Identity) == programs {
				names = append(names, r.Plan.NameOf(p))
			}
		}
		const maximum = 3
		if hidden := len(names) - maximum; hidden > 0 {
			names = append(names[:maximum], fmt.Sprintf("%d more", hidden))
		}
		if len(names) > 0 {
			lines = append(lines, fmt.Sprintf("no worker plays %s of %s: %s", strings.Join(names, ", "), r.Plan.Name, reason))
		}
	}
	if text := strings.Join(lines, "\n"); text != r.refused {
		r.refused = text
		if text != "" {
			r.o.Machines.say("%s", text)
		}
	}
}
