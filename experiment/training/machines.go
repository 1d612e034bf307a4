package training

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/sweep"
	"github.com/afterstate2048/afterstate/protocol"
)

// Hub connects to the workers. *machines.Client implements it.
type Hub interface {
	Files
	OpenQueue(ctx context.Context, info machines.QueueInfo, onTrouble func(worker, reason string)) (machines.Queue, error)
}

// Machines trains runs with workers on other machines. Hub and Folder are required.
type Machines struct {
	Hub                Hub
	Version, Signature string       // see machines.QueueInfo
	Workers            int          // number of parts that this process trains at once
	Folder             string       // folder for temporary checkpoint files; created if missing
	OnNotice           func(string) // called with messages about workers; may be nil
}

const (
	// The scheduler first receives the results of parts that an earlier scheduler queued. It queues its own first
	// parts when no result has arrived for the duration settle.
	settle    = 200 * time.Millisecond
	lookEvery = time.Second // interval at which the scheduler looks for free workers
	partTime  = time.Minute // maximum time of a part; less if the checkpoint interval of the run is shorter
)

// scheduler trains each run until it has the given number of games.
type scheduler struct {
	*Machines
	sweep      *sweep.Sweep
	o          *sweep.RunOptions
	games      uint64
	queue      machines.Queue
	order      []*training // runs that are not finished
	localParts int         // number of parts being trained in this process
	ended      chan partEnd
	refused    string
}

// partEnd reports that a part that was trained in this process has ended.
type partEnd struct {
	of  *training
	err error
}

// training is a run that is trained in parts.
type training struct {
	trial    *sweep.Trial
	identity string
	run      *runs.Received
	busy     bool   // its next part is in the queue or being trained here
	local    bool   // its next part is being trained here, by a goroutine that owns the run until the part ends
	file     string // SHA-256 of its checkpoint in the store of files; "": not stored
}

// Train returns the function to set as o.Train. The sweep s will be run with the options o.
func (r *Machines) Train(s *sweep.Sweep, o *sweep.RunOptions) func(ctx context.Context, trials []*sweep.Trial, games uint64) error {
	return func(ctx context.Context, trials []*sweep.Trial, games uint64) error {
		x := &scheduler{Machines: r, sweep: s, o: o, games: games, ended: make(chan partEnd)}
		for _, t := range trials {
			have, _, err := s.Begun(t)
			if err != nil {
				return err
			}
			o.Count(t, min(have, games))
			options, err := json.Marshal(t.Options)
			if err != nil {
				return err
			}
			if have < games {
				x.order = append(x.order, &training{trial: t, identity: arena.Digest("training", t.Name, string(options))})
			}
		}
		if len(x.order) == 0 {
			return nil
		}
		if err := os.MkdirAll(r.Folder, 0o700); err != nil {
			return err
		}
		return x.open(ctx)
	}
}

// open opens the runs and the queue, trains the runs, and closes all of them.
func (x *scheduler) open(ctx context.Context) (err error) {
	defer func() {
		for _, t := range x.order {
			t.run.Close()
		}
	}()
	for i, t := range x.order {
		if t.run, err = x.sweep.Receive(t.trial); err != nil {
			x.order = x.order[:i]
			return err
		}
	}
	host, _ := os.Hostname() // distinguishes equal paths on different machines
	id := arena.Digest("sweep", host, x.sweep.Folder.Path, x.sweep.Name)
	info := machines.QueueInfo{ID: id, Version: x.Version, Signature: x.Signature}
	info.Name, info.Size = x.sweep.Name, x.order[0].trial.Options.Layout.Size
	if x.queue, err = x.Hub.OpenQueue(ctx, info, func(worker, reason string) {
		x.notice(fmt.Sprintf("%s: worker %s handed back a job: %s", x.sweep.Name, worker, reason))
	}); err != nil {
		return fmt.Errorf("%s: %w", x.sweep.Name, err)
	}
	working, stop := context.WithCancel(ctx)
	err = x.run(working)
	stop()
	for ; x.localParts > 0; x.localParts-- {
		<-x.ended
	}
	return errors.Join(err, machines.Leave(ctx, x.queue, err == nil))
}

func (x *scheduler) notice(text string) {
	if x.OnNotice != nil {
		x.OnNotice(text)
	}
}

// run trains until all runs have the requested number of games.
func (x *scheduler) run(ctx context.Context) error {
	results, failed := make(chan *machines.Result), make(chan error, 1)
	go func() {
		for {
			r, err := x.queue.Next(ctx)
			if err != nil {
				failed <- err
				return
			}
			select {
			case results <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	every := settle
	for len(x.order) > 0 {
		if every == lookEvery {
			if err := x.fill(ctx); err != nil {
				return err
			}
		}
		var err error
		select {
		case r := <-results:
			err = x.receive(ctx, r)
		case e := <-x.ended:
			x.localParts--
			e.of.remove(ctx, x)
			if e.of.busy, e.of.local, err = false, false, e.err; err != nil {
				return fmt.Errorf("%s: %w", e.of.trial.Name, err)
			}
		case <-time.After(every):
			every = lookEvery
		case err = <-failed:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		x.order = slices.DeleteFunc(x.order, func(t *training) bool { return t.finished(ctx, x) })
	}
	return nil
}

// fill keeps a part in the queue for each core of the workers, and starts up to x.Workers parts in this process.
func (x *scheduler) fill(ctx context.Context) error {
	room := x.queue.Cores(false) + x.localParts // local parts are subtracted below as busy, but use no core of a worker
	if x.Workers == 0 {
		room = max(room, 1)
	}
	for _, t := range x.order {
		if t.busy {
			room--
		}
	}
	for _, t := range x.order {
		switch {
		case t.busy:
		case x.localParts < x.Workers:
			t.trainHere(ctx, x)
		case room > 0:
			room--
			if err := t.put(ctx, x); err != nil {
				return err
			}
		}
	}
	if text := x.queue.Refusal(false); text != x.refused && x.Workers == 0 {
		if x.refused = text; text != "" {
			x.notice(fmt.Sprintf("no worker trains %s: %s", x.sweep.Name, text))
		}
	}
	return nil
}

// part returns the next part of a run.
func (t *training) part(x *scheduler) part {
	o := &t.trial.Options
	return part{
		Run: t.identity, Checkpoint: t.file, First: t.run.Games(), To: x.games, Games: o.Games,
		Every: min(o.CheckpointEvery, learn.Duration(partTime)), Times: t.run.Times(),
	}
}

// put puts the next part into the queue. If its checkpoint cannot be uploaded, fill tries again later.
func (t *training) put(ctx context.Context, x *scheduler) (err error) {
	if t.file == "" {
		if t.file, err = upload(ctx, x.Hub, x.Folder, t.run.Checkpoint()); err != nil {
			x.notice(fmt.Sprintf("%s: %v; trying again", t.trial.Name, err))
			return ctx.Err()
		}
	}
	p := t.part(x)
	payload, err := json.Marshal(p)
	if err != nil {
		return err
	}
	t.busy = true
	return x.queue.Put(ctx, machines.Job{
		ID: fmt.Sprint(t.identity, "-", p.First), Kind: machines.Training, Payload: payload, Player: t.trial.Name,
	})
}

// trainHere trains the next part in this process.
func (t *training) trainHere(ctx context.Context, x *scheduler) {
	t.busy, t.local = true, true
	x.localParts++
	go func() {
		p := t.part(x)
		err := func() error {
			next, err := t.run.Create()
			if err != nil {
				return err
			}
			defer next.Discard()
			var intervals []*protocol.TrainingInterval
			report := func(i *protocol.TrainingInterval) { intervals = append(intervals, i) }
			_, times, err := p.train(ctx, t.run.Checkpoint(), next.File, report)
			if err != nil {
				return err
			}
			return t.replace(x, next, times, intervals)
		}()
		x.ended <- partEnd{t, err}
	}()
}

// receive handles the result of a part. It ignores a result that belongs to an earlier checkpoint of its run,
// or to a run that has ended.
func (x *scheduler) receive(ctx context.Context, r *machines.Result) error {
	if r.Failed == "" {
		var got trained
		wrong := json.Unmarshal(r.Payload, &got)
		if wrong == nil {
			if t := x.find(got.Run, got.First); t != nil {
				if wrong = t.take(ctx, x, &got); wrong == nil {
					t.remove(ctx, x)
					t.busy, t.file = false, got.Checkpoint
				}
			}
			// If this result came before, the next part may start from its checkpoint, which must stay.
			if !slices.ContainsFunc(x.order, func(t *training) bool { return t.file == got.Checkpoint }) {
				_ = x.Hub.RemoveFile(ctx, got.Checkpoint) // if this fails, the file expires later
			}
		}
		if wrong == nil {
			r.Ack()
			return nil
		}
		var err error
		if r, err = x.queue.Fail(ctx, r, wrong.Error()); r == nil || err != nil {
			return err
		}
	}
	// Workers could not do the job, so this process does it.
	run, first, _ := strings.Cut(r.ID, "-")
	games, _ := strconv.ParseUint(first, 10, 64) // cannot fail, because put wrote the ID
	if t := x.find(run, games); t != nil {
		t.trainHere(ctx, x)
	}
	return nil
}

// find returns the run with this identity whose next part begins at this number of games; nil if the run has
// more games by now, or is being trained here.
func (x *scheduler) find(run string, games uint64) *training {
	at := slices.IndexFunc(x.order, func(t *training) bool { return !t.local && t.identity == run && t.run.Games() == games })
	if at < 0 {
		return nil
	}
	return x.order[at]
}

// take downloads the checkpoint that a worker has trained, and adds it to the run.
func (t *training) take(ctx context.Context, x *scheduler, got *trained) error {
	next, err := t.run.Create()
	if err != nil {
		return err
	}
	defer next.Discard()
	if err := download(ctx, x.Hub, got.Checkpoint, next); err != nil {
		return err
	}
	return t.replace(x, next, got.Times, got.Intervals)
}

// replace adds the metrics of a part to the run, and replaces its checkpoint and times.
func (t *training) replace(x *scheduler, next *atomicfile.File, times learn.Times, intervals []*protocol.TrainingInterval) error {
	for _, i := range intervals {
		if i == nil || i.Games > x.games {
			continue
		}
		if err := t.run.Add(i); err != nil {
			return err
		}
	}
	if err := t.run.Replace(next, times, x.games); err != nil {
		return err
	}
	x.o.Count(t.trial, t.run.Games())
	return nil
}

// remove removes the run's checkpoint from the store of files.
func (t *training) remove(ctx context.Context, x *scheduler) {
	if t.file != "" {
		_ = x.Hub.RemoveFile(ctx, t.file) // if this fails, the file expires later
	}
	t.file = ""
}

// finished reports whether a run has played all its games and is not busy. If so, it removes the run's checkpoint
// from the hub and closes the run.
func (t *training) finished(ctx context.Context, x *scheduler) bool {
	if t.busy || t.run.Games() < x.games {
		return false
	}
	t.remove(ctx, x)
	t.run.Close()
	return true
}
