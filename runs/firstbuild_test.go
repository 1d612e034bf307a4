package runs

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A run of a build that had other names for stage_bias_points, warmup_games and
// report_every_games, and for stage_bias in the model's header, is listed, shown and resumed.
func TestFirstBuild(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	path := filepath.Join(f.Path, "old")
	if err := os.CopyFS(path, os.DirFS(filepath.Join("testdata", "first-build"))); err != nil {
		t.Fatal(err)
	}
	all, err := f.List()
	if err != nil || len(all) != 1 || all[0].Name != "old" || all[0].Network == "" {
		t.Errorf("listed as %+v, %v", all, err)
	}
	if m, err := f.Metrics("old", 0); err != nil || len(m.Intervals) != 3 {
		t.Errorf("%d intervals, %v", len(m.Intervals), err)
	}
	games := uint64(100)
	r, err := f.Resume("old", Change{Games: &games})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	bias := []float32{0, 10, 20}
	if o := r.Options; !reflect.DeepEqual(o.StageBias, bias) || o.WarmupGames != 5 || o.ReportEvery != 20 {
		t.Errorf("options %+v", o)
	}
	if n := r.Trainer().Network(); !reflect.DeepEqual(n.StageBias, bias) {
		t.Errorf("the network's stage bias is %v, want %v", n.StageBias, bias)
	}
	if finished, err := r.Train(context.Background(), nil); !finished || err != nil {
		t.Fatal(finished, err)
	}
	if last := r.Last(); last == nil || last.Games != games {
		t.Errorf("the last interval is %+v", last)
	}
	data, err := os.ReadFile(filepath.Join(path, OptionsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"stage_bias_points":[0,10,20]`, `"warmup_games":5`, `"report_every_games":20`} {
		if !strings.Contains(string(data), key) {
			t.Errorf("%s lacks %s", data, key)
		}
	}
	for _, old := range []string{"hopes_points", "alone_games", `"every_games"`} {
		if strings.Contains(string(data), old) {
			t.Errorf("%s still has %s", data, old)
		}
	}
	model, err := os.ReadFile(r.Checkpoint())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(model), `"stage_bias":[0,10,20]`) || strings.Contains(string(model), "hopes") {
		t.Error("the checkpoint written now does not have the new name alone")
	}
}

// Options of earlier builds count where the present key is absent, and only there.
func TestOldOptions(t *testing.T) {
	o, err := parseOptions([]byte(`{"optimistic_points":9,"every_games":3,"report_every_games":4}`))
	if err != nil || o.OptimisticInit != 9 || o.ReportEvery != 4 {
		t.Errorf("%+v, %v", o, err)
	}
}
