package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// Run trains every configuration to the end, and ranks them by the means of their last scores.
func TestRanking(t *testing.T) {
	spec := must.Get(Read([]byte(`{"network": "2x4", "games": 20, "report_every": 10, "seeds": 2, "options": {"lambda": [0, 0.5, 1]}}`)))(t)
	folder := runs.Folder{Path: t.TempDir()}
	s := must.Get(New("s", folder, spec, nil))(t)
	scores := map[string]float64{"s-1-seed1000": 3, "s-1-seed1001": 4, "s-2-seed1000": 9, "s-2-seed1001": 1, "s-3-seed1000": 3, "s-3-seed1001": 3}
	result := must.Get(s.Run(t.Context(), &RunOptions{Train: func(_ context.Context, trials []*Trial, games uint64) error {
		if len(trials) != len(scores) || games != 20 || s.Planned() != 120 {
			t.Errorf("%d trials of %d games, %d planned", len(trials), games, s.Planned())
		}
		for _, trial := range trials {
			path := filepath.Join(folder.Path, trial.Name)
			must.Do(t, os.MkdirAll(path, 0o755))
			must.Do(t, os.WriteFile(filepath.Join(path, runs.OptionsFile), must.Get(json.Marshal(trial.Options))(t), 0o644))
			metrics := fmt.Sprintf(`{"games":10,"mean_score":50}`+"\n"+`{"games":20,"mean_score":%v}`+"\n", scores[trial.Name])
			must.Do(t, os.WriteFile(filepath.Join(path, runs.MetricsFile), []byte(metrics), 0o644))
		}
		return nil
	}}))(t)
	var names []string
	for i, row := range result.Configurations {
		if names = append(names, row.Name); row.Games != 20 || (row.Behind == nil) != (i == 0) {
			t.Errorf("%+v", row)
		}
	}
	must.Equal(t, strings.Join(names, " "), "s-2 s-1 s-3", "names")
}

// The corrected interval of the best configuration is wider than its own, and differences are paired by seeds.
func TestCorrected(t *testing.T) {
	r := &Result{Configurations: []Row{
		{Name: "a", Games: 9, Trained: figures([]float64{10, 20, 30})},
		{Name: "b", Games: 9, Trained: figures([]float64{14, 25, 36})},
		{Name: "c", Games: 9, Trained: figures([]float64{4, 15, 26.5})},
	}}
	r.compare()
	best, other := &r.Configurations[0], &r.Configurations[1]
	// By Student's t of 2 degrees of freedom: 4.3027 at 0.975, and 7.6488 at 1 - 0.025/3.
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-3*want }
	if best.Name != "b" || best.Mean != 25 || !near(best.CI.Half(), 4.3027*11/math.Sqrt(3)) || !near(best.Corrected.Half(), 7.6488*11/math.Sqrt(3)) {
		t.Errorf("%+v", best)
	}
	if other.Behind.Mean != 5 || !near(other.Behind.CI.Half(), 7.6488/math.Sqrt(3)) {
		t.Errorf("%+v", other)
	}
	if text := r.Text(); !strings.Contains(text, "\nb is best: 25 [-24, 74], corrected for 3 configurations tried (Bonferroni)\n") || strings.Contains(text, "not significantly") {
		t.Error(text)
	}
	r.Configurations, r.PlayedGames = r.Configurations[:1], 50
	must.Equal(t, r.Text(), "b: 3 seeds, 9 games each: mean score 25 [-2, 52] in 50 games per network, searching one ply\n")
}

// FuzzReadTOML: any text is read or refused, at a cost in proportion to its size.
func FuzzReadTOML(f *testing.F) {
	for _, text := range costlyTOML(1 << 12) {
		f.Add(text)
	}
	f.Add("method = \"grid\" # ....................\nseeds = 3\n[options]\nrate = [0.1, 0.25]\n")
	f.Fuzz(func(t *testing.T, text string) {
		testenv.Bounded(t, len(text), func() { _, _ = ReadTOML([]byte(text)) })
	})
}

// costlyTOML lists texts that take a parser much time or memory for their size.
func costlyTOML(size int) map[string]string {
	return map[string]string{
		"a key":      strings.Repeat("a.", size/2) + "a=1",
		"a table":    "[" + strings.Repeat("a.", size/2) + "a]",
		"quoted":     strings.Repeat(`"#".`, size/4) + "a=1",
		"spaces":     strings.Repeat("a . ", size/4) + "a=1",
		"lists":      "a=" + strings.Repeat("[", size),
		"tables":     "a=" + strings.Repeat("{a=", size/3),
		"in a text":  `a="]" ` + "\nb=" + strings.Repeat("[", size),
		"many keys":  strings.Repeat("a=1\n", size/4),
		"many names": "[options]\n" + strings.Repeat("a.b.c.d.e.f.g.h=1\n", size/18),
	}
}

func TestCostlyTOML(t *testing.T) {
	for name, text := range costlyTOML(80_000) {
		testenv.Bounded(t, len(text), func() {
			if _, err := ReadTOML([]byte(text)); err == nil {
				t.Errorf("%s is read", name)
			}
		})
	}
	_, err := ReadTOML(make([]byte, maxText+1))
	must.Contains(t, fmt.Sprint(err), "1048577 bytes: must be at most 1048576")
}
