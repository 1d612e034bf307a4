package training

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
)

// part is the payload of a job: the part of a run to train.
type part struct {
	Run        string         `json:"run"`        // identity of the run
	Checkpoint string         `json:"checkpoint"` // SHA-256 of the compressed checkpoint to start from
	First      uint64         `json:"first"`      // number of games at Checkpoint
	To         uint64         `json:"to"`         // number of games at which the part ends at the latest
	Games      uint64         `json:"games"`      // number of games in the complete run
	Every      learn.Duration `json:"every"`      // maximum time of the part
	Times      learn.Times    `json:"times"`      // how long training took up to Checkpoint
}

// trained is the payload of a result.
type trained struct {
	Run        string                       `json:"run"`
	First      uint64                       `json:"first"`
	Checkpoint string                       `json:"checkpoint"` // SHA-256 of the compressed new checkpoint
	Times      learn.Times                  `json:"times"`      // how long training took up to Checkpoint
	Intervals  []*protocol.TrainingInterval `json:"intervals"`
}

// Files stores files by the SHA-256 of their contents. *machines.Client implements it.
type Files interface {
	PutFile(ctx context.Context, path string) (sum string, err error)
	ReadFile(ctx context.Context, sum string, to io.Writer) error
	RemoveFile(ctx context.Context, sum string) error
}

// Worker trains parts of runs.
type Worker struct {
	Files Files
	// Folder is the folder for temporary checkpoint files. It is created if it is missing.
	Folder string
}

// Do does a job of the kind machines.Training. It is called by the functions that machines.WorkerOptions.Core
// returns.
func (w *Worker) Do(ctx context.Context, j *machines.Job) (payload any, games int, err error) {
	var p part
	if err := json.Unmarshal(j.Payload, &p); err != nil {
		return nil, 0, fmt.Errorf("not a training job: %w", err)
	}
	if err := os.MkdirAll(w.Folder, 0o700); err != nil {
		return nil, 0, err
	}
	from, err := atomicfile.Create(filepath.Join(w.Folder, "checkpoint"), 0o600)
	if err != nil {
		return nil, 0, err
	}
	defer from.Discard()
	if err := download(ctx, w.Files, p.Checkpoint, from); err != nil {
		return nil, 0, err
	}
	next, err := atomicfile.Create(filepath.Join(w.Folder, "trained"), 0o600)
	if err != nil {
		return nil, 0, err
	}
	defer next.Discard()
	r := trained{Run: p.Run, First: p.First}
	report := func(i *protocol.TrainingInterval) { r.Intervals = append(r.Intervals, i) }
	end, times, err := p.train(ctx, from.Name(), next.File, report)
	r.Times = times
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", j.Player, err)
	}
	if r.Checkpoint, err = upload(ctx, w.Files, w.Folder, next.Name()); err != nil {
		return nil, 0, err
	}
	return r, int(end - p.First), nil
}

// train continues training from the checkpoint in the file from, writes the next checkpoint, and
// returns the number of games and the times of the new checkpoint.
func (p *part) train(ctx context.Context, from string, next *os.File, report func(*protocol.TrainingInterval)) (games uint64, times learn.Times, err error) {
	at, err := learn.ReadCheckpoint(from)
	if err != nil {
		return 0, times, err
	}
	if at.Games != p.First {
		return 0, times, fmt.Errorf("its checkpoint has %d games, must be %d", at.Games, p.First)
	}
	if err := memory.Check(learn.RequiredMemory(&at.Layout, at.Options.Coherent)); err != nil {
		return 0, times, err
	}
	o := at.Options
	o.Games, o.Report = p.Games, func(i learn.Interval) { report(runs.Wire(&i)) }
	trainer, err := learn.Resume(from, o, nil)
	if err != nil {
		return 0, times, err
	}
	defer func() {
		trainer.Close()
		trainer.Network().Close()
	}()
	trainer.SetTimes(p.Times)
	due, cancel := context.WithTimeout(ctx, time.Duration(p.Every))
	defer cancel()
	if err = trainer.Step(ctx, 1); err == nil { // at least one game
		err = trainer.Step(due, p.To-p.First-1)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = trainer.Write(next)
	}
	return trainer.Games(), trainer.Times(), err
}

// upload compresses a checkpoint, stores it, and returns the SHA-256 of the compressed file.
func upload(ctx context.Context, files Files, folder, path string) (sum string, err error) {
	from, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer from.Close()
	f, err := atomicfile.Create(filepath.Join(folder, "compressed"), 0o600)
	if err != nil {
		return "", err
	}
	defer f.Discard()
	z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed) // Zstandard would add 400 kB to the program
	if _, err = io.Copy(z, from); err == nil {
		err = z.Close()
	}
	if err != nil {
		return "", err
	}
	return files.PutFile(ctx, f.Name())
}

// download reads a checkpoint that upload has stored, and writes it decompressed.
func download(ctx context.Context, files Files, sum string, to io.Writer) error {
	in, out := io.Pipe()
	go func() { out.CloseWithError(files.ReadFile(ctx, sum, out)) }()
	z, err := gzip.NewReader(in)
	if err == nil {
		_, err = io.Copy(to, z)
	}
	if _, rest := io.Copy(io.Discard, in); err == nil { // ReadFile verifies the hash at the end of the file
		err = rest
	}
	in.CloseWithError(err)
	return err
}
