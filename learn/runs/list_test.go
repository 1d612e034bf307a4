package runs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
)

// List returns the runs that have metrics, the most recently active first, and ignores other files and folders.
func TestList(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	if all, err := (Folder{Path: filepath.Join(f.Path, "no")}).List(); err != nil || len(all) != 0 {
		t.Error(all, err)
	}
	write := func(name, file, text string, age time.Duration) {
		t.Helper()
		path := filepath.Join(f.Path, name, file)
		written := time.Now().Add(-age)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err == nil {
			err = os.Chtimes(path, written, written)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write("old", MetricsFile, "", 2*time.Hour)
	write("new", MetricsFile, "", time.Hour)
	o := small(t)
	options := must.Get(jsonLine(&o))(t)
	write("new", OptionsFile, string(options), 0)
	write("old", OptionsFile, "damaged", 0)
	write("not a name", MetricsFile, "", 0)
	write("empty", "other", "", 0)
	all, err := f.List()
	if err != nil || len(all) != 2 || all[0].Run != "new" || all[0].Network != "2x4 on 4x4" || all[1].Run != "old" || all[1].Network != "" {
		t.Errorf("%+v, %v", all, err)
	}
}

// If one call cannot read all metrics, the next calls return the rest, each line once. Damaged lines are
// omitted.
func TestMetricsInParts(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	must.Do(t, os.Mkdir(filepath.Join(f.Path, "run"), 0o755))
	line := `{"games":7` + strings.Repeat(" ", 1000) + "}\n"
	lines := maxMetrics/len(line) + 10
	must.Do(t, os.WriteFile(filepath.Join(f.Path, "run", MetricsFile), []byte("damaged\n"+strings.Repeat(line, lines)+"{\"ga"), 0o644))
	got, next := 0, int64(0)
	for calls := range 3 {
		m, err := f.Metrics("run", next)
		if err != nil || m.Restarted {
			t.Fatal(err, m.Restarted)
		}
		if got, next = got+len(m.Intervals), m.Next; calls == 0 && got == lines {
			t.Error("all lines in one call")
		}
	}
	if got != lines || next != int64(len("damaged\n")+lines*len(line)) {
		t.Errorf("%d of %d lines up to byte %d", got, lines, next)
	}
	m, err := f.Metrics("run", next+100)
	if err != nil || !m.Restarted || len(m.Intervals) == 0 {
		t.Errorf("%d lines, restarted %v, %v", len(m.Intervals), m.Restarted, err)
	}
	_, err = f.Metrics("../run", 0)
	wantInput(t, err, "no run is called ../run in "+f.Path)
}

// A run is running while a process holds its lock, whatever its files say.
func TestState(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	is := func(want string, games uint64) {
		t.Helper()
		if state, got := f.State("run", 20); state != want || got != games {
			t.Errorf("%s with %d games; want %s with %d", state, got, want, games)
		}
		if all, err := f.List(); err != nil || len(all) != 1 || all[0].State != want || all[0].Games != games || *all[0].GoalGames != 20 {
			t.Errorf("%+v, %v", all, err)
		}
	}
	o := small(t)
	o.From, o.Games = "", 20
	r := begin(t, f, "run", o)
	is(Running, 0)
	r.Close()
	is(Stopped, 0)
	r = must.Get(f.Resume("run", nil))(t)
	must.Get(r.Train(t.Context(), nil))(t)
	is(Running, 20)
	r.Close()
	is(Finished, 20)
	all, err := f.List()
	if want := (Setting{Option: "network", Value: "2x4"}); err != nil || len(all[0].Options) < 8 || all[0].Options[0] != want {
		t.Errorf("%+v, %v", all, err)
	}
	if i, err := f.Intervals("run"); err != nil || len(i) != 2 || i[1].Games != 20 {
		t.Errorf("%+v, %v", i, err)
	}
	if _, err := f.Intervals("none"); err == nil {
		t.Error("metrics of no run")
	}
}

// Settings name the model that a run starts from without its folder.
func TestSettings(t *testing.T) {
	o := small(t)
	o.From, o.Settled, o.Lambda, o.Horizon, o.RestartShare, o.RestartTile = filepath.Join("home", "runs", "first", CheckpointFile), 10, 0.5, 5, 0.2, 16384
	text := ""
	for _, s := range o.Settings() {
		text += s.Option + "=" + s.Value + " "
	}
	if want := "network=2x4 size=4x4 from=first games=20 seed=1 threads=0 coherent=true settled=10 lambda=0.5 horizon=5 restart-share=0.2 restart-tile=16384 report-every=10 "; text != want {
		t.Error(text)
	}
	o.From = filepath.Join("home", "x.model")
	if s := o.Settings()[2]; s.Value != "x.model" {
		t.Error(s)
	}
}
