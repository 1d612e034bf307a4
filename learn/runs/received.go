package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/protocol"
)

// Received is a run that another machine trains, while this process stores its metrics and checkpoints. No
// other process can train the run until Close.
type Received struct {
	run *Run
	at  learn.Checkpoint
}

// Receive opens a run at its last checkpoint. It keeps the metrics of later games.
func (f Folder) Receive(name string) (*Received, error) {
	p, err := f.open(name)
	if err != nil {
		return nil, err
	}
	r := &Received{run: &Run{runDir: p}}
	if r.run.Options, err = p.load(); err == nil {
		r.at, err = r.run.Options.readCheckpoint(p.Checkpoint())
	}
	if err == nil {
		err = r.run.openMetrics(math.MaxUint64) // keep all: the other machine may be ahead of the checkpoint
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Games returns the number of games in the checkpoint.
func (r *Received) Games() uint64 { return r.at.Games }

// Checkpoint returns the path of the checkpoint.
func (r *Received) Checkpoint() string { return r.run.Checkpoint() }

// Add appends an interval to the metrics if it follows the last one. It ignores all other intervals, because a
// machine that trains games again also sends their intervals again.
func (r *Received) Add(i *protocol.TrainingInterval) error {
	if i.Games != r.last()+r.run.Options.ReportEvery {
		return nil
	}
	return r.run.add(i)
}

// last returns the number of games at the end of the metrics.
func (r *Received) last() uint64 {
	if r.run.last == nil {
		return 0
	}
	return r.run.last.Games
}

// Create opens a temporary file for the next checkpoint.
func (r *Received) Create() (*atomicfile.File, error) {
	return atomicfile.Create(r.Checkpoint(), 0o666)
}

// Times returns how long training took up to the checkpoint.
func (r *Received) Times() learn.Times { return learn.ReadTimes(r.Checkpoint()) }

// Replace replaces the checkpoint with f, a complete file that Create opened, and stores how long training took up to
// f. It returns an error unless f is a checkpoint of this run with more games than the present checkpoint and at most
// maxGames, and the metrics have all complete intervals up to f.
func (r *Received) Replace(f *atomicfile.File, times learn.Times, maxGames uint64) error {
	next, err := learn.ReadCheckpoint(f.Name())
	if err != nil {
		return err
	}
	m, err := ntuple.Load(f.Name()) // checks that the file is complete
	if err != nil {
		return err
	}
	m.Close()
	before := r.at.Options
	before.Games = next.Options.Games // resuming a run may change its number of games
	want, errA := json.Marshal(before)
	got, errB := json.Marshal(next.Options)
	if errA != nil || errB != nil || !bytes.Equal(want, got) || !next.Layout.Equal(&r.at.Layout) || next.Games <= r.at.Games || next.Games > maxGames {
		return fmt.Errorf("run %s has %d games and received a checkpoint that does not continue it: %d games, at most %d allowed", r.run.Name, r.at.Games, next.Games, maxGames)
	}
	if r.last()+r.run.Options.ReportEvery <= next.Games {
		return fmt.Errorf("run %s has metrics for only %d games, but received a checkpoint with %d", r.run.Name, r.last(), next.Games)
	}
	if err := f.Commit(); err != nil {
		return err
	}
	r.at = next
	return times.Save(r.Checkpoint())
}

// Close releases the run.
func (r *Received) Close() { r.run.Close() }
