package champion

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"afterstate/bitboard"
	"afterstate/ntuple"
)

// What is embedded can be decoded, is small, and says how it was made and how it plays.
func TestEmbedded(t *testing.T) {
	if !Embedded() {
		if _, err := Network(); !errors.Is(err, ErrNone) {
			t.Fatal(err)
		}
		return
	}
	for _, name := range parts(embedded) {
		info, err := fs.Stat(embedded, name)
		if err != nil || info.Size() > ntuple.PartSize {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	file, err := File()
	if err != nil || len(file) > 32_000_000 {
		t.Fatalf("%d bytes, %v", len(file), err)
	}
	m, err := Model()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Size != bitboard.Size || len(m.Info.History) == 0 || m.Info.Measured == nil || len(m.Info.State) > 0 {
		t.Errorf("%+v", m.Info)
	}
	n, err := Network()
	if err != nil {
		t.Fatal(err)
	}
	b := bitboard.Board(0x0000_0012_0123_6543)
	if v, w := n.Value(b), m.Value(b); v < 1000 || v < 0.99*w || v > 1.01*w {
		t.Errorf("worth %v, in full %v", v, w)
	}
}

// A small network takes the same way, in several parts and in none.
func TestLoad(t *testing.T) {
	l, err := ntuple.Named(bitboard.Size, "2x4")
	if err != nil {
		t.Fatal(err)
	}
	n, err := ntuple.New(l)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	for i, w := 0, n.Weights(0); i < len(w); i++ {
		w[i] = float32(i%977) / 3
	}
	file, _, err := ntuple.Quantize(n, ntuple.Info{}, 16)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"parts/README.md": {Data: []byte("x")}}
	for i, p := range ntuple.Split(file) {
		files[fmt.Sprintf("parts/x.part%dof1", i+1)] = &fstest.MapFile{Data: p}
	}
	got, err := load(files)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if v, w := got.Value(0x1234), n.Value(0x1234); v < 0.99*w || v > 1.01*w {
		t.Errorf("%v, want %v", v, w)
	}
	if _, err := load(fstest.MapFS{"parts/README.md": {}}); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if _, err := load(fstest.MapFS{"parts/x.part1of1": {Data: []byte("nothing")}}); err == nil {
		t.Error("what is no part is decoded")
	}
}
