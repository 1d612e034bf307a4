package ntuple

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// A file of several blocks and stages gives the same integers as the network that it holds.
func TestFileInt16(t *testing.T) {
	l := must.Get(ParseLayout(bitboard.Size, "01234 01245"))(t)
	l.Stages = []Stage{{}, {11}, {13, 12}}
	n := must.Get(New(l))(t)
	defer n.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for stage := range n.StageCount() {
		for p := range n.Patterns {
			w := n.Table(stage, p)
			for i := range w {
				if random.IntN(3) == 0 {
					w[i] = float32(random.NormFloat64() * 300)
				}
			}
		}
	}
	n.Bias, n.StageBias, n.Downgrade = 3, []float32{0, 40, 900000}, 12
	path := t.TempDir() + "/model"
	must.Do(t, Save(path, n, info, ExtraSection{"more", 2, [][]uint64{make([]uint64, 100000)}}))
	file := must.Get(os.ReadFile(path))(t)
	r := &counted{data: file}
	c := must.Get(readInt16(r, int64(len(file))))(t)
	defer c.Close()
	sameInt16(t, n, c)
	if r.maximum > readBlock {
		t.Errorf("%s were read at once", memory.Words(int64(r.maximum)))
	}
}

// counted is a file that notes the largest read, and ends early after some reads.
type counted struct {
	data           []byte
	reads, maximum int
	left           int // reads until the file is truncated; 0: it never is
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	c.reads++
	c.maximum = max(c.maximum, len(p))
	if c.left > 0 && c.reads > c.left {
		return 0, io.EOF
	}
	return bytes.NewReader(c.data).ReadAt(p, at)
}

// A file that is truncated while it is read is an error that says so, at every read.
func TestFileInt16Truncated(t *testing.T) {
	path, _ := saved(t, Stage{}, Stage{11, 10})
	file := must.Get(os.ReadFile(path))(t)
	whole := &counted{data: file}
	c := must.Get(readInt16(whole, int64(len(file))))(t)
	c.Close()
	for left := 1; left < whole.reads; left++ {
		_, err := readInt16(&counted{data: file, left: left}, int64(len(file)))
		if !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), "truncated") {
			t.Errorf("after %d reads: %v", left, err)
		}
	}
	if whole.reads < 6 {
		t.Errorf("%d reads: the test proves little", whole.reads)
	}
}

// A file whose weights are overwritten between two reads of them is an error.
func TestFileInt16Overwritten(t *testing.T) {
	path, _ := saved(t)
	file := must.Get(os.ReadFile(path))(t)
	f := must.Get(OpenFile(bytes.NewReader(file), int64(len(file))))(t)
	again := false
	_, err := roundInt16(&f.header.Head, func(use func(stage, at int, part []float32)) error {
		if again {
			file[f.weights[0].Offset] ^= 1
		}
		again = true
		return f.blocks(use)
	})
	if err == nil || !strings.Contains(err.Error(), "corrupt: the checksum of section weights 0") {
		t.Error(err)
	}
}
