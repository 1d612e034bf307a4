package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

var key = named(1)

// of are the tables of a network.
func of(n *ntuple.Network) Tables {
	return func() (*quant.Int16Tables, func(), error) { return quant.TablesOf(n), func() {}, nil }
}

func named(b byte) Key { return Key{Name: [32]byte{b}, Content: [32]byte{b}} }

// some returns a network of two stages and several blocks, the same each time.
func some(t testing.TB) *ntuple.Network {
	t.Helper()
	l, err := ntuple.ParseLayout(board.Size{Rows: 4, Cols: 4}, "0123 01245 0145")
	if err != nil {
		t.Fatal(err)
	}
	n, err := ntuple.NewInt16(ntuple.Head{Layout: l}, 0.5)
	if err != nil {
		t.Fatal(err)
	}
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

func never() (*ntuple.Network, error) { return nil, errors.New("nobody should decode") }

// folder is one with the file of some.
func folder(t testing.TB) (f Folder, n *ntuple.Network) {
	t.Helper()
	f, n = Folder(filepath.Join(t.TempDir(), "cache")), some(t)
	if err := f.write(key, of(n)); err != nil {
		t.Fatal(err)
	}
	return f, n
}

func open(t testing.TB, f Folder) *ntuple.Network {
	t.Helper()
	n, err := f.open(key, never)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What was written is opened, by its key alone, and only its owner can read it.
func TestWriteOpen(t *testing.T) {
	f, want := folder(t)
	n := open(t, f)
	if !same(n, want) {
		t.Error("another network comes back")
	}
	n.Close()
	if _, err := f.open(named(9), never); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another key: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]fs.FileMode{string(f): 0o700, f.Path(key): mode} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	if i := f.Info(); i.Folder != string(f) || i.Bytes < 2*int64(want.Layout.Weights()) {
		t.Errorf("%+v", i)
	}
}

// A file of the right size with other bytes anywhere but in a block that is not sampled, or of
// another size, is not opened; then it is rewritten.
func TestDamaged(t *testing.T) {
	f, want := folder(t)
	sound, err := os.ReadFile(f.Path(key))
	if err != nil {
		t.Fatal(err)
	}
	weights := int(weightBytes(&want.Layout))
	change := func(from, to int) func() []byte {
		return func() []byte {
			data := slices.Clone(sound)
			for i := from; i < to; i++ {
				data[i] ^= 0x55
			}
			return data
		}
	}
	cases := map[string]func() []byte{
		"empty":     func() []byte { return nil },
		"all":       change(0, weights),
		"longer":    func() []byte { return append(slices.Clone(sound), 0) },
		"zeros":     func() []byte { return make([]byte, len(sound)) },
		"no blocks": func() []byte { return append(make([]byte, weights), sound[weights:]...) },
	}
	for _, size := range []int{1, footer, 1000, weights, len(sound) - 1} {
		cases[fmt.Sprintf("cut to %d", size)] = func() []byte { return sound[:size] }
	}
	for at := weights; at < len(sound); at += max(1, (len(sound)-weights)/soak.Pick(10, 50)) {
		cases[fmt.Sprintf("changed at %d", at)] = change(at, at+1)
	}
	cases["check"] = change(len(sound)-1, len(sound))
	for name, data := range cases {
		if err := errors.Join(os.Remove(f.Path(key)), os.WriteFile(f.Path(key), data(), 0o600)); err != nil {
			t.Fatal(err)
		}
		if n, err := f.open(key, never); err == nil {
			t.Errorf("%s: opened", name)
			n.Close()
		}
		if err := f.write(key, of(want)); err != nil {
			t.Fatal(err)
		}
		n := open(t, f)
		if !same(n, want) {
			t.Errorf("%s: not written anew", name)
		}
		n.Close()
	}
}

// A file under another's name, or whose header belongs to another key, is not opened.
func TestOtherKey(t *testing.T) {
	f, _ := folder(t)
	if err := os.Rename(f.Path(key), f.Path(named(4))); err != nil {
		t.Fatal(err)
	}
	if _, err := f.open(named(4), never); !errors.Is(err, errUnsound) {
		t.Error(err)
	}
}

// What cannot be written is an error, and leaves nothing.
func TestUnwritable(t *testing.T) {
	place := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(place, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []Folder{Folder(place), Folder(filepath.Join(place, "below"))} {
		if f.write(key, of(some(t))) == nil {
			t.Errorf("%s was written to", f)
		}
		if _, err := f.open(key, never); err == nil {
			t.Errorf("%s was opened", f)
		}
	}
}

// Files that nobody used for 30 days are removed, others are not.
func TestSweep(t *testing.T) {
	f, _ := folder(t)
	make := func(name string, age time.Duration) {
		t.Helper()
		path := filepath.Join(string(f), name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Now(), time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	hash := strings.Repeat("0a", 32)
	make("network-"+hash+"-v1.int16", unused+time.Hour)
	make("network-"+hash+"-v7.int16", unused+time.Hour)
	make(".network-"+hash+"-v1.int16.0123abcd.afterstate", 0)
	kept := []string{"network-" + hash + "-v4.int16", "network-" + hash + ".int16", "notes", filepath.Base(f.Path(key))}
	make(kept[0], unused-time.Hour)
	make(kept[1], 2*unused)
	make(kept[2], 2*unused)
	old := time.Now().Add(-2 * noted)
	if err := os.Chtimes(f.Path(key), old, old); err != nil {
		t.Fatal(err)
	}
	open(t, f).Close() // not noted for a day
	var names []string
	entries, _ := os.ReadDir(string(f))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(kept)
	if !slices.Equal(names, kept) {
		t.Errorf("left: %v, want %v", names, kept)
	}
	if info, err := os.Stat(f.Path(key)); err != nil || time.Since(info.ModTime()) > noted {
		t.Errorf("its use was not noted: %v, %v", info, err)
	}
}

// The file of another version of a source takes the place of the former one.
func TestNewContent(t *testing.T) {
	f, n := folder(t)
	later := Key{key.Name, [32]byte{2}}
	if _, err := f.open(later, never); !errors.Is(err, errUnsound) {
		t.Errorf("other content: %v", err)
	}
	if err := f.write(later, of(n)); err != nil {
		t.Fatal(err)
	}
	got, err := f.open(later, never)
	if err != nil || !same(got, n) {
		t.Fatal(err)
	}
	got.Close()
	if entries, _ := os.ReadDir(string(f)); len(entries) != 1 {
		t.Errorf("left: %v", entries)
	}
}

// Where the files become too large together, those that have not been used longest are removed.
func TestMostBytes(t *testing.T) {
	f := Folder(filepath.Join(t.TempDir(), "cache"))
	if err := os.Mkdir(string(f), 0o700); err != nil {
		t.Fatal(err)
	}
	for age := range 4 { // files with holes, which take no space
		path := f.Path(named(byte(10 + age)))
		used := time.Now().Add(-time.Duration(age) * time.Hour)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, maxBytes/2-1<<20), os.Chtimes(path, used, used)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.write(key, of(some(t))); err != nil {
		t.Fatal(err)
	}
	for age, kept := range []bool{true, false, false, false} {
		if _, err := os.Stat(f.Path(named(byte(10 + age)))); (err == nil) != kept {
			t.Errorf("a file used %d hours ago: %v", age, err)
		}
	}
	open(t, f).Close()
}

// Writers and readers at once: a reader gets the network or an error.
func TestAtOnce(t *testing.T) {
	f, want := Folder(filepath.Join(t.TempDir(), "cache")), some(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				if err := f.write(key, of(want)); err != nil {
					t.Error(err)
				}
				switch n, err := f.open(key, never); {
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
