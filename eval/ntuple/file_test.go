package ntuple

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple/hostiletest"
	"github.com/afterstate2048/afterstate/internal/must"
)

var info = Info{
	History:  []Training{{Games: 5, Moves: 700, Options: "rate=0.1"}},
	Measured: &Measured{Player: "ntuple", Games: 3, Mean: 2000, CI95: [2]float64{1000, 3000}},
	State:    json.RawMessage(`{"here":1}`),
}

// saved is a file with a small network, and the network.
func saved(t testing.TB, stages ...Stage) (path string, n *Network) {
	t.Helper()
	n = knowing(t, "2x4", stages...)
	n.Bias = 3
	path = filepath.Join(t.TempDir(), "model")
	must.Do(t, Save(path, n, info, ExtraSection{"more", 2, [][]uint64{{1, 2, 3}}}))
	return path, n
}

func sameWeights(a, b *Network) bool {
	return a.Equal(&b.Layout) && a.Bias == b.Bias && sameTables(&a.weights, &b.weights)
}

func sameTables[W word](a, b *Store[W]) bool {
	return slices.EqualFunc(a.Tables, b.Tables, func(a, b [][]W) bool { return slices.EqualFunc(a, b, slices.Equal[[]W]) })
}

func TestFile(t *testing.T) {
	path, n := saved(t, Stage{}, Stage{11, 10})
	m := must.Get(Load(path))(t)
	defer m.Close()
	if !sameWeights(n, m.Network) || m.Name != n.Name {
		t.Error("the network changed on its way")
	}
	if n.Checksum() != m.Checksum() || n.Checksum() == 0 {
		t.Errorf("checksums %x and %x", n.Checksum(), m.Checksum())
	}
	got, _ := json.Marshal(m.Info)
	want, _ := json.Marshal(info)
	must.Equal(t, string(got), string(want), "info")
	if len(m.Extras) != 1 || m.Extras[0].Name != "more" || m.Extras[0].Index != 2 || !slices.Equal(m.Extras[0].Pieces[0], []uint64{1, 2, 3}) {
		t.Errorf("%+v", m.Extras)
	}
	c, err := m.Copy()
	if err != nil || !sameWeights(n, c) {
		t.Errorf("the copy differs; %v", err)
	}
	c.Close()
	// Writing a loaded network leaves its file alone.
	before, _ := os.ReadFile(path)
	m.Table(0, 0)[0]++
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the file changed")
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// Errors name what is wrong with the file.
func TestBadFiles(t *testing.T) {
	path, _ := saved(t)
	sound := must.Get(os.ReadFile(path))(t)
	change := func(at int) []byte {
		b := bytes.Clone(sound)
		b[at] ^= 1
		return b
	}
	reheaded := func(old, new string) []byte {
		length := int(binary.LittleEndian.Uint32(sound[8:]))
		text := strings.Replace(string(sound[prologue:prologue+length]), old, new, 1)
		return withHeader(sound, text)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":         {nil, "its first bytes are wrong"},
		"foreign":       {bytes.Repeat([]byte("x"), 9000), "its first bytes are wrong"},
		"later version": {change(7), "version"},
		"half a header": {sound[:100], "truncated"},
		"truncated":     {sound[:len(sound)-4096], "truncated"},
		"bad header":    {change(prologue + 9), "corrupt: the header"},
		"bad weights":   {change(4096 + 77), "corrupt: the checksum of section weights 0"},
		"no JSON":       {reheaded("{", "["), "model file: header: "},
		"other size":    {reheaded("4x4", "7x7"), "must be RxC"},
		"other pattern": {reheaded("0123", "01234"), "bytes of weights"},
		"no weights":    {reheaded(`"name":"weights"`, `"name":"wights"`), "no weights for stage 0"},
		"odd place":     {reheaded(`"offset":4096`, `"offset":4097`), "is at byte 4097, must be 4096"},
		"far place":     {reheaded(`"offset":4096`, `"offset":4096000000000000`), "truncated"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "bad")
			must.Do(t, os.WriteFile(file, c.data, 0o600))
			_, err := Load(file)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) || !errors.Is(err, ErrModel) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if _, err := Load(t.TempDir()); err == nil {
		t.Error("a folder is a model")
	}
	if _, err := Load("/no/such"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// withHeader puts another header before the sections of a file.
func withHeader(file []byte, text string) []byte {
	b := bytes.Clone(file)
	binary.LittleEndian.PutUint32(b[8:], uint32(len(text)))
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum([]byte(text), castagnoli))
	copy(b[prologue:], text)
	return b
}

// Whatever the bytes are, reading returns an error or a network that can be used.
func FuzzFile(f *testing.F) {
	file := smallFile(f)
	length := int(binary.LittleEndian.Uint32(file[8:]))
	f.Add(file[prologue:prologue+length], false, 0)
	f.Add(file, true, 0)
	f.Add(append([]byte("AFTERNQ1"), file[8:]...), true, 0) // the magic of a quantized model
	for _, seed := range hostiletest.Seeds(file) {
		f.Add(seed, true, 0)
	}
	for _, text := range hostiletest.Headers(string(file[prologue : prologue+length])) {
		f.Add([]byte(text), false, 0)
	}
	f.Fuzz(func(t *testing.T, b []byte, whole bool, at int) {
		if !whole { // a header of the fuzzer's before true sections
			if len(b) > alignment-prologue {
				return
			}
			b = withHeader(file, string(b))
		}
		if m, err := decode(aligned(b)); err == nil {
			m.Value(0x1234)
			rewritten(t, m)
		} else if !errors.Is(err, ErrModel) {
			t.Fatal(err)
		}
	})
}
