package training

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
)

// task describes the part of a run that a worker trains, besides the games of its chunk.
type task struct {
	Checkpoint string         `json:"checkpoint"` // SHA-256 of the compressed one to begin with
	Games      uint64         `json:"games"`      // of the whole run
	Every      learn.Duration `json:"every"`      // the time after which the next checkpoint is due
}

// report is a message of a task: intervals, or a piece of the next checkpoint.
type report struct {
	Intervals []*protocol.TrainingInterval `json:"intervals,omitempty"`

	Sum   string `json:"sum,omitempty"`  // SHA-256 of the whole compressed checkpoint
	Size  int64  `json:"size,omitempty"` // of that, in bytes
	At    int64  `json:"at,omitempty"`   // of the piece
	Piece []byte `json:"piece,omitempty"`
}

const (
	pieceSize   = 512 << 10 // a server of one's own accepts messages of a megabyte
	reportEvery = time.Second
)

// Worker trains parts of runs.
type Worker struct {
	// Read writes the file with this SHA-256 to a writer.
	Read func(ctx context.Context, sum string, to io.Writer) error
	// Folder is for checkpoints while they are used. It is made if it is missing.
	Folder string
}

// Do is for arena.Worker.Task.
func (w *Worker) Do(ctx context.Context, c *arena.Chunk, send func(json.RawMessage) error) error {
	var t task
	if err := json.Unmarshal([]byte(c.Task), &t); err != nil {
		return fmt.Errorf("a task that is no training: %w", err)
	}
	var ended []*protocol.TrainingInterval // that were not sent
	var failed error
	sent := time.Now()
	flush := func() error {
		r := report{Intervals: ended}
		ended, sent = nil, time.Now()
		return r.send(send)
	}
	trainer, err := w.open(ctx, &t, func(i learn.Interval) {
		if ended = append(ended, runs.Wire(&i)); time.Since(sent) >= reportEvery {
			failed = cmp.Or(failed, flush())
		}
	})
	if err != nil {
		return fmt.Errorf("%s: %w", c.Player, err)
	}
	defer func() {
		trainer.Close()
		trainer.Network().Close()
	}()
	if trainer.Games() != c.First {
		return fmt.Errorf("%s: its checkpoint has %d games, must be %d", c.Player, trainer.Games(), c.First)
	}
	due, cancel := context.WithTimeout(ctx, time.Duration(t.Every))
	defer cancel()
	if err = trainer.Step(ctx, 1); err == nil { // at least
		err = trainer.Step(due, uint64(c.Games)-1)
	}
	if err = cmp.Or(err, failed, ctx.Err()); err == nil {
		err = flush()
	}
	if err == nil {
		err = w.hand(trainer, send)
	}
	return err
}

// open makes the trainer of a part.
func (w *Worker) open(ctx context.Context, t *task, report func(learn.Interval)) (*learn.Trainer, error) {
	if err := os.MkdirAll(w.Folder, 0o700); err != nil {
		return nil, err
	}
	f, err := atomicfile.Create(filepath.Join(w.Folder, "checkpoint"), 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Discard() // the trainer copies it
	in, out := io.Pipe()
	go func() { out.CloseWithError(w.Read(ctx, t.Checkpoint, out)) }()
	err = decompress(f, in)
	if _, rest := io.Copy(io.Discard, in); err == nil { // the hash is checked at the end
		err = rest
	}
	in.CloseWithError(err)
	if err != nil {
		return nil, err
	}
	at, err := learn.ReadCheckpoint(f.Name())
	if err != nil {
		return nil, err
	}
	if err := memory.Check(learn.RequiredMemory(&at.Layout, at.Options.Coherent)); err != nil {
		return nil, &arena.UnableError{Err: err}
	}
	o := at.Options
	o.Games, o.Report = t.Games, report
	return learn.Resume(f.Name(), o, nil)
}

// hand sends the checkpoint in pieces.
func (w *Worker) hand(trainer *learn.Trainer, send func(json.RawMessage) error) error {
	whole, err := atomicfile.Create(filepath.Join(w.Folder, "trained"), 0o600)
	if err != nil {
		return err
	}
	defer whole.Discard()
	if err := trainer.Write(whole.File); err != nil {
		return err
	}
	if _, err := whole.Seek(0, io.SeekStart); err != nil {
		return err
	}
	hash := sha256.New()
	small, err := compressed(w.Folder, whole, hash)
	if err != nil {
		return err
	}
	defer small.Discard()
	r := report{Sum: hex.EncodeToString(hash.Sum(nil)), Piece: make([]byte, pieceSize)}
	r.Size, err = small.Seek(0, io.SeekEnd)
	for ; err == nil && r.At < r.Size; r.At += int64(len(r.Piece)) {
		r.Piece = r.Piece[:min(pieceSize, r.Size-r.At)]
		if _, err = small.ReadAt(r.Piece, r.At); err == nil {
			err = r.send(send)
		}
	}
	return err
}

func (r *report) send(send func(json.RawMessage) error) error {
	text, err := json.Marshal(r)
	if err == nil {
		err = send(text)
	}
	return err
}
