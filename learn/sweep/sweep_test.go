package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// recorded is a training that writes scores instead of playing: by configuration, seed and number of games.
type recorded struct {
	folder string
	score  func(config, seed int, games uint64) float64
	rungs  []string
}

func (r *recorded) train(s *Sweep) func(context.Context, []*Trial, uint64) error {
	return func(_ context.Context, trials []*Trial, games uint64) error {
		var names []string
		for _, t := range trials {
			var config, seed int
			if _, err := fmt.Sscanf(t.Name, "s-%d-seed%d", &config, &seed); err != nil {
				return err
			}
			names = append(names, t.Name)
			path := filepath.Join(r.folder, t.Name)
			if err := os.MkdirAll(path, 0o755); err != nil {
				return err
			}
			options, err := json.Marshal(t.Options)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(path, runs.OptionsFile), options, 0o644); err != nil {
				return err
			}
			line := fmt.Sprintf(`{"games":%d,"mean_score":%v}`+"\n", games, r.score(config, seed, games))
			f, err := os.OpenFile(filepath.Join(path, runs.MetricsFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
			if err != nil {
				return err
			}
			_, _ = f.WriteString(line)
			_ = f.Close()
		}
		r.rungs = append(r.rungs, fmt.Sprint(games, " ", strings.Join(names, " ")))
		return nil
	}
}

// Halving trains what a plain description of it says, and ranks those that came farthest by their last scores.
func TestHalving(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, seeds := rapid.IntRange(1, soak.Pick(7, 12)).Draw(t, "configurations"), rapid.IntRange(1, soak.Pick(2, 3)).Draw(t, "seeds")
		eta := rapid.IntRange(2, 4).Draw(t, "eta")
		first := rapid.Uint64Range(1, 5).Draw(t, "first")
		games := first * uint64(eta) * rapid.Uint64Range(1, 40).Draw(t, "games")
		scores := map[string]float64{}
		score := func(config, seed int, games uint64) float64 {
			key := fmt.Sprint(config, seed, games)
			if _, ok := scores[key]; !ok {
				scores[key] = float64(rapid.IntRange(0, 3).Draw(t, key)) // ties are frequent
			}
			return scores[key]
		}
		var lambdas []string
		for i := range n {
			lambdas = append(lambdas, fmt.Sprint(float64(i)/16))
		}
		spec, err := Read(fmt.Appendf(nil, `{"network": "2x4", "games": %d, "report_every": 1, "method": "halving", "eta": %d, "first": %d, "seeds": %d, "options": {"lambda": [%s]}}`,
			games, eta, first, seeds, strings.Join(lambdas, ",")))
		if err != nil {
			t.Fatal(err)
		}
		folder := must.Get(os.MkdirTemp("", "halving"))(t)
		defer os.RemoveAll(folder)
		s := must.Get(New("s", runs.Folder{Path: folder}, spec, nil))(t)
		r := &recorded{folder: folder, score: score}
		result := must.Get(s.Run(context.Background(), &RunOptions{Train: r.train(s)}))(t)

		mean := func(config int, games uint64) (sum float64) {
			for k := range seeds {
				sum += score(config, 1000+k, games)
			}
			return sum / float64(seeds)
		}
		left, planned, before := []int{}, uint64(0), uint64(0)
		for i := range n {
			left = append(left, i+1)
		}
		var want []string
		for at := first; ; at *= uint64(eta) {
			if at > games/uint64(eta) {
				at = games
			}
			line := fmt.Sprint(at)
			for _, c := range left {
				for k := range seeds {
					line += fmt.Sprintf(" s-%d-seed%d", c, 1000+k)
				}
			}
			want = append(want, line)
			planned, before = planned+uint64(len(left)*seeds)*(at-before), at
			slices.SortStableFunc(left, func(a, b int) int { return cmp.Compare(mean(b, at), mean(a, at)) })
			if at == games {
				break
			}
			left = left[:int(math.Ceil(float64(len(left))/float64(eta)))]
			slices.Sort(left)
		}
		if got := strings.Join(r.rungs, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("trained\n%s\nwant\n%s", got, strings.Join(want, "\n"))
		}
		if got := s.Planned(); got != planned {
			t.Errorf("planned %d games, want %d", got, planned)
		}
		for i, c := range left {
			if row := &result.Configurations[i]; row.Name != fmt.Sprintf("s-%d", c) || row.Games != games || (row.Behind == nil) != (i == 0) {
				t.Errorf("rank %d is %+v, want configuration %d", i+1, row, c)
			}
		}
		if len(result.Configurations) != n || len(left) < n && result.Configurations[len(left)].Games == games {
			t.Errorf("%d configurations of %d, %d of them to the end", len(result.Configurations), n, len(left))
		}
	})
}

// The interval of the best one is wider than its own, and distances are paired by seeds.
func TestCorrected(t *testing.T) {
	r := &Result{Configurations: []Row{
		{Name: "a", Games: 9, Trained: figures([]float64{10, 20, 30})},
		{Name: "b", Games: 9, Trained: figures([]float64{14, 25, 36})},
		{Name: "c", Games: 3, Trained: figures([]float64{90, 90, 91})},
	}}
	r.compare()
	best, other := &r.Configurations[0], &r.Configurations[1]
	// By Student's t of 2 degrees of freedom: 4.3027 at 0.975, and 7.6488 at 1 - 0.025/3.
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-3*want }
	if best.Name != "b" || best.Mean != 25 || !near(best.CI.Half(), 4.3027*11/math.Sqrt(3)) || !near(best.Corrected.Half(), 7.6488*11/math.Sqrt(3)) {
		t.Errorf("%+v", best)
	}
	if other.Behind.Mean != 5 || !near(other.Behind.CI.Half(), 7.6488/math.Sqrt(3)) || r.Configurations[2].Behind != nil {
		t.Errorf("%+v", other)
	}
	if text := r.Text(); !strings.Contains(text, "\nb is best: 25 [-24, 74], corrected for 3 configurations tried (Bonferroni)\n") || strings.Contains(text, "not certainly") {
		t.Error(text)
	}
	r.Configurations, r.PlayedGames = r.Configurations[:1], 50
	if text := r.Text(); text != "b: 3 seeds, 9 games each: mean score 25 [-2, 52] in 50 games of each network, one ply\n" {
		t.Error(text)
	}
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

// costlyTOML are texts that take a parser much for their size.
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
	if err == nil || !strings.Contains(err.Error(), "1048577 bytes: must be at most 1048576") {
		t.Error(err)
	}
}
