package champion

import (
	"errors"
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// decoded is the embedded network, once for all tests.
var decoded = sync.OnceValues(func() (*ntuple.Network, error) { return load(Main()) })

func load(n Network) (*ntuple.Network, error) {
	file, err := n.File()
	if err != nil {
		return nil, err
	}
	return quant.DequantizeInt16(file)
}

// The embedded network can be decoded, is small, and has its training history and measurements.
func TestEmbedded(t *testing.T) {
	if !Main().Embedded() {
		if _, err := decoded(); !errors.Is(err, ErrNone) {
			t.Fatal(err)
		}
		if _, err := Main().Info(); !errors.Is(err, ErrNone) {
			t.Fatal(err)
		}
		return
	}
	for _, name := range Main().names {
		info, err := fs.Stat(embedded, name)
		if err != nil || info.Size() > 15<<20 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	file, err := Main().File()
	if err != nil || len(file) > 32_000_000 {
		t.Fatalf("%d bytes, %v", len(file), err)
	}
	if s, err := Main().Info(); err != nil || s.Name == "" || s.Info.Measured == nil || len(s.Info.History) == 0 {
		t.Errorf("it says %+v; %v", s, err)
	}
	soak.Full(t, "decodes the network; TestLoad does so with a small one, and package player/catalog plays this one")
	n := must.Get(decoded())(t)
	if v := n.Value(known); v < 1000 {
		t.Errorf("value %v", v)
	}
}

const known = bitboard.Board(0x0000_0012_0123_6543)

// The decoded network has the checksum in its header, and the form for players gives boards the same values.
func TestEmbeddedInFull(t *testing.T) {
	if !Main().Embedded() {
		return
	}
	soak.Full(t, "decodes the network a second time, in full; TestLoad does so with a small one")
	file := must.Get(Main().File())(t)
	m := must.Get(quant.Dequantize(file))(t)
	defer m.Close()
	s, err := Main().Info()
	if m.Size != bitboard.Size || len(s.History) == 0 || s.Measured == nil || len(s.State) > 0 {
		t.Errorf("%+v", s)
	}
	if err != nil || s.Checksum != m.Checksum() || s.Name != m.Name {
		t.Errorf("it says %+v, checksum %08x; %v", s, m.Checksum(), err)
	}
	n := must.Get(decoded())(t)
	if v, w := n.Value(known), m.Value(known); v < 0.99*w || v > 1.01*w {
		t.Errorf("value %v, in full %v", v, w)
	}
}

// small is a network, and its file.
func small(t *testing.T) (*ntuple.Network, fstest.MapFS) {
	t.Helper()
	l := must.Get(ntuple.Named(bitboard.Size, "2x4"))(t)
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	for p := range n.Patterns {
		for i, w := 0, n.Table(0, p); i < len(w); i++ {
			w[i] = float32(i % 977 * 32)
		}
	}
	n.Table(0, 0)[7] = 32767 // so that numbers are points
	file, _, err := quant.Quantize(n, ntuple.Info{}, quant.Options{})
	must.Do(t, err)
	half := len(file) / 2
	return n, fstest.MapFS{"parts/README.md": {Data: []byte("x")}, "parts/a.part1": {Data: file[:half]},
		"parts/a.part2": {Data: file[half:]}}
}

// The same holds for a small network in two parts. Without its second part it is refused.
func TestLoad(t *testing.T) {
	n, files := small(t)
	network := find(files, "parts/*.part*")
	got := must.Get(load(network))(t)
	defer got.Close()
	if v, w := got.Value(0x1234), n.Value(0x1234); v < 0.99*w || v > 1.01*w {
		t.Errorf("%v, want %v", v, w)
	}
	if s, err := network.Info(); err != nil || s.Checksum != n.Checksum() || s.Name != "2x4" {
		t.Errorf("%+v, %v, want the checksum %08x", s, err, n.Checksum())
	}
	delete(files, "parts/a.part2")
	if _, err := load(find(files, "parts/*.part*")); err == nil {
		t.Error("half a file was accepted")
	}
}
