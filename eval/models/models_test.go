package models

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// tiny returns a network in which one weight is points and the others are 0.
func tiny(t *testing.T, points float32) *ntuple.Network {
	t.Helper()
	l := must.Get(ntuple.ParseLayout(board.Size{Rows: 2, Cols: 2}, "01 012"))(t)
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	n.Table(0, 0)[0] = points
	return n
}

var info = ntuple.Info{Measured: &ntuple.Measured{Player: "x", Games: 7}}

// raw and quantized write a network's file.
func raw(t *testing.T, path string, n *ntuple.Network) {
	t.Helper()
	must.Do(t, ntuple.Save(path, n, info))
}

func quantized(t *testing.T, path string, n *ntuple.Network) []byte {
	t.Helper()
	file, _, err := quant.Quantize(n, info, quant.Options{Bits: 12})
	must.Do(t, err)
	write(t, path, file)
	return file
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, data, 0o600))
}

// Files of both forms open alike, and players read the same from both.
func TestOpen(t *testing.T) {
	folder := t.TempDir()
	n := tiny(t, 5)
	want := n.Value(0)
	raw(t, filepath.Join(folder, "raw"), n)
	quantized(t, filepath.Join(folder, "quantized"), n)
	for name, bits := range map[string]int{"raw": 0, "quantized": 12} {
		m := must.Get(Open(filepath.Join(folder, name)))(t)
		if v := m.Value(0); v != want || m.Bits != bits || (m.Loss.Kept == 1) != (bits > 0) || m.Info.Measured.Games != 7 {
			t.Errorf("%s: value %v, want %v; %+v", name, v, want, m)
		}
		m.Close()
		short := must.Get(OpenInt16(filepath.Join(folder, name)))(t)
		must.Equal(t, short.Value(0), want, name, "value")
		short.Close()
	}
}

// Errors about a file are one line that begins with its path.
func TestOpenBad(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	sound := quantized(t, at("sound"), tiny(t, 5))
	write(t, at("cut"), sound[:len(sound)-1])
	write(t, at("foreign"), []byte("eggs"))
	write(t, at("empty"), nil)
	for name, want := range map[string]string{
		"missing": " cannot be read: ",
		".":       " is a folder: must be a file",
		"cut":     ": not a valid model file: truncated",
		"foreign": ": not a valid model file: ",
		"empty":   ": not a valid model file: ",
	} {
		_, err := Open(at(name))
		if err == nil || !strings.HasPrefix(err.Error(), at(name)+want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
		if _, again := OpenInt16(at(name)); again == nil || again.Error() != err.Error() {
			t.Errorf("%s: %v", name, again)
		}
	}
}

// "champion" is the embedded network, unless there is a file of that name. Decoding it takes a while, so
// that is tested only in builds without it; the tests of package champion decode it.
func TestOpenChampion(t *testing.T) {
	t.Chdir(t.TempDir())
	if !champion.Main().Embedded() {
		if _, err := Open(Champion); !errors.Is(err, champion.ErrNone) {
			t.Error(err)
		}
	}
	raw(t, Champion, tiny(t, 5))
	m := must.Get(Open(Champion))(t)
	defer m.Close()
	must.Equal(t, m.Size, (board.Size{Rows: 2, Cols: 2}), "size")
}
