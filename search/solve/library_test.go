package solve

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A library that solves many problems in memory keeps only the tables used last.
func TestLibraryForgets(t *testing.T) {
	var l Library
	p := problem(t, "2x2")
	first := must.Get(l.Table(context.Background(), p))(t)
	for i := range 100 {
		p.P4 = float64(i) / 200
		table := must.Get(l.Table(context.Background(), p))(t)
		if again, err := l.Table(context.Background(), p); err != nil || again != table {
			t.Fatalf("p4 %v is solved twice: %v", p.P4, err)
		}
		if kept, err := l.Table(context.Background(), first.Problem); err != nil || kept != first {
			t.Fatalf("after p4 %v, a table in use is solved again: %v", p.P4, err)
		}
		if n := len(l.recent) + len(l.tables); n > maxRecent {
			t.Fatalf("%d tables are kept", n)
		}
	}
}

// A table in memory has little more than its data.
func TestTableIsClipped(t *testing.T) {
	for _, size := range []string{"2x2", "2x3"} {
		if data := raw(t, solved(t, problem(t, size))); cap(data) > 2*len(data) {
			t.Errorf("%s: %d bytes are held for %d", size, cap(data), len(data))
		}
	}
}

// After a repair a library that has the damaged table open uses the new one.
func TestLibrarySeesRepair(t *testing.T) {
	f := Folder(t.TempDir())
	p := problem(t, "2x4")
	p.Goal = 16 // a small table
	l := Library{Folder: f}
	must.Do(t, l.Solve(t.Context(), p, Options{}))
	data := must.Get(os.ReadFile(f.Path(p)))(t)
	data[len(data)/2] ^= 1
	must.Do(t, os.WriteFile(f.Path(p), data, 0o600))
	damaged, err := l.Table(t.Context(), p)
	if err != nil || damaged.check() == nil {
		t.Fatalf("the damage is not found: %v", err)
	}
	must.Do(t, l.Solve(t.Context(), p, Options{}))
	repaired, err := l.Table(t.Context(), p)
	if err != nil || repaired == damaged || repaired.check() != nil {
		t.Errorf("the damaged table is still used: %v", err)
	}
	if again, err := l.Table(t.Context(), p); err != nil || again != repaired {
		t.Errorf("it is opened twice: %v", err)
	}
	must.Do(t, os.Remove(f.Path(p)))
	if kept, err := l.Table(t.Context(), p); err != nil || kept != repaired {
		t.Errorf("a table in use has gone: %v", err)
	}
}

// If two processes solve the same problem, one makes the table, and the other waits for it or fails.
func TestOneSolves(t *testing.T) {
	f := Folder(t.TempDir())
	p := problem(t, "2x3")
	first, second := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		begun := false
		table, err := f.Solve(t.Context(), p, Options{Progress: func(Progress) {
			if !begun {
				begun = true
				close(first)
				<-second
			}
		}})
		if err == nil {
			table.Close()
		}
		ended <- err
	}()
	<-first
	if _, err := f.Solve(t.Context(), p, Options{}); !errors.Is(err, ErrBusy) {
		t.Errorf("while another one solves it: %v", err)
	}
	table, err := f.Solve(t.Context(), p, Options{
		Busy:     func() { close(second) },
		Progress: func(Progress) { t.Error("it solves too") },
	})
	must.Do(t, err)
	table.Close()
	must.Do(t, <-ended)
}
