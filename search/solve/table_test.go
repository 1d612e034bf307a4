package solve

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// A damaged table returns correct values or an error.
func TestDamagedTable(t *testing.T) {
	p := problem(t, "2x2")
	want := solved(t, p)
	boards, _ := reached(p.Size)
	for at := 0; at < len(raw(t, want)); at += soak.Count(5, 1) {
		data := bytes.Clone(raw(t, want))
		data[at] ^= 0x10
		got, err := newTable(&inMemory{data}, p.width())
		if err != nil {
			continue
		}
		for b := range boards {
			v, err := got.Value(&b)
			exact, _ := want.Value(&b)
			if err == nil && v != exact {
				t.Fatalf("byte %d changed: %v has the value %v, want %v or an error", at, b, v, exact)
			}
		}
	}
	for size := 0; size < len(raw(t, want)); size += soak.Count(5, 1) {
		if _, err := newTable(&inMemory{raw(t, want)[:size]}, p.width()); err == nil {
			t.Errorf("a table cut to %d bytes is read", size)
		}
	}
}

// A table whose file is changed in place or truncated while it is open returns correct values or an error,
// whether or not it keeps layers in memory.
func TestChangedWhileOpen(t *testing.T) {
	p := problem(t, "2x3")
	want := solved(t, p)
	changed := bytes.Clone(raw(t, want))
	for _, layer := range want.Layers {
		r := must.Get(readHeader(want.m, layer[1]))(t)
		for i := range r.length {
			changed[r.at+i] ^= 0x10
		}
	}
	all, _ := reached(p.Size)
	boards := slices.Collect(maps.Keys(all))[:1000]
	for _, keep := range []bool{true, false} {
		for change, damage := range map[string]func(path string) error{
			"cut off":      func(path string) error { return os.Truncate(path, 1) },
			"written over": func(path string) error { return os.WriteFile(path, changed, 0o600) },
		} {
			f := Folder(t.TempDir())
			made := must.Get(f.Solve(t.Context(), p, Options{}))(t)
			made.Close()
			table := must.Get(f.Open(p))(t)
			table.keep = keep
			ask := func() (right, damaged int) {
				for _, b := range boards {
					v, err := table.Value(&b)
					exact, _ := want.Value(&b)
					var d *DamagedError
					switch {
					case err == nil && v == exact:
						right++
					case errors.As(err, &d):
						damaged++
					default:
						t.Fatalf("%s: %v has the value %v, %v, want %v or a *DamagedError", change, b, v, err, exact)
					}
				}
				return right, damaged
			}
			if _, damaged := ask(); damaged != 0 {
				t.Fatalf("%d boards are damaged before anything changed", damaged)
			}
			must.Do(t, damage(f.Path(p)))
			if right, damaged := ask(); keep && damaged != 0 || !keep && damaged < right {
				t.Errorf("%s, keep %v: %d boards are right and %d damaged", change, keep, right, damaged)
			}
			table.Close()
		}
	}
}
