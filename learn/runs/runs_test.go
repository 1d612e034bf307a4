package runs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// small returns the options of a run that trains in a moment.
func small(t *testing.T) Options {
	t.Helper()
	l := must.Get(ntuple.Named(bitboard.Size, "2x4"))(t)
	return Options{Layout: l, Options: learn.Options{Coherent: true, Seed: 1, Games: 20, ReportEvery: 10}}
}

func begin(t *testing.T, f Folder, name string, o Options) *Run {
	t.Helper()
	r := must.Get(f.Begin(name, o, nil))(t)
	t.Cleanup(r.Close)
	return r
}

// wantInput requires an InputError with a text.
func wantInput(t *testing.T, err error, text string) {
	t.Helper()
	var input *InputError
	if !errors.As(err, &input) || err.Error() != text {
		t.Errorf("%v, want the InputError %q", err, text)
	}
}

// While a run is open, it cannot be opened again; after Close it can.
func TestLocked(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	r := must.Get(f.Begin("", small(t), nil))(t)
	if r.Name != "2x4-1" || r.Path != filepath.Join(f.Path, "2x4-1") {
		t.Errorf("%s in %s", r.Name, r.Path)
	}
	_, err := f.Resume(r.Name, nil)
	if wantInput(t, err, "run 2x4-1 is being trained by another process"); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	r.Close()
	r = must.Get(f.Resume(r.Name, nil))(t)
	r.Close()
}

// Invalid requests are refused and leave no files.
func TestRefused(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	begin(t, f, "first", small(t)).Close()
	for text, change := range map[string]func(*Options){
		"rate 3: must be a number above 0 and up to 2":                          func(o *Options) { o.Rate = 3 },
		"settled -1: must be a number from 0 to 1000000":                        func(o *Options) { o.Settled = -1 },
		"settled 5: without from no weight is known yet":                        func(o *Options) { o.Settled = 5 },
		"anneal 5: without games there is no last game":                         func(o *Options) { o.Games, o.Anneal = 0, 5 },
		"lambda -1: must be a number from 0 to 1":                               func(o *Options) { o.Lambda = -1 },
		"horizon -1: must be a whole number from 1 to 65536":                    func(o *Options) { o.Lambda, o.Horizon = 1, -1 },
		"restart_share 2: must be a number from 0 to 1":                         func(o *Options) { o.RestartShare = 2 },
		"restart_tile 100: must be a tile from 8 to 32768 such as 2048":         func(o *Options) { o.RestartShare, o.RestartTile = 0.5, 100 },
		"downgrade 128: must be 0, or a tile from 256 to 32768 such as 2048":    func(o *Options) { o.Downgrade = 128 },
		"threads -1: must be a whole number from 1 to 1024":                     func(o *Options) { o.Threads = -1 },
		"optimistic_init -5: must be a number from 0 to 1000000000":             func(o *Options) { o.OptimisticInit = -5 },
		"network with 0 patterns: must be from 1 to 64":                         func(o *Options) { o.Layout.Patterns = nil },
		"checkpoint_every 50ms: must be a time of at least 100ms such as 200ms": func(o *Options) { o.CheckpointEvery = learn.Duration(50 * time.Millisecond) },
		"games 2000000000000: must be a whole number from 0 to 1000000000000":   func(o *Options) { o.Games = 2e12 },
		"report_every 2000000000: must be a whole number from 1 to 1000000000":  func(o *Options) { o.ReportEvery = 2e9 },
	} {
		o := small(t)
		change(&o)
		_, err := f.Begin("second", o, nil)
		wantInput(t, err, text)
	}
	o := small(t)
	o.From = "no/such/model"
	var input *InputError
	if _, err := f.Begin("second", o, nil); !errors.As(err, &input) || !strings.HasPrefix(err.Error(), "no/such/model cannot be read: ") {
		t.Error(err)
	}
	_, err := f.Begin("first", small(t), nil)
	wantInput(t, err, "run first already exists")
	_, err = f.Begin("../first", small(t), nil)
	wantInput(t, err, `run "../first": must be up to 100 letters, digits, '.', '_' and '-', a letter or digit first`)
	_, err = f.Resume("second", nil)
	wantInput(t, err, "no run is called second in "+f.Path)
	_, err = Folder{}.Begin("second", small(t), nil)
	wantInput(t, err, "no folder for runs")
	_, err = Folder{}.Resume("second", nil)
	wantInput(t, err, "no run is called second in ")
	games := uint64(5)
	r := must.Get(f.Resume("first", nil))(t)
	if finished, err := r.Train(t.Context(), nil); !finished || err != nil {
		t.Error(finished, err)
	}
	r.Close()
	_, err = f.Resume("first", learn.Change{"games": games})
	wantInput(t, err, "games 5: must be at least 20, the games that run first has played")
	horizon := 3
	_, err = f.Resume("first", learn.Change{"horizon": horizon})
	wantInput(t, err, "horizon 3: without lambda every return is one move")
	if entries, err := os.ReadDir(f.Path); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// A run is saved when the context ends. It resumes where it stopped, also with changed options.
func TestStopAndChange(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	o := small(t)
	o.Games = 0
	r := begin(t, f, "run", o)
	ctx, cancel := context.WithCancel(t.Context())
	finished, err := r.Train(ctx, func(*learn.Interval) { cancel() })
	if finished || err != nil {
		t.Fatal(finished, err)
	}
	games := r.Trainer().Games()
	r.Close()
	goal, coherent := games+10, false
	r = must.Get(f.Resume("run", learn.Change{"games": goal, "coherent": coherent}))(t)
	defer r.Close()
	if got := r.Trainer().Games(); got != games || len(r.Earlier) != 1 {
		t.Errorf("%d games, %d intervals", got, len(r.Earlier))
	}
	if finished, err := r.Train(t.Context(), nil); !finished || err != nil {
		t.Error(finished, err)
	}
	if h := r.Trainer().History(); len(h) != 2 || h[0].Games != games || h[1].Games != 10 {
		t.Errorf("%+v", h)
	}
	if path, err := f.Checkpoint("run"); err != nil || path != r.Checkpoint() {
		t.Error(path, err)
	}
}

// Begin reports the memory and disk space it requires, and refuses what does not fit before it creates files.
func TestSpace(t *testing.T) {
	o := small(t)
	need := Requirements{learn.RequiredMemory(&o.Layout, true), 2 * learn.RequiredDisk(&o.Layout, true)}
	var reported []Requirements
	disk := need.Disk - 1
	f := Folder{
		Path:           filepath.Join(t.TempDir(), "not", "yet"),
		FreeMemory:     func() (int64, bool) { return need.Memory, true },
		FreeDisk:       func(string) (int64, bool) { return disk, true },
		OnRequirements: func(_ *Options, n Requirements) { reported = append(reported, n) },
	}
	var space *memory.Error
	if _, err := f.Begin("run", o, nil); !errors.As(err, &space) || space.Needed != need.Disk || space.Free != disk {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(f.Path); err == nil || len(reported) > 0 {
		t.Errorf("%v, told %v", err, reported)
	}
	disk++
	begin(t, f, "run", o)
	if len(reported) != 1 || reported[0] != need {
		t.Errorf("told %v, want %v", reported, need)
	}
}

// A checkpoint of another run is neither resumed nor loaded.
func TestSwappedCheckpoints(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	slow := small(t)
	slow.Rate = 0.25
	for name, o := range map[string]Options{"slow": slow, "quick": small(t)} {
		r := begin(t, f, name, o)
		must.Get(r.Train(t.Context(), nil))(t)
		r.Close()
	}
	file := func(name string) string { return filepath.Join(f.Path, name, CheckpointFile) }
	swap := func() {
		must.Do(t, os.Rename(file("slow"), file("slow")+".own"))
		must.Do(t, os.Rename(file("quick"), file("slow")))
		must.Do(t, os.Rename(file("slow")+".own", file("quick")))
	}
	ways := map[string]func(name string) error{
		"Resume": func(name string) error {
			r, err := f.Resume(name, learn.Change{"games": uint64(30)})
			if err == nil {
				r.Close()
			}
			return err
		},
		"Receive": func(name string) error {
			r, err := f.Receive(name)
			if err == nil {
				r.Close()
			}
			return err
		},
		"Network":    func(name string) error { _, err := f.Network(name); return err },
		"Checkpoint": func(name string) error { _, err := f.Checkpoint(name); return err },
	}
	swap()
	for what, try := range ways {
		t.Run(what, func(t *testing.T) {
			wantInput(t, try("slow"), file("slow")+" belongs to another run, with rate 1 in place of 0.25: restore the run's own checkpoint")
			wantInput(t, try("quick"), file("quick")+" belongs to another run, with rate 0.25 in place of 1: restore the run's own checkpoint")
		})
	}
	swap()
	for _, try := range ways {
		must.Do(t, try("slow"))
		must.Do(t, try("quick"))
	}
}

// Errors do not suggest folders that are not runs, and say if a run has no checkpoint.
func TestNoRun(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	must.Do(t, os.MkdirAll(filepath.Join(f.Path, "big"), 0o700))
	begin(t, f, "small", small(t)).Close()
	for _, try := range []func(string) error{func(name string) error { _, err := f.Checkpoint(name); return err }, func(name string) error { _, err := f.Options(name); return err }} {
		var missing *NotFoundError
		if err := try("big"); !errors.As(err, &missing) || len(missing.Others) != 1 || missing.Others[0] != "small" {
			t.Errorf("%v, others %v", err, missing)
		}
	}
	must.Do(t, os.Remove(filepath.Join(f.Path, "small", CheckpointFile)))
	_, err := f.Checkpoint("small")
	wantInput(t, err, "run small in "+f.Path+" has no checkpoint: no such file or directory")
}

// A run that was killed after a change of options and before its next checkpoint has a checkpoint with the old options.
func TestKilledAfterAChange(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	begin(t, f, "run", small(t)).Close()
	for _, rate := range []float64{0.5, 0.125} {
		must.Get(f.Resume("run", learn.Change{"rate": rate}))(t).Close()
		must.Get(f.Checkpoint("run"))(t)
	}
	r := must.Get(f.Resume("run", nil))(t)
	must.Get(r.Train(t.Context(), nil))(t)
	r.Close()
	o := must.Get(f.Options("run"))(t)
	if must.Get(f.Resume("run", nil))(t).Close(); o.Rate != 0.125 {
		t.Errorf("rate %v", o.Rate)
	}
	if o = must.Get(f.Options("run"))(t); o.Before != nil {
		t.Errorf("%+v", o.Before)
	}
}
