package training

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/sweep"
	"github.com/afterstate2048/afterstate/protocol"
)

// trained is the compressed checkpoint of a run of another folder.
func trained(t *testing.T, name string, o runs.Options, games uint64) []byte {
	t.Helper()
	folder := runs.Folder{Path: t.TempDir()}
	run, err := folder.Begin(name, o, nil)
	if err == nil {
		_, err = run.TrainTo(t.Context(), games, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	run.Close()
	path, err := folder.Checkpoint(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	if err := compress(&out, f); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// What a worker sends is taken if it is the next checkpoint of the run, and else changes nothing.
func TestReceive(t *testing.T) {
	spec, err := sweep.Read([]byte(`{"network": "2x3", "size": "3x3", "games": 40, "report_every": 10}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sweep.New("s", runs.Folder{Path: t.TempDir()}, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &scheduler{Remote: &Remote{Folder: t.TempDir()}, sweep: s, o: &sweep.RunOptions{}, games: 40}
	w := &training{trial: s.Configs[0].Trials[0], identity: "id"}
	if err := w.begin(x); err != nil {
		t.Fatal(err)
	}
	defer w.close()
	deliver := func(first uint64, r report) {
		t.Helper()
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.receive(x, &arena.Delivery{Chunk: arena.Chunk{First: first, Games: 40 - int(first)}, Report: text}); err != nil {
			t.Fatal(err)
		}
	}
	hash := func(data []byte) string {
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	}
	// send sends pieces of a checkpoint, and says whether it was taken as the next one.
	send := func(what string, data []byte, sum string, size int64, want uint64) {
		t.Helper()
		half := len(data) / 2
		deliver(w.run.Games(), report{Sum: sum, Size: size, Piece: data[:half]})
		deliver(w.run.Games(), report{Sum: sum, Size: size, At: int64(half), Piece: data[half:]})
		if w.run.Games() != want {
			t.Errorf("%s: the run has %d games, want %d (%v)", what, w.run.Games(), want, w.failed)
		}
	}
	o := w.trial.Options
	other := o
	other.Seed++
	good := trained(t, "good", o, 20)
	long := int64(len(good))
	damaged := bytes.Clone(good)
	damaged[len(damaged)/2] ^= 1
	foreign := trained(t, "foreign", other, 20)
	send("without its metrics", good, hash(good), long, 0)
	for i := uint64(10); i <= 20; i += 10 {
		deliver(0, report{Intervals: []*protocol.TrainingInterval{{Games: 30}, {Games: i}, nil, {Games: i}, {Games: 1 << 60}}})
	}
	send("of another seed", foreign, hash(foreign), int64(len(foreign)), 0)
	send("of another hash", good, hash(foreign), long, 0)
	send("damaged", damaged, hash(damaged), long, 0)
	send("too long for its size", good, hash(good), long-1, 0)
	send("no checkpoint", []byte("checkpoint"), hash([]byte("checkpoint")), 10, 0)
	deliver(0, report{Sum: hash(good), Size: long, At: 5, Piece: good}) // without what comes before
	deliver(7, report{Sum: hash(good), Size: long, Piece: good})        // of a part that is over
	deliver(0, report{Sum: hash(good), Size: 1 << 62, At: -1, Piece: good})
	send("the next one", good, hash(good), long, 20)
	send("the same one again", good, hash(good), long, 20)
	intervals, err := s.Folder.Intervals(w.trial.Name)
	if err != nil || len(intervals) != 2 {
		t.Errorf("%d intervals, %v", len(intervals), err)
	}
	if entries, err := os.ReadDir(x.Folder); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// A worker trains from the checkpoint that it reads, whatever the time between checkpoints, and sends what fits the run.
func TestDo(t *testing.T) {
	spec, err := sweep.Read([]byte(`{"network": "2x3", "size": "3x3", "games": 60, "report_every": 10}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sweep.New("s", runs.Folder{Path: t.TempDir()}, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &scheduler{Remote: &Remote{Folder: t.TempDir()}, sweep: s, o: &sweep.RunOptions{}, games: 60}
	w := &training{trial: s.Configs[0].Trials[0], identity: "id"}
	if err := w.begin(x); err != nil {
		t.Fatal(err)
	}
	defer w.close()
	work := Worker{Folder: t.TempDir(), Read: func(_ context.Context, _ string, to io.Writer) error {
		f, err := os.Open(w.run.Checkpoint())
		if err != nil {
			return err
		}
		defer f.Close()
		return compress(to, f)
	}}
	for parts := 0; w.run.Games() < 60; parts++ {
		text, err := json.Marshal(task{Games: 60, Every: learn.Duration(time.Nanosecond)})
		if err != nil {
			t.Fatal(err)
		}
		before := w.run.Games()
		c := arena.Chunk{Task: string(text), First: before, Games: int(60 - before)}
		err = work.Do(t.Context(), &c, func(r json.RawMessage) error { return w.receive(x, &arena.Delivery{Chunk: c, Report: r}) })
		if err != nil || w.run.Games() <= before {
			t.Fatalf("%d games after %d, %v, %v", w.run.Games(), before, err, w.failed)
		}
	}
	if entries, err := os.ReadDir(work.Folder); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	wrong := arena.Chunk{Task: `{"games": 60}`, First: 7, Games: 1}
	if err := work.Do(t.Context(), &wrong, nil); err == nil || err.Error() != ": its checkpoint has 60 games, must be 7" {
		t.Error(err)
	}
}

// What is larger than a checkpoint may be is not written.
func TestLimits(t *testing.T) {
	l := limited{io.Discard, 10}
	if _, err := l.Write(make([]byte, 10)); err != nil {
		t.Error(err)
	}
	if _, err := l.Write(make([]byte, 1)); err != errTooLarge {
		t.Error(err)
	}
}
