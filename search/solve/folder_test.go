package solve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
)

// childEnv makes the test binary a process that solves, for tests that kill it.
const childEnv = "AFTERSTATE_TEST_SOLVE"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childEnv); folder != "" {
		solveInChild(Folder(folder), os.Args[1])
		return
	}
	os.Exit(testenv.Run(m.Run))
}

// solveInChild prints a line for each layer that is finished, and reads a byte before the next one.
func solveInChild(f Folder, size string) {
	s, err := board.ParseSize(size)
	if err == nil {
		_, err = f.Solve(context.Background(), Problem{Size: s, P4: 0.1}, Options{Progress: func(Progress) {
			fmt.Println("layer")
			_, _ = os.Stdin.Read(make([]byte, 1))
		}})
	}
	if err != nil {
		fmt.Println(err)
	}
}

const toTheEnd = 1 << 30

// killed runs a process that solves, and kills it after a number of layers. It returns whether the
// process ended by itself before.
func killed(t *testing.T, f Folder, size string, layers int) (ended bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], size)
	cmd.Env = append(os.Environ(), childEnv+"="+string(f))
	out := must.Get(cmd.StdoutPipe())(t)
	in := must.Get(cmd.StdinPipe())(t)
	must.Do(t, cmd.Start())
	if layers == toTheEnd {
		must.Do(t, in.Close())
	} else { // in the soak run the process is killed while it works
		_ = must.Get(in.Write(make([]byte, layers-1+soak.Count(0, 5))))(t)
	}
	n := 0
	for lines := bufio.NewScanner(out); n < layers && lines.Scan(); n++ {
		must.Equal(t, lines.Text(), "layer", "line")
	}
	if ended = n < layers; !ended {
		_ = cmd.Process.Kill()
	}
	if err := cmd.Wait(); (err == nil) != ended {
		t.Fatalf("%d layers, then %v", n, err)
	}
	return ended
}

// A process that is killed leaves no table; the next process makes the same table as one that was never killed.
func TestKilled(t *testing.T) {
	soak.Full(t, "it kills processes that solve 2x4; TestInterrupted interrupts smaller ones in this process")
	size, kills := "2x4", soak.Count(4, 20)
	p := problem(t, size)
	want := solved(t, p)
	f := Folder(t.TempDir())
	draw := rand.New(rand.NewPCG(uint64(kills), 1))
	for i := range kills {
		if killed(t, f, size, 1+draw.IntN(2*len(want.Layers)-8)) || f.Has(p) {
			t.Fatalf("it ended before kill %d", i)
		}
	}
	if !killed(t, f, size, toTheEnd) {
		t.Fatal("it does not end")
	}
	sameTable(t, f, p, want)
}

// sameTable requires that a folder has the table of p, and nothing else.
func sameTable(t *testing.T, f Folder, p Problem, want *Table) {
	t.Helper()
	if got := must.Get(os.ReadFile(f.Path(p)))(t); !bytes.Equal(got, raw(t, want)) {
		t.Error("another table than that of an undisturbed process")
	}
	if left, err := os.ReadDir(string(f)); err != nil || len(left) != 1 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}

// A table is opened by its problem alone, also for the turned size, and Solve does not repeat it.
func TestFolder(t *testing.T) {
	f := Folder(filepath.Join(t.TempDir(), "solved"))
	p := problem(t, "2x3")
	if _, err := f.Open(p); !errors.Is(err, fs.ErrNotExist) || f.Has(p) {
		t.Errorf("an empty folder: %v", err)
	}
	table := must.Get(f.Solve(context.Background(), p, Options{}))(t)
	defer table.Close()
	again, err := f.Solve(context.Background(), problem(t, "3x2"), Options{Progress: func(Progress) { t.Error("it solves again") }})
	if err != nil || !f.Has(p) {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Start != table.Start || !bytes.Equal(raw(t, again), raw(t, solved(t, p))) {
		t.Error("the file has another table than memory")
	}
	p.P4 = 0.2
	if _, err := f.Open(p); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another problem: %v", err)
	}
}

// A solve that is interrupted leaves nothing, and one that was killed a file that the next one overwrites.
func TestInterrupted(t *testing.T) {
	for _, p := range []Problem{problem(t, "2x3"), {Walls: "####/####/##..", Goal: 16, P4: 0.1, Free: true}} {
		want := solved(t, p)
		layers, f := 2*len(want.Layers), Folder(t.TempDir())
		for _, stop := range []int{1, layers / 2, layers/2 + 1, layers - 1} {
			left := stop
			ctx, cancel := context.WithCancel(context.Background())
			_, err := f.Solve(ctx, p, Options{Threads: 1, Progress: func(Progress) {
				if left--; left == 0 {
					cancel()
				}
			}})
			if cancel(); !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped at %d: %v", stop, err)
			}
			if files := must.Get(os.ReadDir(string(f)))(t); len(files) > 0 {
				t.Errorf("stopped at %d: %v are left", stop, files)
			}
		}
		must.Do(t, os.WriteFile(f.path(&want.Problem, ".partial"), bytes.Repeat(raw(t, want), 2), 0o600))
		table := must.Get(f.Solve(context.Background(), p, Options{}))(t)
		table.Close()
		sameTable(t, f, p, want)
	}
}

// A problem that does not fit into memory or onto the disk is refused before anything is written.
func TestNoSpace(t *testing.T) {
	f := Folder(filepath.Join(t.TempDir(), "solved"))
	p := problem(t, "2x4")
	var space *memory.Error
	defer func(former func(string) (int64, bool)) { freeDisk = former }(freeDisk)
	freeDisk = func(string) (int64, bool) { return 1 << 20, true }
	if _, err := f.Solve(context.Background(), p, Options{}); !errors.As(err, &space) || space.Folder != string(f) {
		t.Errorf("disk: %v", err)
	}
	if f.Has(p) {
		t.Error("there is a table")
	}
}

// Stored values of five bytes have a relative error of at most 2^-34.
func TestShortValues(t *testing.T) {
	draw := rand.New(rand.NewPCG(7, 8))
	values := []float64{0, 1, 5468.49, 16352, 1.0 / 3, 1e-30, 0x1p-110, 131071.99}
	for range 10000 {
		values = append(values, draw.Float64()*16000, draw.Float64()*draw.Float64()*1e-12)
	}
	payload := encodeValues(values, 5)
	for i, v := range values {
		if got := valueAt(payload, i, 5); residual(got, v) > 0x1p-34 {
			t.Errorf("%v is stored as %v", v, got)
		}
	}
	must.Equal(t, valueAt(encodeValues([]float64{1e-40}, 5), 0, 5), 0, "1e-40 as stored")
	for i := range 1000 { // chances of endings
		v := float64(i) / 999
		if got := valueAt(encodeValues([]float64{v}, 3), 0, 3); math.Abs(got-v) > 3e-8 || (got == 0 || got == 1) != (v == 0 || v == 1) {
			t.Errorf("the chance %v is stored as %v", v, got)
		}
	}
}

// Solve rebuilds a damaged table, wherever the damage is; the errors of other methods name the file and the command.
func TestDamagedIsRepaired(t *testing.T) {
	p := problem(t, "2x3")
	want := solved(t, p)
	layer := len(want.Layers) / 2
	for name, at := range map[string]int64{
		"keys": want.Layers[layer][0] + headerSize + 3, "values": want.Layers[layer][1] + headerSize + 3,
		"header": want.Layers[0][1] + 8, "directory": int64(len(raw(t, want))) - trailerSize - 3, "end": int64(len(raw(t, want))) - 1,
	} {
		f := Folder(t.TempDir())
		damaged := bytes.Clone(raw(t, want))
		damaged[at] ^= 0x10
		must.Do(t, os.WriteFile(f.Path(p), damaged, 0o600))
		message := f.Path(p) + " is damaged: to rebuild it, use afterstate solve 2x3"
		table, err := f.Open(p)
		if err == nil {
			err = table.check()
			table.Close()
		}
		must.Equal(t, fmt.Sprint(err), message, name)
		if table, err = f.Solve(context.Background(), p, Options{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(raw(t, table), raw(t, want)) {
			t.Errorf("%s: it is not repaired", name)
		}
		table.Close()
	}
}
