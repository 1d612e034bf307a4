package solve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Without a table the value of the start, the boards and the afterstates are the same.
func TestStartAlone(t *testing.T) {
	for _, c := range []struct {
		size string
		goal int64
		rule Rule
	}{{"2x2", 0, Random}, {"2x3", 0, Random}, {"3x2", 64, Random}, {"2x3", 0, Adversary}, {"2x3", 128, Friendly}, {"3x3", 32, Random}} {
		p := problem(t, c.size)
		p.Goal, p.Spawn = c.goal, c.rule
		want := solved(t, p)
		got := startAlone(t, Folder(t.TempDir()), p)
		if got.Value != want.Start() || got.Boards != want.Boards() || got.Afterstates != want.Afterstates {
			t.Errorf("%v: %+v, want %v and %d boards", p, got, want.Start(), want.Boards())
		}
		if e, _ := ExtentOf(p.Size); p.Goal == 0 && (got.Boards != e.Boards || got.Afterstates != e.Afterstates) {
			t.Errorf("%v: %+v, want %+v", p, got, e)
		}
	}
}

func startAlone(t *testing.T, f Folder, p Problem) StartValue {
	t.Helper()
	return must.Get(f.SolveStart(t.Context(), p, Options{startOnly: true}))(t)
}

// The value is stored, and only a damaged file makes it be computed again. All other files are removed.
func TestStartIsStored(t *testing.T) {
	f := Folder(filepath.Join(t.TempDir(), "solved"))
	p := problem(t, "2x3")
	want := startAlone(t, f, p)
	again, err := f.SolveStart(t.Context(), problem(t, "3x2"), Options{startOnly: true, Progress: func(Progress) { t.Error("it solves again") }})
	if err != nil || again != want {
		t.Errorf("%+v, %v, want %+v", again, err, want)
	}
	data := must.Get(os.ReadFile(want.Path))(t)
	for at := range data {
		data[at] ^= 0x10
		d, err := readDirectory(&inMemory{data})
		if err == nil && d.Start != want.Value {
			t.Fatalf("byte %d changed: the value is %v", at, d.Start)
		}
		data[at] ^= 0x10
	}
	must.Do(t, os.WriteFile(want.Path, data[:len(data)-1], 0o600))
	if repaired := startAlone(t, f, p); repaired != want {
		t.Errorf("%+v, want %+v", repaired, want)
	}
	if left, err := os.ReadDir(string(f)); err != nil || len(left) != 1 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}

// A computation that was interrupted resumes with the same result.
func TestStartResumes(t *testing.T) {
	p := problem(t, "2x3")
	want := solved(t, p)
	for _, stop := range []int{1, len(want.Layers) - 1, len(want.Layers) + 1, 2*len(want.Layers) - 1} {
		f := Folder(t.TempDir())
		interruptSolve(t, stop, func(ctx context.Context, o Options) error {
			o.startOnly = true
			_, err := f.SolveStart(ctx, p, o)
			return err
		})
		passes := 0
		got, err := f.SolveStart(t.Context(), p, Options{startOnly: true, Progress: func(Progress) { passes++ }})
		if err != nil || got.Value != want.Start() || got.Boards != want.Boards() {
			t.Errorf("stopped after %d layers: %+v, %v, want %v", stop, got, err, want.Start())
		}
		if left := 2*len(want.Layers) - stop; passes > left+1 {
			t.Errorf("stopped after %d layers: %d layers are computed, %d were missing", stop, passes, left)
		}
	}
}

// 2x5 is refused where there is too little memory or disk space, and where a table would be needed.
func TestStartRefused(t *testing.T) {
	f := Folder(filepath.Join(t.TempDir(), "solved"))
	p := problem(t, "5x2")
	var space *SpaceError
	if _, err := f.SolveStart(t.Context(), p, Options{Memory: p.Memory(true) - 1}); !errors.As(err, &space) || space.Folder != "" {
		t.Errorf("memory: %v", err)
	}
	defer func(former func(string) (int64, bool)) { freeDisk = former }(freeDisk)
	freeDisk = func(string) (int64, bool) { return 1 << 30, true }
	if _, err := f.SolveStart(t.Context(), p, Options{}); !errors.As(err, &space) || space.Folder != string(f) {
		t.Errorf("disk: %v", err)
	}
	var none *NoTableError
	if _, err := f.Solve(t.Context(), p, Options{}); !errors.As(err, &none) {
		t.Errorf("a table: %v", err)
	}
	if _, err := Solve(t.Context(), p, Options{}); !errors.As(err, &none) || none.Problem.Size != p.Size {
		t.Errorf("a table in memory: %v", err)
	}
	if _, err := os.Stat(string(f)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there are files: %v", err)
	}
}

// The keys of 2x5 differ from those of smaller sizes. Games that end when the tile sum exceeds a limit
// have few boards, so that a plain program finds them, and the greatest expected score, too.
func TestShortGamesOnTenCells(t *testing.T) {
	const limit = 16
	p := must.Get(problem(t, "5x2").normalStart())(t)
	g := geometryOf(&p)
	r := newReacher(g, &p, 2, 4)
	var layers []layer
	for sum := 4; sum <= limit+4; sum += 2 {
		l, _ := r.next()
		layers = append(layers, l)
	}
	v := newValuer(g, &p)
	boards := int64(0)
	for i := len(layers) - 1; i >= 0; i-- {
		l := layers[i]
		values := make([]float64, len(l.keys))
		if l.sum <= limit {
			boards += l.boards
			var m moves
			for j, key := range l.keys {
				values[j] = v.value(g.board(key, l.sum), &m)
			}
		}
		v.push(l.keys, values)
	}
	plain := shortGames{limit: limit, p4: p.P4, boards: map[board.Board]float64{}}
	want := plain.mean(board.New(p.Size), func(b board.Board) float64 { return plain.mean(b, plain.value) })
	if got := v.start(); residual(got, want) > maxResidual {
		t.Errorf("the expected score is %.15f, want %.15f", got, want)
	}
	images := map[word]bool{}
	for b := range plain.boards {
		images[g.canonical(g.pack(&b))] = true
	}
	if boards != int64(len(images)) {
		t.Errorf("%d boards, want %d", boards, len(images))
	}
}

// shortGames computes values of games that end when the tile sum exceeds a limit.
type shortGames struct {
	limit  int64
	p4     float64
	boards map[board.Board]float64 // on which the player is to move
}

func (c *shortGames) value(b board.Board) float64 {
	if v, ok := c.boards[b]; ok {
		return v
	}
	best := 0.0
	for _, d := range board.Directions {
		if after, reward, moved := b.Slide(d); moved {
			best = max(best, float64(reward)+c.mean(after, c.value))
		}
	}
	if b.Sum() <= c.limit {
		c.boards[b] = best
	}
	return best
}

// mean returns the mean over all spawns, 0 after the end of a game.
func (c *shortGames) mean(b board.Board, value func(board.Board) float64) float64 {
	if b.Sum() > c.limit {
		return 0
	}
	return mean(b, c.p4, value)
}
