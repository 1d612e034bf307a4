package champion

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
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

// What is embedded can be decoded, is small, and says how it was made and how it plays.
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
		if err != nil || info.Size() > quant.PartSize {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	file, err := Main().File()
	if err != nil || len(file) > MaxSize {
		t.Fatalf("%d bytes, %v", len(file), err)
	}
	if s, err := Main().Info(); err != nil || s.Name == "" || s.Info.Measured == nil || len(s.Info.History) == 0 {
		t.Errorf("it says %+v; %v", s, err)
	}
	soak.Full(t, "decodes the network; TestLoad does so with a small one, and package player/catalog plays this one")
	n, err := decoded()
	if err != nil {
		t.Fatal(err)
	}
	if v := n.Value(known); v < 1000 {
		t.Errorf("value %v", v)
	}
}

const known = bitboard.Board(0x0000_0012_0123_6543)

// The network in full is what it says it is, and what players use values boards alike.
func TestEmbeddedInFull(t *testing.T) {
	if !Main().Embedded() {
		return
	}
	soak.Full(t, "decodes the network a second time, in full; TestLoad does so with a small one")
	file, err := Main().File()
	if err != nil {
		t.Fatal(err)
	}
	m, err := quant.Dequantize(file)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s, err := Main().Info()
	if m.Size != bitboard.Size || len(s.History) == 0 || s.Measured == nil || len(s.State) > 0 {
		t.Errorf("%+v", s)
	}
	if err != nil || s.Checksum != m.Checksum() || s.Name != m.Name {
		t.Errorf("it says %+v, checksum %08x; %v", s, m.Checksum(), err)
	}
	n, err := decoded()
	if err != nil {
		t.Fatal(err)
	}
	if v, w := n.Value(known), m.Value(known); v < 0.99*w || v > 1.01*w {
		t.Errorf("value %v, in full %v", v, w)
	}
}

// small is a network, and it in two parts.
func small(t *testing.T) (*ntuple.Network, fstest.MapFS) {
	t.Helper()
	l, err := ntuple.Named(bitboard.Size, "2x4")
	if err != nil {
		t.Fatal(err)
	}
	n, err := ntuple.New(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	for p := range n.Patterns {
		for i, w := 0, n.Table(0, p); i < len(w); i++ {
			w[i] = float32(i % 977 * 32)
		}
	}
	n.Table(0, 0)[7] = 32767 // so that numbers are points
	file, _, err := quant.Quantize(n, ntuple.Info{}, quant.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return n, fstest.MapFS{
		"parts/README.md":  {Data: []byte("x")},
		"parts/a.part2of2": {Data: part(1, file[2000:], file)},
		"parts/a.part1of2": {Data: part(0, file[:2000], file)},
	}
}

// part is one of two parts of a file, cut where Split would not.
func part(number uint32, body, file []byte) []byte {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	b := binary.LittleEndian.AppendUint32([]byte("AFTERNP1"), number)
	b = binary.LittleEndian.AppendUint32(b, 2)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(file)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(file, castagnoli))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(body, castagnoli))
	return append(b, body...)
}

// A small network takes the same way.
func TestLoad(t *testing.T) {
	n, files := small(t)
	network := find(files, "parts/*.part*")
	got, err := load(network)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if v, w := got.Value(0x1234), n.Value(0x1234); v < 0.99*w || v > 1.01*w {
		t.Errorf("%v, want %v", v, w)
	}
	if s, err := network.Info(); err != nil || s.Checksum != n.Checksum() || s.Name != "2x4" {
		t.Errorf("%+v, %v, want the checksum %08x", s, err, n.Checksum())
	}
}

// Each kind of damage has an error of its own.
func TestBroken(t *testing.T) {
	_, sound := small(t)
	with := func(name string, data []byte) fstest.MapFS {
		files := maps.Clone(sound)
		delete(files, name)
		if data != nil {
			files[name] = &fstest.MapFile{Data: data}
		}
		return files
	}
	const first, second = "parts/a.part1of2", "parts/a.part2of2"
	corrupt := bytes.Clone(sound[second].Data)
	corrupt[500] ^= 1
	for name, c := range map[string]struct {
		files        fs.FS
		network, sum string // what is wrong
	}{
		"none":           {fstest.MapFS{"parts/README.md": {}}, "no embedded network", "no embedded network"},
		"no first part":  {with(first, nil), "1 parts given of a file of 2", "it is not the first part"},
		"no second part": {with(second, nil), "1 parts given of a file of 2", ""},
		"corrupt":        {with(second, corrupt), "corrupt", ""},
		"another file":   {with(first, part(0, make([]byte, 100), corrupt)), "another file", "does not begin"},
		"no part":        {with(first, []byte("nothing")), "does not begin as a part", "does not begin"},
	} {
		network := find(c.files, "parts/*.part*")
		if _, err := load(network); err == nil || !strings.Contains(err.Error(), c.network) {
			t.Errorf("%s: %v, want %q", name, err, c.network)
		}
		if _, err := network.Info(); (err == nil) != (c.sum == "") || err != nil && !strings.Contains(err.Error(), c.sum) {
			t.Errorf("%s: summary: %v, want %q", name, err, c.sum)
		}
	}
}
