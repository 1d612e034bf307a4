package runs

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
)

// A trainer that is made from a request learns the same weights as a run with the same options. It can resume the run's checkpoint with
// changed options.
func TestRequest(t *testing.T) {
	defaults := Options{Options: learn.Defaults}
	text := []byte(`{"network":"2x4","games":60,"seed":2,"lambda":0.7,"stages":"64","optimistic_init":50}`)
	r := must.Get(ReadRequest(text, defaults))(t)
	o := must.Get(r.Options(nil))(t)
	if o.Horizon != 0 || o.Layout.StageCount() != 2 || o.OptimisticInit != 50 || o.Seed != 2 || o.ReportEvery != learn.Defaults.ReportEvery {
		t.Errorf("%+v", o)
	}
	run := begin(t, Folder{Path: t.TempDir()}, "run", *o)
	if finished, err := run.Train(t.Context(), nil); !finished || err != nil {
		t.Fatal(finished, err)
	}
	alone := must.Get(NewTrainer(text, defaults, nil))(t)
	defer func() { alone.Close(); alone.Network().Close() }()
	must.Do(t, alone.Run(t.Context()))
	must.Equal(t, alone.Network().Checksum(), run.Trainer().Network().Checksum(), "weights")
	var intervals int
	onward := must.Get(LoadTrainer(run.Checkpoint(), []byte(`{"games":90,"report_every":30,"rate":0.5}`), func(learn.Interval) { intervals++ }))(t)
	defer func() { onward.Close(); onward.Network().Close() }()
	if err := onward.Run(context.Background()); err != nil || onward.Games() != 90 || intervals != 1 || len(onward.History()) != 2 {
		t.Errorf("%d games, %d intervals, history %+v, %v", onward.Games(), intervals, onward.History(), err)
	}
	for change, want := range map[string]string{
		`{"seed":3}`:      "seed: unknown option: must be one of games, threads, ",
		`{"rate":5}`:      "rate 5: must be a number above 0 and up to 2",
		`{"games":0.5}`:   "games 0.5: must be a whole number from 0 to 1000000000000",
		`{"anneal":null}`: "anneal null: must be a whole number",
	} {
		if _, err := LoadTrainer(run.Checkpoint(), []byte(change), nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", change, err, want)
		}
	}
	if _, err := LoadTrainer(filepath.Join(run.Path, OptionsFile), []byte("{}"), nil); err == nil {
		t.Error("a file that is no checkpoint is loaded")
	}
}

// Every setting that Describe returns can be given with its default value, and says which values are accepted.
func TestDescribe(t *testing.T) {
	defaults := Options{Options: learn.Defaults}
	all := Describe(defaults)
	resumable := 0
	for _, d := range all {
		if d.Accepted == "" || d.Help == "" || strings.Contains(d.Name, "-") || d.Name == "join_every" {
			t.Errorf("%+v", d)
		}
		if d.Resume {
			resumable++
		}
	}
	if len(all) < 20 || resumable < 10 {
		t.Errorf("%d settings, %d of them resumable", len(all), resumable)
	}
}

func TestNewNetwork(t *testing.T) {
	n, err := NewNetwork([]byte(`{"network":"2x4","optimistic_init":5}`))
	if err != nil || n.Bias != 5 || n.Name != "2x4" {
		t.Fatal(err)
	}
	n.Close()
	_, err = NewNetwork([]byte(`{"optimistic_init":-5}`))
	wantInput(t, err, "optimistic_init -5: must be a number from 0 to 1000000000")
}
