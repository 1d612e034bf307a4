package learn

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Several calls of Step, with saves between them, train like one call of Run. Since counts the games since Mark over
// several steps.
func TestStep(t *testing.T) {
	options := func() Options {
		return Options{Network: network(t, size3, "2x3"), Seed: 4, Coherent: true, Lambda: 0.5, Games: 90, ReportEvery: 20}
	}
	whole := runs(t, trainer(t, options()))
	parts := trainer(t, options())
	for _, games := range []uint64{7, 30, 3} {
		step(t, parts, games)
	}
	parts.Mark()
	step(t, parts, 10)
	step(t, parts, 15)
	if i := parts.Since(); i.From != 40 || i.To != 65 || i.Fresh.Games != 25 || i.Moves != parts.all.Moves || i.Elapsed <= 0 || i.Total < i.Elapsed {
		t.Errorf("since game 40: %+v", i)
	}
	file := filepath.Join(t.TempDir(), "parts")
	idle := parts.Times().Total
	must.Do(t, parts.SaveTo(file))
	must.Equal(t, parts.Times().Total, idle, "the time between steps")
	c, err := ReadCheckpoint(file)
	if err != nil || c.Games != 65 || c.Options.Games != 90 || c.Options.Seed != 4 || c.Layout.Name != "2x3" {
		t.Errorf("%+v, %v", c, err)
	}
	parts = resume(t, file, c.Options, nil)
	step(t, parts, 1000)
	if parts.Games() != 90 || weights(parts) != weights(whole) || parts.all != whole.all {
		t.Errorf("%d games: %+v, want %+v", parts.Games(), parts.all, whole.all)
	}
}

func step(t *testing.T, tr *Trainer, games uint64) {
	t.Helper()
	must.Do(t, tr.Step(context.Background(), games))
}

// Games start from the given boards in their order, with the spawns of their numbers, and count as restarted.
func TestSetStarts(t *testing.T) {
	for _, c := range []struct {
		size    board.Size
		board   string
		tileSum uint64
	}{{size3, "64,32,16/2,4,8/0,0,0", 64}, {board.Size{Rows: 5, Cols: 4}, "64,32,16,8/2,4,8,2/0,0,0,0/0,0,0,0/0,0,0,0", 128}} {
		late := must.Get(board.Parse(c.board))(t)
		tr := trainer(t, Options{Network: network(t, c.size, "012 345"), Seed: 4})
		must.Do(t, tr.SetStarts(0, []board.Board{late, board.New(c.size)}))
		tr.Mark()
		step(t, tr, 11)
		i := tr.Since()
		if i.Restarted.Games != 6 || i.Fresh.Games != 5 || len(i.Starts) != 1 || i.Starts[0].TileSum != c.tileSum || i.Restarted.Reached(6) != 1 {
			t.Errorf("%v: %+v", c.size, i)
		}
		must.Do(t, tr.SetStarts(11, nil))
		tr.Mark()
		if step(t, tr, 5); tr.Since().Restarted.Games != 0 {
			t.Errorf("%v: games start from boards that are gone", c.size)
		}
	}
	tr := trainer(t, Options{Network: network(t, size3, "2x3"), Seed: 4})
	large := board.New(size3)
	large.Set(0, 16)
	layout := must.Get(ntuple.EndingLayout(network(t, size4, "2x4").Layout, 5))(t)
	n := must.Get(ntuple.New(layout))(t)
	t.Cleanup(n.Close)
	ending := trainer(t, Options{Network: n})
	for _, c := range []struct {
		*Trainer
		board board.Board
		want  string
	}{
		{tr, board.New(size4), "starts: board 0 is 4x4: must be 3x3"},
		{tr, large, "starts: board 0 has the exponent 16: must be at most 15"},
		{ending, board.New(size4), "starts: must be empty for an ending network, which starts from layouts of its walls"},
	} {
		must.Equal(t, fmt.Sprint(c.SetStarts(0, []board.Board{c.board})), c.want)
	}
}

// A rate applies to the games that follow.
func TestSetRate(t *testing.T) {
	train := func(rates ...float64) uint64 {
		tr := trainer(t, Options{Network: network(t, size3, "2x3"), Seed: 4, Rate: rates[0]})
		for _, rate := range rates {
			must.Do(t, tr.SetRate(rate))
			step(t, tr, 20)
		}
		return uint64(weights(tr))
	}
	constant := train(0.1, 0.1)
	if again := train(0.1, 0.1); again != constant || train(0.1, 0.05) == constant {
		t.Error("the rate of the later games is not the one that was set")
	}
	tr := trainer(t, Options{Network: network(t, size3, "2x3")})
	for _, rate := range []float64{0, -1, 3, math.NaN()} {
		if err := tr.SetRate(rate); err == nil || tr.Options().Rate != otherRate {
			t.Errorf("%v: %v, the rate is %v", rate, err, tr.Options().Rate)
		}
	}
}

// Equal trainings write equal checkpoints. Times are in another file, and training can continue without it.
func TestEqualTrainingsWriteEqualFiles(t *testing.T) {
	folder := t.TempDir()
	var files [][]byte
	for _, name := range []string{"a", "b"} {
		tr := trainer(t, Options{Network: network(t, size3, "2x3"), Seed: 4, Coherent: true, Games: 30, RestartShare: 0.5, RestartTile: 16})
		path := filepath.Join(folder, name)
		step(t, tr, 30)
		must.Do(t, tr.SaveTo(path))
		files = append(files, must.Get(os.ReadFile(path))(t))
		resumed := resume(t, path, Options{}, nil)
		if got := resumed.Times(); got != tr.Times() || got.Total <= 0 || got.Elapsed != got.Total {
			t.Errorf("resumed after %+v, the training took %+v", got, tr.Times())
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the checkpoints of equal trainings differ")
	}
	for _, text := range []string{"", "{", `{"total": -1}`, `{"total": "a"}`} {
		must.Do(t, os.WriteFile(TimesFile(filepath.Join(folder, "a")), []byte(text), 0o600))
		must.Equal(t, resume(t, filepath.Join(folder, "a"), Options{}, nil).Times(), (Times{}), "after times", text)
	}
}

// A network with fixed patterns learns. In a resumed training the patterns are still fixed.
func TestFixedPatternsLearn(t *testing.T) {
	l := must.Get(ntuple.ParseLayout(size3, "012 345 678 036 147 258 0134 1245"))(t)
	l.Fixed = true
	for _, coherent := range []bool{false, true} {
		n := must.Get(ntuple.New(l))(t)
		t.Cleanup(n.Close)
		var means []float64
		report := func(i Interval) { means = append(means, i.Fresh.MeanScore()) }
		tr := trainer(t, Options{Network: n, Seed: 4, Coherent: coherent, Games: 1500, ReportEvery: 300, Report: report})
		step(t, tr, 600)
		file := filepath.Join(t.TempDir(), "fixed")
		must.Do(t, tr.SaveTo(file))
		tr = resume(t, file, Options{Games: 1500, Report: report}, nil)
		step(t, tr, 900)
		if len(means) != 5 || means[4] < 1.2*means[0] || !tr.Network().Fixed {
			t.Errorf("coherent %v: mean scores of 300 games each %.0f, fixed %v", coherent, means, tr.Network().Fixed)
		}
	}
}
