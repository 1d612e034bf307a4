package training

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/sweep"
)

// training is a run that is trained in parts.
type training struct {
	trial    *sweep.Trial
	identity string
	run      *runs.Received // nil before its first part
	part     string         // ID of the chunk that was put and has not ended
	file     string         // SHA-256 of its checkpoint in the object store
	failures int            // since its last checkpoint
	failed   error
	ended    bool

	incoming *atomicfile.File // the next checkpoint, compressed
	hash     hash.Hash
	sum      string
	at       int64
}

// begin opens the run.
func (t *training) begin(x *scheduler) (err error) {
	if t.run == nil {
		t.run, err = x.sweep.Receive(t.trial)
	}
	return err
}

// put puts the next part into the queue.
func (t *training) put(ctx context.Context, x *scheduler) error {
	if err := t.begin(x); err != nil {
		return err
	}
	from, err := os.Open(t.run.Checkpoint())
	if err != nil {
		return err
	}
	defer from.Close()
	small, err := compressed(x.Folder, from, io.Discard)
	if err != nil {
		return fmt.Errorf("%s: %w", t.trial.Name, err)
	}
	defer small.Discard()
	t.remove(ctx, x)
	if t.file, err = x.Hub.PutFile(ctx, small.Name()); err != nil {
		if x.unsent++; x.unsent > maxUnsent {
			return err
		}
		return nil // the server may be back at the next look
	}
	x.unsent = 0
	o := &t.trial.Options
	text, err := json.Marshal(task{t.file, o.Games, o.CheckpointEvery})
	if err != nil {
		return err
	}
	first := t.run.Games()
	c := arena.Chunk{
		Setup: arena.Setup{Size: o.Layout.Size, Seed: o.Seed}, Player: t.trial.Name, Identity: t.identity, Version: x.Version,
		Task: string(text), First: first, Games: int(x.games - first),
	}
	t.part = c.ID()
	return x.queue.Put(ctx, c)
}

// remove removes the checkpoint from the object store.
func (t *training) remove(ctx context.Context, x *scheduler) {
	if t.file != "" {
		_ = x.Hub.RemoveFile(ctx, t.file) // files age out
	}
	t.file = ""
}

// receive takes what a worker delivers for a part. What belongs to an earlier checkpoint is left out.
func (t *training) receive(x *scheduler, d *arena.Delivery) error {
	most := d.Chunk.First + uint64(d.Chunk.Games)
	var r report
	if d.Report != nil && d.Chunk.First == t.run.Games() && json.Unmarshal(d.Report, &r) == nil {
		for _, i := range r.Intervals {
			if i != nil && i.Games <= most {
				if err := t.run.Add(i); err != nil {
					return err
				}
				x.o.Count(t.trial, i.Games)
			}
		}
		if err := t.take(x, &r, most); err != nil {
			t.failures, t.failed = t.failures+1, err
		}
	}
	if d.Final() && d.Chunk.ID() == t.part {
		if t.part = ""; d.Failed != "" {
			t.failures, t.failed = t.failures+1, errors.New(d.Failed)
		}
	}
	return nil
}

// take takes a piece of the next checkpoint. One that begins again, at another worker, replaces what came before.
func (t *training) take(x *scheduler, r *report, most uint64) (err error) {
	if len(r.Piece) == 0 {
		return nil
	}
	if r.At == 0 {
		t.discard()
		if t.incoming, err = atomicfile.Create(filepath.Join(x.Folder, "incoming"), 0o600); err != nil {
			return err
		}
		t.hash, t.sum, t.at = sha256.New(), r.Sum, 0
	}
	if t.incoming == nil || r.Sum != t.sum || r.At != t.at || r.At+int64(len(r.Piece)) > min(r.Size, MaxCompressed) {
		return nil
	}
	if _, err := io.MultiWriter(t.incoming, t.hash).Write(r.Piece); err != nil {
		return err
	}
	if t.at += int64(len(r.Piece)); t.at < r.Size {
		return nil
	}
	defer t.discard()
	if sum := hex.EncodeToString(t.hash.Sum(nil)); sum != t.sum {
		return fmt.Errorf("a checkpoint with SHA-256 %s, must be %s", sum, t.sum)
	}
	next, err := t.run.Create()
	if err != nil {
		return err
	}
	defer next.Discard()
	if _, err = t.incoming.Seek(0, io.SeekStart); err == nil {
		err = decompress(next, t.incoming)
	}
	if err == nil {
		err = t.run.Replace(next, most)
	}
	if err == nil {
		t.failures = 0
		x.o.Count(t.trial, t.run.Games())
	}
	return err
}

func (t *training) discard() {
	if t.incoming != nil {
		t.incoming.Discard()
	}
	t.incoming = nil
}

// finished closes a run that has all games, when its last part has ended.
func (t *training) finished(ctx context.Context, x *scheduler) bool {
	if t.run == nil || t.part != "" || t.run.Games() < x.games {
		return false
	}
	t.ended = true
	t.remove(ctx, x)
	t.close()
	return true
}

func (t *training) close() {
	t.discard()
	if t.run != nil {
		t.run.Close()
	}
	t.run = nil
}
