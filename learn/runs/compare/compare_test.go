package compare

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// write creates the folder of a run with the given mean scores, one for every 100 games.
func write(t *testing.T, folder runs.Folder, name string, o runs.Options, scores ...float64) {
	t.Helper()
	l := must.Get(ntuple.Named(bitboard.Size, "2x4"))(t)
	if o.Layout.Patterns == nil {
		o.Layout = l
	}
	o.ReportEvery, o.Games = 100, uint64(100*len(scores))
	options := must.Get(json.Marshal(o))(t)
	var metrics strings.Builder
	for i, s := range scores {
		fmt.Fprintf(&metrics, `{"games":%d,"moves":%d,"mean_score":%v,"reached":{"128":1,"2048":0.25},"games_per_s":1,"moves_per_s":2,"elapsed_s":%v}`+"\n", 100*(i+1), 1000*(i+1), s, 10*(i+1))
	}
	path := filepath.Join(folder.Path, name)
	must.Do(t, os.MkdirAll(path, 0o755))
	for file, data := range map[string]string{runs.OptionsFile: string(options), runs.MetricsFile: metrics.String()} {
		must.Do(t, os.WriteFile(filepath.Join(path, file), []byte(data), 0o644))
	}
}

func open2(t *testing.T, folder runs.Folder, names ...string) (groups []*Group) {
	t.Helper()
	for _, name := range names {
		g := must.Get(Open(folder, name))(t)
		groups = append(groups, g)
	}
	return groups
}

// Groups with the same seeds are compared seed by seed, others as independent samples; t(0.975) is
// 4.303 with two degrees of freedom.
func TestCurves(t *testing.T) {
	folder := runs.Folder{Path: t.TempDir()}
	for seed, scores := range map[uint64][2][]float64{1: {{10, 20, 30, 40}, {12, 24, 30}}, 2: {{20, 20, 30, 40}, {24, 20, 32}}, 10: {{30, 20, 30, 40}, {36, 28, 34}}} {
		write(t, folder, SeedName("a", seed), runs.Options{Options: learn.Options{Seed: seed}}, scores[0]...)
		write(t, folder, SeedName("b", seed), runs.Options{Options: learn.Options{Seed: seed, Lambda: 0.5, Horizon: 5}}, scores[1]...)
		write(t, folder, SeedName("c", seed+1), runs.Options{Options: learn.Options{Seed: seed + 1}}, scores[1]...)
	}
	write(t, folder, "a-seedling", runs.Options{}, 1)
	groups := open2(t, folder, "a", "b", "c")
	if names := []string{groups[0].Runs[0].Name, groups[0].Runs[1].Name, groups[0].Runs[2].Name}; !cmp.Equal(names, []string{"a-seed1", "a-seed2", "a-seed10"}) {
		t.Errorf("%q", names)
	}
	table, err := Curves(groups, 10)
	if err != nil || len(table.Rows) != 3 || table.Rows[2].Games != 300 { // the shortest run's games
		t.Fatalf("%+v, %v", table.Rows, err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.01 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	first := table.Rows[0].Cells
	near("mean", float64(first[0].Mean), 20)
	near("interval", first[0].CI.Half(), 4.303*10/math.Sqrt(3))
	near("paired difference", float64(first[1].Difference.Mean), 4)
	near("its interval", first[1].Difference.CI.Half(), 4.303*2/math.Sqrt(3)) // of 2, 4 and 6
	if !first[1].Difference.Paired || first[2].Difference.Paired {
		t.Errorf("%+v", first)
	}
	near("difference of other seeds", float64(first[2].Difference.Mean), 4)
	if half := first[2].Difference.CI.Half(); half < 20 || half > 30 {
		t.Errorf("its interval is %v", half)
	}

	options, values := Differences(groups)
	if want := []string{"games", "lambda", "horizon"}; !cmp.Equal(options, want) {
		t.Errorf("options %q", options)
	}
	if want := [][]string{{"400", "300", "300"}, {"0", "0.5", "0"}, {"-", "5", "-"}}; !cmp.Equal(values, want) {
		t.Errorf("values %q", values)
	}
}

// In fewer rows than intervals, games count by their number. Single runs have no intervals.
func TestRows(t *testing.T) {
	folder := runs.Folder{Path: t.TempDir()}
	write(t, folder, "a", runs.Options{}, 10, 20, 30, 40, 50)
	write(t, folder, "b", runs.Options{}, 20, 40, 60, 80)
	table, err := Curves(open2(t, folder, "a", "b"), 2)
	if err != nil || len(table.Rows) != 2 || table.Rows[0].Games != 200 || table.Rows[0].Cells[0].Mean != 15 || table.Rows[1].Cells[1].Mean != 70 {
		t.Errorf("%+v, %v", table, err)
	}
	if c := table.Rows[1].Cells[1]; c.Difference.Mean != 35 || c.CI.Known() || c.Difference.CI.Known() || c.Difference.Paired {
		t.Errorf("%+v", c)
	}
}

func TestRefused(t *testing.T) {
	folder := runs.Folder{Path: t.TempDir()}
	small := must.Get(ntuple.Named(bitboard.Size, "2x4"))(t)
	small.Size.Rows = 3
	write(t, folder, "a", runs.Options{}, 1)
	write(t, folder, "small", runs.Options{Layout: small}, 1)
	write(t, folder, "begun", runs.Options{})
	for text, names := range map[string][]string{
		"run a has board size 4x4 and run small has 3x4: must be the same size": {"a", "small"},
		"run begun has no finished interval yet: must be 100 games or more":     {"a", "begun"},
	} {
		_, err := Curves(open2(t, folder, names...), 10)
		must.Equal(t, fmt.Sprint(err), text)
	}
	if _, err := Open(folder, "none"); err == nil || !strings.HasPrefix(err.Error(), "no run is called none in ") {
		t.Error(err)
	}
	one := &Table{Groups: open2(t, folder, "a")}
	must.Equal(t, fmt.Sprint(one.Play(t.Context(), PlayOptions{Games: 1})), "1 games: must be 2 or more")
}

// The shares of tiles have columns for all runs together.
func TestWriteCSV(t *testing.T) {
	folder := runs.Folder{Path: t.TempDir()}
	write(t, folder, "a", runs.Options{Options: learn.Options{Seed: 3}}, 7.5)
	groups := open2(t, folder, "a")
	write(t, folder, "b", runs.Options{}, 1)
	groups = append(groups, open2(t, folder, "b")...)
	groups[1].Runs[0].Intervals[0].Reached = groups[1].Runs[0].Intervals[0].Reached[1:]
	groups[1].Runs[0].Intervals[0].MeanScore = nil
	var text strings.Builder
	err := WriteCSV(&text, groups)
	want := `run,seed,games,moves,elapsed_s,mean_score,restarted_games,restarted_mean_score,games_per_s,moves_per_s,reached_128,reached_2048
a,3,100,1000,10,7.5,0,,1,2,1,0.25
b,0,100,1000,10,,0,,1,2,,
`
	if err != nil || text.String() != want {
		t.Errorf("%v\n%s", err, &text)
	}
	for tile, share := range map[int64]string{64: "1", 128: "1", 1024: "0", 2048: "0.25", 4096: "0"} {
		must.Equal(t, Reached(&groups[0].Runs[0].Intervals[0], tile), share, tile)
	}
}
