package training

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/sweep"
)

// Hub reaches the workers. A *jetstream.Client is one.
type Hub interface {
	OpenQueue(ctx context.Context, info arena.QueueInfo) (arena.RemoteQueue, error)
	PutFile(ctx context.Context, path string) (sum string, err error)
	ReadFile(ctx context.Context, sum string, to io.Writer) error
	RemoveFile(ctx context.Context, sum string) error
}

// Remote trains runs with workers on other machines. Hub is required.
type Remote struct {
	Hub                Hub
	Version, Signature string // see arena.QueueInfo
	Workers            int    // of this process, that train too
	Folder             string // for checkpoints while they are used; it is made if it is missing
	OnRefusals         func([]arena.Refusal)
}

const (
	maxFailures = 3  // of a part
	maxUnsent   = 60 // times in a row that the server stored no checkpoint
	look        = time.Second
	cleanUpTime = 10 * time.Second
)

// scheduler brings runs to a number of games.
type scheduler struct {
	*Remote
	sweep     *sweep.Sweep
	o         *sweep.RunOptions
	games     uint64
	queue     arena.RemoteQueue
	order     []*training // that have not all games
	trainings map[string]*training
	refused   string
	unsent    int // see maxUnsent
}

// Train is for sweep.RunOptions.Train of the same sweep and options.
func (r *Remote) Train(s *sweep.Sweep, o *sweep.RunOptions) func(ctx context.Context, trials []*sweep.Trial, games uint64) error {
	return func(ctx context.Context, trials []*sweep.Trial, games uint64) error {
		x := &scheduler{Remote: r, sweep: s, o: o, games: games, trainings: map[string]*training{}}
		for _, t := range trials {
			have, _, err := s.Begun(t)
			if err != nil {
				return err
			}
			o.Count(t, min(have, games))
			if need := learn.RequiredDisk(&t.Options.Layout, t.Options.Coherent); need > MaxCheckpoint {
				return errTooLarge
			}
			options, err := json.Marshal(t.Options)
			if err != nil {
				return err
			}
			if have < games {
				w := &training{trial: t, identity: arena.Digest("training", t.Name, string(options))}
				x.order, x.trainings[w.identity] = append(x.order, w), w
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

// open opens the queue, and trains also in this process.
func (x *scheduler) open(ctx context.Context) (err error) {
	host, _ := os.Hostname() // it only distinguishes folders of the same path
	if x.queue, err = x.Hub.OpenQueue(ctx, arena.QueueInfo{
		ID: arena.Digest("sweep", host, x.sweep.Folder.Path, x.sweep.Name), Name: x.sweep.Name, Version: x.Version, Signature: x.Signature,
		Size: x.order[0].trial.Options.Layout.Size, Members: []arena.Member{{Identity: "training", Name: "training"}},
	}); err != nil {
		return fmt.Errorf("%s: %w", x.sweep.Name, err)
	}
	defer func() {
		for _, t := range x.trainings {
			t.close()
		}
	}()
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		w := arena.Worker{Queue: x.queue, Heartbeat: x.queue.Heartbeat(), Task: (&Worker{Read: x.Hub.ReadFile, Folder: x.Folder}).Do}
		err := w.WorkOn(working, x.Workers)
		if x.Workers > 0 {
			stop()
		}
		ended <- err
	}()
	err = x.run(working)
	stop()
	if err = cmp.Or(<-ended, err); err != nil {
		return errors.Join(err, x.queue.Close())
	}
	clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
	defer cancel()
	_ = x.queue.Remove(clean) // what cannot be removed now ages out
	return nil
}

func (x *scheduler) run(ctx context.Context) error {
	left, err := x.queue.Outstanding(ctx)
	if err != nil {
		return err
	}
	for _, c := range left {
		if t := x.trainings[c.Identity]; t != nil {
			if err := t.begin(x); err != nil {
				return err
			}
			if c.First == t.run.Games() {
				t.part = c.ID()
			}
		}
	}
	now, cancel := context.WithCancel(ctx)
	cancel()
	for err == nil { // what came back while there was no scheduler
		err = x.collect(now)
	}
	for err = nil; err == nil; {
		x.order = slices.DeleteFunc(x.order, func(t *training) bool { return t.finished(ctx, x) })
		if len(x.order) == 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		if err = x.fill(ctx); err == nil {
			short, cancel := context.WithTimeout(ctx, look)
			if err = x.collect(short); short.Err() != nil {
				err = nil
			}
			cancel()
		}
	}
	return err
}

// fill keeps a part in the queue for each core.
func (x *scheduler) fill(ctx context.Context) error {
	room := max(1, x.queue.Cores("")+x.Workers)
	for _, t := range x.order {
		if t.failures >= maxFailures {
			return fmt.Errorf("%s: %w", t.trial.Name, t.failed)
		}
		if t.part != "" {
			room--
		}
	}
	for _, t := range x.order {
		if room > 0 && t.part == "" {
			if err := t.put(ctx, x); err != nil || x.unsent > 0 {
				return err
			}
			room--
		}
	}
	all := x.queue.Refusals()
	if text := fmt.Sprint(all); len(all) > 0 && text != x.refused && x.OnRefusals != nil {
		x.refused = text
		x.OnRefusals(all)
	}
	return nil
}

// collect receives a delivery.
func (x *scheduler) collect(ctx context.Context) error {
	d, ack, err := x.queue.Collect(ctx)
	if err != nil {
		return err
	}
	defer ack()
	t := x.trainings[d.Chunk.Identity]
	if t == nil || t.ended {
		return nil
	}
	if err := t.begin(x); err != nil {
		return err
	}
	return t.receive(x, &d)
}
