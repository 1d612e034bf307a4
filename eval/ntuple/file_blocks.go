package ntuple

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// File is an open model file whose header has been checked.
type File struct {
	Layout
	header  *header
	weights []*section // the sections of the weights, by stage
	r       io.ReaderAt
}

// OpenFile reads and checks the header of a model file with size bytes. An error about the file wraps
// ErrModel.
func OpenFile(r io.ReaderAt, size int64) (*File, error) {
	h, weights, err := readHeader(r, size)
	if err != nil {
		return nil, modelError(err)
	}
	return &File{Layout: h.Layout, header: h, weights: weights, r: r}, nil
}

// Header returns the header's bytes, which must not be changed. They contain checksums of all
// sections, so they identify the file's content.
func (f *File) Header() []byte { return f.header.text }

// Info returns the file's metadata.
func (f *File) Info() Info { return f.header.Info }

// readBlock is the number of bytes of a section that are read at once.
const readBlock = 1 << 18

// Int16 checks all sections and returns the network that [Load] followed by [Network.Int16] would
// return. It reads the file in small blocks and never maps it. So it needs little memory besides
// the network's, and truncating the file meanwhile causes an error, not a memory fault. The caller
// closes the network.
func (f *File) Int16() (*Network, error) {
	for i := range f.header.Sections {
		if s := &f.header.Sections[i]; s.Name != weightName {
			if err := f.read([]*section{s}, func(int, int64, []byte) {}); err != nil {
				return nil, err
			}
		}
	}
	return roundInt16(&f.header.Head, f.blocks)
}

// blocks passes all weights to the function use: the first block of each stage, then the second of
// each, and so on.
func (f *File) blocks(use func(stage, at int, part []float32)) error {
	return f.read(f.weights, func(stage int, at int64, part []byte) { use(stage, int(at/4), words[float32](part)) })
}

// read reads sections of the same size and passes their blocks to the function use: the first block of each
// section, then the second of each, and so on. It verifies the checksums of the sections.
func (f *File) read(sections []*section, use func(i int, at int64, part []byte)) error {
	buffer := raw(make([]uint64, readBlock/8)) // aligned for weights
	sums := make([]uint32, len(sections))
	for at := int64(0); at < sections[0].Bytes; at += readBlock {
		part := buffer[:min(readBlock, sections[0].Bytes-at)]
		for i, s := range sections {
			if _, err := f.r.ReadAt(part, s.Offset+at); errors.Is(err, io.EOF) {
				return modelError(fmt.Errorf("truncated while it was read: section %s %d ends at %d", s.Name, s.Index, s.Offset+s.Bytes))
			} else if err != nil {
				return modelError(err)
			}
			sums[i] = crc32.Update(sums[i], castagnoli, part)
			use(i, at, part)
		}
	}
	for i, s := range sections {
		if sums[i] != s.Check {
			return modelError(s.corrupt()) // or another process wrote to the file meanwhile
		}
	}
	return nil
}
