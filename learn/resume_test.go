package learn

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// resume continues from a checkpoint.
func resume(t *testing.T, file string, o Options, change func(*Options)) *Trainer {
	t.Helper()
	tr := must.Get(Resume(file, o, change))(t)
	t.Cleanup(func() {
		tr.Close()
		tr.Network().Close()
	})
	return tr
}

func runs(t *testing.T, tr *Trainer) *Trainer {
	t.Helper()
	must.Do(t, tr.Run(context.Background()))
	return tr
}

// A training in three parts: optimistic TD(0), then coherent, then coherent with other options.
// Each part is in the history with its games and moves, and a training that is stopped and resumed
// within a part ends as if it had not been.
func TestParts(t *testing.T) {
	parts := []struct {
		games  uint64
		change func(*Options)
		words  string
	}{
		{60, nil, "seed=9 threads=1 rate=0.1 bias=1000"},
		{100, func(o *Options) { o.Coherent, o.Rate = true, 0 }, "seed=9 threads=1 coherent rate=1 bias=1000"},
		{150, func(o *Options) { o.Rate, o.Lambda, o.RestartShare, o.RestartTile = 0.5, 0.5, 0.4, 32 },
			"seed=9 threads=1 coherent rate=0.5 lambda=0.5 horizon=5 restart_share=0.4 restart_tile=32 bias=1000"},
	}
	train := func(stops ...uint64) *Trainer {
		n := network(t, size3, "2x3", ntuple.Stage{}, ntuple.Stage{6})
		n.Bias = 1000
		file := filepath.Join(t.TempDir(), "run")
		o := Options{Network: n, Seed: 9, ReportEvery: 40, Games: parts[0].games, Checkpoint: file}
		tr := runs(t, trainer(t, o))
		o = Options{Checkpoint: file}
		for i, p := range parts {
			for _, games := range append(stops, p.games) {
				if games <= tr.Games() || games > p.games {
					continue
				}
				o.Games = games
				before := weights(tr)
				tr = resume(t, file, o, p.change)
				if same := tr.sums == nil || i > 1; same && weights(tr) != before {
					t.Errorf("part %d does not begin where the last one ended", i)
				}
				runs(t, tr)
			}
		}
		return tr
	}
	whole, stopped := train(), train(70, 101, 120)
	if weights(whole) != weights(stopped) || whole.all != stopped.all {
		t.Errorf("stopped: %+v, want %+v", stopped.all, whole.all)
	}
	for _, tr := range []*Trainer{whole, stopped} {
		var before, moves uint64
		history := tr.History()
		if len(history) != len(parts) {
			t.Fatalf("history: %+v", history)
		}
		for i, p := range parts {
			if h := history[i]; h.Games != p.games-before || h.Options != p.words {
				t.Errorf("part %d: %+v, want %d games, %s", i, h, p.games-before, p.words)
			}
			before, moves = p.games, moves+history[i].Moves
		}
		must.Equal(t, moves, tr.all.Moves, "moves of the parts")
	}
}

// The function change of Resume can set only some of the options.
func TestChange(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	first := runs(t, trainer(t, Options{
		Network: network(t, size3, "2x3"), Coherent: true, RestartShare: 0.5, RestartTile: 32, Games: 100, Checkpoint: file,
	}))
	sums := func(tr *Trainer) (n int) {
		if tr.sums == nil {
			return -1
		}
		for _, s := range slices.Concat(tr.sums.sums.Tables[0]...) {
			if s != 0 {
				n++
			}
		}
		return n
	}
	// A change to equal values does not start a part, and changes of other options are ignored.
	tr := resume(t, file, Options{}, func(o *Options) { o.Seed, o.WarmupGames, o.History, o.Network = 77, 5, nil, nil })
	if weights(tr) != weights(first) || tr.o.Seed != 0 || len(tr.History()) != 1 || tr.History()[0].Games != 100 {
		t.Errorf("nothing changed: %+v", tr.History())
	}
	// Sums are kept with another rate, dropped without Coherent, and start at zero with it again.
	if tr = resume(t, file, Options{}, func(o *Options) { o.Rate = 0.3 }); sums(tr) != sums(first) || sums(tr) < 100 {
		t.Errorf("%d sums, want %d", sums(tr), sums(first))
	}
	plain := filepath.Join(t.TempDir(), "plain")
	tr = resume(t, file, Options{Games: 101, Checkpoint: plain}, func(o *Options) { o.Coherent, o.Rate = false, 0 })
	if runs(t, tr); sums(tr) != -1 || tr.o.Rate != 0.1 {
		t.Errorf("%d sums, rate %v", sums(tr), tr.o.Rate)
	}
	if tr = resume(t, plain, Options{}, func(o *Options) { o.Coherent, o.Rate = true, 0 }); sums(tr) != 0 || tr.o.Rate != 1 {
		t.Errorf("%d sums, rate %v", sums(tr), tr.o.Rate)
	}
	// Stored boards are kept if they have the restart tile.
	tr = resume(t, file, Options{}, func(o *Options) { o.RestartTile = 64 })
	if had, has := len(gamesIn(first).all()), len(gamesIn(tr).all()); has == 0 || has >= had {
		t.Errorf("%d boards of %d", has, had)
	}
	if tr = resume(t, file, Options{}, func(o *Options) { o.RestartShare = 0 }); len(gamesIn(tr).all()) != 0 || tr.o.RestartTile != 0 {
		t.Errorf("%d boards without restarts", len(gamesIn(tr).all()))
	}
	// A part without games is not in the history.
	none := filepath.Join(t.TempDir(), "none")
	tr = resume(t, file, Options{Games: 100, Checkpoint: none}, func(o *Options) { o.Rate = 0.3 })
	runs(t, tr)
	tr = runs(t, resume(t, none, Options{Games: 110, Checkpoint: none}, func(o *Options) { o.Rate = 0.2 }))
	if h := tr.History(); len(h) != 2 || h[0].Games != 100 || h[1].Games != 10 || !strings.Contains(h[1].Options, "rate=0.2") {
		t.Errorf("history %+v", h)
	}
	_, err := Resume(file, Options{}, func(o *Options) { o.Lambda = 2 })
	must.Contains(t, fmt.Sprint(err), "lambda 2: must be a number from 0 to 1")
}

// A checkpoint is refused if any byte was changed: in the header, the weights, the sums, the stored boards, or the
// padding between them.
func TestChangedCheckpoint(t *testing.T) {
	n := network(t, board.Size{Rows: 2, Cols: 2}, "01 03", ntuple.Stage{}, ntuple.Stage{4})
	file := filepath.Join(t.TempDir(), "run")
	runs(t, trainer(t, Options{Network: n, Seed: 1, Games: 30, Coherent: true, Rate: 1, RestartShare: 0.5, RestartTile: 8, Checkpoint: file}))
	data := must.Get(os.ReadFile(file))(t)
	m := must.Get(ntuple.Load(file))(t)
	names := map[string]bool{}
	for _, e := range m.Extras {
		names[e.Name] = true
	}
	m.Close()
	if !names[sumsName] || !names[poolName] {
		t.Fatalf("sections %v, want all kinds", names)
	}
	resume(t, file, Options{}, nil)
	changed := filepath.Join(t.TempDir(), "changed")
	for at := 0; at < len(data); at += 5 {
		if at > 1024 && at%4096 > 64 && at%4096 < 4000 {
			at += 64
		}
		at = min(at, len(data)-1)
		data[at] ^= 0x10
		must.Do(t, os.WriteFile(changed, data, 0o600))
		data[at] ^= 0x10
		if _, err := Resume(changed, Options{}, nil); !errors.Is(err, ntuple.ErrModel) {
			t.Fatalf("byte %d of %d changed: %v", at, len(data), err)
		}
	}
}
