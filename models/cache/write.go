package cache

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"sync"

	"afterstate/ntuple"
)

// Tables are the weights of a network that need not be in memory all at once.
type Tables struct {
	Layout    ntuple.Layout
	Scale     float32 // as [ntuple.NewInt16]
	Bias      float32 // as Network's
	Downgrade uint8   // as Network's
	// Each passes the table of each stage and pattern to visit, in any order, on any goroutines, and returns
	// its errors.
	Each func(visit func(stage, pattern int, table []int16) error) error
}

// tablesOf are the weights of a network.
func tablesOf(n *ntuple.Network) *Tables {
	_, scale := n.Int16Weights(0)
	return &Tables{n.Layout, scale, n.Bias, n.Downgrade, func(visit func(int, int, []int16) error) error {
		for stage := range n.StageCount() {
			for p := range n.Patterns {
				if err := visit(stage, p, n.Int16Table(stage, p)); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// writer writes a file, whose parts come in any order.
type writer struct {
	*header
	file io.WriterAt
	sums []byte

	mu    sync.Mutex
	parts map[int64]*part // blocks of several tables
	left  int64           // blocks that are to be written
}

// part is a block of which some bytes are there.
type part struct {
	data []byte
	left int64
}

// write writes the whole file.
func (h *header) write(file io.WriterAt, t *Tables) error {
	w := &writer{header: h, file: file, sums: make([]byte, 4*h.blocks()), parts: map[int64]*part{}, left: h.blocks()}
	if err := t.Each(w.table); err != nil {
		return err
	}
	if w.left != 0 {
		return errors.New("not all tables were there")
	}
	h.Sums = crc32.Checksum(w.sums, castagnoli)
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	end := append(w.sums, text...)
	end = binary.NativeEndian.AppendUint32(end, uint32(len(text)))
	end = binary.NativeEndian.AppendUint32(end, crc32.Checksum(text, castagnoli))
	_, err = file.WriteAt(append(end, magic...), h.Bytes)
	return err
}

// table writes the table of a pattern in a stage.
func (w *writer) table(stage, pattern int, table []int16) error {
	at := int64(stage) * int64(w.Layout.Entries()) * 2
	first := int64(stage) * w.blocks() / int64(w.Layout.StageCount())
	inStage := int64(0)
	for _, p := range w.Layout.Patterns[:pattern] {
		inStage += int64(p.Entries()) * 2
	}
	at += inStage
	for data := bytesOf(table); len(data) > 0; {
		i := first + inStage/block
		from, to := w.span(i)
		n := min(to-at, int64(len(data)))
		var err error
		if at == from && at+n == to {
			err = w.block(i, from, data[:n])
		} else {
			err = w.part(i, at, data[:n])
		}
		if err != nil {
			return err
		}
		data, at, inStage = data[n:], at+n, inStage+n
	}
	return nil
}

// block writes block i, which lies at an offset.
func (w *writer) block(i, at int64, data []byte) error {
	binary.NativeEndian.PutUint32(w.sums[4*i:], crc32.Checksum(data, castagnoli))
	_, err := w.file.WriteAt(data, at)
	w.mu.Lock()
	w.left--
	w.mu.Unlock()
	return err
}

// part takes bytes of block i that lie at an offset, and writes it when it has all.
func (w *writer) part(i, at int64, data []byte) error {
	from, to := w.span(i)
	w.mu.Lock()
	p := w.parts[i]
	if p == nil {
		p = &part{make([]byte, to-from), to - from}
		w.parts[i] = p
	}
	copy(p.data[at-from:], data)
	p.left -= int64(len(data))
	whole := p.left == 0
	if whole {
		delete(w.parts, i)
	}
	w.mu.Unlock()
	if whole {
		return w.block(i, from, p.data)
	}
	return nil
}
