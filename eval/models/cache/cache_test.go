package cache

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

var key = named(1)

func named(b byte) Key { return Key{Name: [32]byte{b}, Content: [32]byte{b}} }

// some returns a network of two stages and several blocks, the same each time.
func some(t testing.TB) *ntuple.Network {
	t.Helper()
	l := must.Get(ntuple.ParseLayout(board.Size{Rows: 4, Cols: 4}, "0123 01245 0145"))(t)
	n := must.Get(ntuple.NewInt16(ntuple.Head{Layout: l}, 0.5))(t)
	t.Cleanup(n.Close)
	n.Bias, n.Downgrade = 7, 14
	fill(n, 0)
	return n
}

// fill sets all weights of a stage.
func fill(n *ntuple.Network, stage int) {
	begins, _ := n.Begins()
	for p, begin := range begins {
		table := n.Int16Table(stage, p)
		for i := range table {
			at := begin + i
			table[i] = int16(at*7919 + at>>16 + stage)
		}
	}
}

func same(a, b *ntuple.Network) bool {
	if a.Bias != b.Bias || a.Downgrade != b.Downgrade || a.StageCount() != b.StageCount() || a.Value(0x123) != b.Value(0x123) {
		return false
	}
	for stage := range a.StageCount() {
		for p := range a.Patterns {
			if !slices.Equal(a.Int16Table(stage, p), b.Int16Table(stage, p)) {
				return false
			}
		}
	}
	return a.Int16Scale() == b.Int16Scale()
}

// folder returns a cache with the file of the network some.
func folder(t testing.TB) (f Folder, n *ntuple.Network) {
	t.Helper()
	f, n = Folder(filepath.Join(t.TempDir(), "cache")), some(t)
	must.Do(t, f.write(key, n))
	return f, n
}

func open(t testing.TB, f Folder) *ntuple.Network {
	t.Helper()
	return must.Get(f.open(key))(t)
}

// A written file can be opened by its key alone, and only its owner can read it.
func TestWriteOpen(t *testing.T) {
	f, want := folder(t)
	n := open(t, f)
	if !same(n, want) {
		t.Error("another network comes back")
	}
	n.Close()
	if _, err := f.open(named(9)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another key: %v", err)
	}
	for path, want := range map[string]fs.FileMode{string(f): 0o700, f.Path(key): 0o400} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	if i := f.Info(); i.Folder != string(f) || i.Bytes < 2*int64(want.Layout.Weights()) {
		t.Errorf("%+v", i)
	}
}

// A file with another header or of another size is not opened; then it is rewritten.
func TestDamaged(t *testing.T) {
	f, want := folder(t)
	sound := must.Get(os.ReadFile(f.Path(key)))(t)
	cases := map[string][]byte{
		"longer": append(slices.Clone(sound), 0),
		"zeros":  make([]byte, len(sound)),
	}
	for _, size := range []int{0, 1, 15, 1000, len(sound) / 2, len(sound) - 1} {
		cases[fmt.Sprintf("cut to %d", size)] = sound[:size]
	}
	front := len(bytes.TrimRight(sound[:alignment], "\x00"))
	for at := 0; at < front; at += soak.Pick(max(1, front/10), 1) {
		cases[fmt.Sprintf("changed at %d", at)] = changed(sound, at)
	}
	for name, data := range cases {
		must.Do(t, errors.Join(os.Remove(f.Path(key)), os.WriteFile(f.Path(key), data, 0o600)))
		if n, err := f.open(key); err == nil {
			t.Errorf("%s: opened", name)
			n.Close()
		}
		must.Do(t, f.write(key, want))
		n := open(t, f)
		if !same(n, want) {
			t.Errorf("%s: not written anew", name)
		}
		n.Close()
	}
}

// changed returns data with another byte.
func changed(data []byte, at int) []byte {
	data = slices.Clone(data)
	data[at] ^= 0x55
	return data
}

// A new version of a source replaces the file of the previous version.
func TestNewContent(t *testing.T) {
	f, n := folder(t)
	later := Key{key.Name, [32]byte{2}}
	if _, err := f.open(later); !errors.Is(err, errUnsound) {
		t.Errorf("other content: %v", err)
	}
	must.Do(t, f.write(later, n))
	got, err := f.open(later)
	if err != nil || !same(got, n) {
		t.Fatal(err)
	}
	got.Close()
	if entries, _ := os.ReadDir(string(f)); len(entries) != 1 {
		t.Errorf("left: %v", entries)
	}
}

// If the files become too large in total, the files of every format version are removed, and nothing else.
func TestMostBytes(t *testing.T) {
	f := Folder(filepath.Join(t.TempDir(), "cache"))
	must.Do(t, os.Mkdir(string(f), 0o700))
	make := func(name string, size int64) {
		t.Helper()
		path := filepath.Join(string(f), name)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, size)); err != nil { // a hole takes no space
			t.Fatal(err)
		}
	}
	names := func() (names []string) {
		entries, _ := os.ReadDir(string(f))
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	hash, file := strings.Repeat("0a", 32), filepath.Base(f.Path(key))
	kept := []string{"network-" + hash + ".int16", "notes"}
	make(kept[0], 1<<30)
	make(kept[1], 1<<30)
	make("network-"+hash+"-v1.int16", maxBytes-1<<30)
	write := func(want []string) {
		t.Helper()
		must.Do(t, f.write(key, some(t)))
		slices.Sort(want)
		if got := names(); !slices.Equal(got, want) {
			t.Errorf("there is %v, want %v", got, want)
		}
	}
	write(append([]string{"network-" + hash + "-v1.int16", file}, kept...))
	make("network-"+hash+"-v7.int16", 1<<30)
	write(append([]string{file}, kept...))
	open(t, f).Close()
}

// Writers and readers at once: a reader gets the network or an error.
func TestAtOnce(t *testing.T) {
	f, want := Folder(filepath.Join(t.TempDir(), "cache")), some(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				if err := f.write(key, want); err != nil {
					t.Error(err)
				}
				switch n, err := f.open(key); {
				case err == nil:
					if !same(n, want) {
						t.Error("another network")
					}
					n.Close()
				case !errors.Is(err, fs.ErrNotExist): // another one may have removed it
					t.Error(err)
				}
				_ = os.Remove(f.Path(key))
			}
		})
	}
	all.Wait()
}
