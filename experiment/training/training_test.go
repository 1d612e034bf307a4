package training

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/sweep"
	"github.com/afterstate2048/afterstate/protocol"
)

// stubHub stores files in memory, and does each job when it is put, by the function work.
type stubHub struct {
	work func(j *machines.Job) *machines.Result

	mu      sync.Mutex
	files   map[string][]byte
	results chan *machines.Result
	failed  []string // reasons of Fail
	removed bool
}

func newStubHub() *stubHub {
	return &stubHub{files: map[string][]byte{}, results: make(chan *machines.Result, 100)}
}

func (h *stubHub) PutFile(_ context.Context, path string) (string, error) {
	data, err := os.ReadFile(path)
	sum := sha256.Sum256(data)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.files[hex.EncodeToString(sum[:])] = data
	return hex.EncodeToString(sum[:]), err
}

func (h *stubHub) ReadFile(_ context.Context, sum string, to io.Writer) error {
	h.mu.Lock()
	data, ok := h.files[sum]
	h.mu.Unlock()
	if !ok {
		return errors.New("no such file")
	}
	_, err := to.Write(data)
	return err
}

func (h *stubHub) RemoveFile(_ context.Context, sum string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.files, sum)
	return nil
}

func (h *stubHub) OpenQueue(context.Context, machines.QueueInfo, func(worker, reason string)) (machines.Queue, error) {
	return h, nil
}

func (h *stubHub) Put(_ context.Context, j machines.Job) error {
	go func() { h.results <- h.work(&j) }()
	return nil
}

func (h *stubHub) Next(ctx context.Context) (*machines.Result, error) {
	select {
	case r := <-h.results:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (h *stubHub) Fail(_ context.Context, r *machines.Result, reason string) (*machines.Result, error) {
	h.failed = append(h.failed, reason)
	return &machines.Result{ID: r.ID, Failed: reason}, nil // as after the last of some failures
}

func (*stubHub) Cores(bool) int      { return 2 }
func (*stubHub) Refusal(bool) string { return "" }
func (*stubHub) SetFinished(int)     {}
func (*stubHub) Close() error        { return nil }
func (h *stubHub) Remove(context.Context) error {
	h.removed = true
	return nil
}

// newSweep returns a sweep of two runs, of 40 games each.
func newSweep(t *testing.T, name string) *sweep.Sweep {
	t.Helper()
	spec := must.Get(sweep.Read([]byte(`{"network": "2x3", "size": "3x3", "games": 40, "report_every": 10, "seeds": 2}`)))(t)
	return must.Get(sweep.New(name, runs.Folder{Path: t.TempDir()}, spec, nil))(t)
}

// metrics are those of the runs of a sweep without times, with the SHA-256 of their checkpoints.
func metrics(t *testing.T, s *sweep.Sweep) string {
	t.Helper()
	var all []string
	for _, trial := range s.Configs[0].Trials {
		for _, i := range must.Get(s.Folder.Intervals(trial.Name))(t) {
			text := must.Get(json.Marshal(i))(t)
			line, _, _ := strings.Cut(string(text), `,"games_per_s"`)
			all = append(all, line)
		}
		sum := sha256.Sum256(must.Get(os.ReadFile(must.Get(s.Folder.Checkpoint(trial.Name))(t)))(t))
		all = append(all, hex.EncodeToString(sum[:]))
	}
	return strings.Join(all, "\n")
}

// A sweep that is trained on other machines has the same metrics as one trained here: with workers that work, return wrong
// results or hand every job back.
func TestTrain(t *testing.T) {
	alone := newSweep(t, "s")
	must.Get(alone.Run(t.Context(), &sweep.RunOptions{}))(t)
	want := metrics(t, alone)
	for name, work := range map[string]func(good func(*machines.Job) *machines.Result, j *machines.Job) *machines.Result{
		"good": func(good func(*machines.Job) *machines.Result, j *machines.Job) *machines.Result { return good(j) },
		"garbage": func(_ func(*machines.Job) *machines.Result, j *machines.Job) *machines.Result {
			return machines.NewResult(j.ID, json.RawMessage(`"what?"`), func() {})
		},
		"missing file": func(good func(*machines.Job) *machines.Result, j *machines.Job) *machines.Result {
			r := good(j)
			var got trained
			if err := json.Unmarshal(r.Payload, &got); err != nil {
				t.Error(err)
			}
			got.Checkpoint = strings.Repeat("0", 64)
			r.Payload, _ = json.Marshal(got)
			return r
		},
		"useless": func(_ func(*machines.Job) *machines.Result, j *machines.Job) *machines.Result {
			return &machines.Result{ID: j.ID, Failed: "no space left on device"}
		},
	} {
		for _, localParts := range []int{0, 1} {
			h := newStubHub()
			worker := Worker{Files: h, Folder: t.TempDir()}
			good := func(j *machines.Job) *machines.Result {
				payload, _, err := worker.Do(t.Context(), j)
				if err != nil {
					t.Error(err)
				}
				text, _ := json.Marshal(payload)
				return machines.NewResult(j.ID, text, func() {})
			}
			h.work = func(j *machines.Job) *machines.Result { return work(good, j) }
			s := newSweep(t, "s")
			o := &sweep.RunOptions{}
			r := &Machines{Hub: h, Workers: localParts, Folder: t.TempDir()}
			o.Train = r.Train(s, o)
			if _, err := s.Run(t.Context(), o); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			must.Equal(t, metrics(t, s), want, name, "metrics")
			for _, trial := range s.Configs[0].Trials {
				i := must.Get(s.Folder.Intervals(trial.Name))(t)
				path := must.Get(s.Folder.Checkpoint(trial.Name))(t)
				if took := learn.ReadTimes(path); took.Total <= 0 || took.Total.Seconds() < i[len(i)-1].ElapsedS {
					t.Errorf("%s: the run took %v, and its last interval ended after %v s", name, took.Total, i[len(i)-1].ElapsedS)
				}
			}
			if name == "good" && (len(h.failed) > 0 || len(h.files) > 0) || !h.removed {
				t.Errorf("%s: failures %q, %d files are left, removed: %v", name, h.failed, len(h.files), h.removed)
			}
			for _, folder := range []string{worker.Folder, r.Folder} {
				if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
					t.Errorf("%s: left behind: %v, %v", name, entries, err)
				}
			}
		}
	}
}

// A result that comes again, after the next part was put, leaves that part the checkpoint from which it starts.
func TestResultTwice(t *testing.T) {
	h, s := newStubHub(), newSweep(t, "s")
	worker := Worker{Files: h, Folder: t.TempDir()}
	var mu sync.Mutex
	last, parts := map[string]json.RawMessage{}, 0 // results by the identity of their run
	h.work = func(j *machines.Job) *machines.Result {
		mu.Lock()
		defer mu.Unlock()
		var p part
		_ = json.Unmarshal(j.Payload, &p)
		if again := last[p.Run]; again != nil {
			received := make(chan struct{})
			h.results <- machines.NewResult("again", again, func() { close(received) })
			<-received
		}
		p.To = p.First + 10
		j.Payload, _ = json.Marshal(p)
		payload, _, err := worker.Do(t.Context(), j)
		if err != nil {
			t.Error(err)
		}
		last[p.Run], _ = json.Marshal(payload)
		parts++
		return machines.NewResult(j.ID, last[p.Run], func() {})
	}
	o := &sweep.RunOptions{}
	o.Train = (&Machines{Hub: h, Folder: t.TempDir()}).Train(s, o)
	must.Get(s.Run(t.Context(), o))(t)
	if parts != 8 || len(h.failed) > 0 || len(h.files) > 0 {
		t.Errorf("%d parts, failures %q, %d files are left", parts, h.failed, len(h.files))
	}
}

// A worker continues from the given checkpoint, and trains at least one game even if the part has no time.
func TestDo(t *testing.T) {
	h, s := newStubHub(), newSweep(t, "s")
	run := must.Get(s.Receive(s.Configs[0].Trials[0]))(t)
	defer run.Close()
	x := &scheduler{Machines: &Machines{Hub: h}, o: &sweep.RunOptions{}, games: 40}
	w := &training{trial: s.Configs[0].Trials[0], run: run}
	worker := Worker{Files: h, Folder: t.TempDir()}
	for run.Games() < 40 {
		sum := must.Get(upload(t.Context(), h, t.TempDir(), run.Checkpoint()))(t)
		before := run.Games()
		payload := must.Get(json.Marshal(part{Checkpoint: sum, First: before, To: 40, Games: 40, Every: learn.Duration(time.Nanosecond)}))(t)
		got, _, err := worker.Do(t.Context(), &machines.Job{Payload: payload})
		if err != nil {
			t.Fatal(err)
		}
		result := got.(trained)
		if err := w.take(t.Context(), x, &result); err != nil || run.Games() <= before {
			t.Fatalf("%d games after %d, %v", run.Games(), before, err)
		}
	}
	payload := json.RawMessage(`{"checkpoint": "` + strings.Repeat("0", 64) + `"}`)
	_, _, err := worker.Do(t.Context(), &machines.Job{Payload: payload})
	must.Equal(t, fmt.Sprint(err), "no such file")
	sum := must.Get(upload(t.Context(), h, t.TempDir(), run.Checkpoint()))(t)
	payload = json.RawMessage(`{"checkpoint": "` + sum + `", "first": 7}`)
	_, _, err = worker.Do(t.Context(), &machines.Job{Payload: payload, Player: "run"})
	must.Equal(t, fmt.Sprint(err), "run: its checkpoint has 40 games, must be 7")
	if entries, err := os.ReadDir(worker.Folder); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// A checkpoint that does not continue the run is refused, and changes nothing.
func TestTake(t *testing.T) {
	h, s := newStubHub(), newSweep(t, "s")
	trials := s.Configs[0].Trials
	run := must.Get(s.Receive(trials[0]))(t)
	defer run.Close()
	x := &scheduler{Machines: &Machines{Hub: h}, o: &sweep.RunOptions{}, games: 40}
	w := &training{trial: trials[0], run: run}
	// stored is the SHA-256 of the checkpoint of a run of another folder, after 20 games.
	stored := func(o runs.Options, change func([]byte)) string {
		t.Helper()
		folder := runs.Folder{Path: t.TempDir()}
		run, err := folder.Begin("run", o, nil)
		if err == nil {
			_, err = run.TrainTo(t.Context(), 20, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		path := run.Checkpoint()
		run.Close()
		data := must.Get(os.ReadFile(path))(t)
		change(data)
		must.Do(t, os.WriteFile(path, data, 0o600))
		return must.Get(upload(t.Context(), h, t.TempDir(), path))(t)
	}
	same := func([]byte) {}
	intervals := []*protocol.TrainingInterval{{Games: 35}, {Games: 10}, nil, {Games: 10}, {Games: 20}, {Games: 1 << 60}}
	good := stored(trials[0].Options, same)
	h.files["text"] = []byte("checkpoint")
	if err := w.take(t.Context(), x, &trained{Checkpoint: good}); err == nil || run.Games() != 0 {
		t.Errorf("a checkpoint without metrics: %v, %d games", err, run.Games())
	}
	for name, bad := range map[string]trained{
		"of another seed": {Checkpoint: stored(trials[1].Options, same), Intervals: intervals},
		"damaged":         {Checkpoint: stored(trials[0].Options, func(data []byte) { data[len(data)/2] ^= 1 }), Intervals: intervals},
		"no checkpoint":   {Checkpoint: "text", Intervals: intervals},
	} {
		if err := w.take(t.Context(), x, &bad); err == nil || run.Games() != 0 {
			t.Errorf("%s: %v, %d games", name, err, run.Games())
		}
	}
	if err := w.take(t.Context(), x, &trained{Checkpoint: good, Intervals: intervals}); err != nil || run.Games() != 20 {
		t.Errorf("the next checkpoint: %v, %d games", err, run.Games())
	}
	if got, err := s.Folder.Intervals(trials[0].Name); err != nil || len(got) != 2 {
		t.Errorf("%d intervals, %v", len(got), err)
	}
}
