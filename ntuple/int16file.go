package ntuple

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// File is an open model file whose header has been checked.
type File struct {
	Layout
	header  *header
	weights []*section // by stage
	r       io.ReaderAt
}

// OpenFile reads and checks the header of a model file of a size in bytes. An error about the file
// wraps ErrModel.
func OpenFile(r io.ReaderAt, size int64) (*File, error) {
	h, weights, err := readHeader(r, size)
	if err != nil {
		return nil, modelError(err)
	}
	return &File{Layout: h.Layout, header: h, weights: weights, r: r}, nil
}

// Header returns the header's bytes, which may not be changed. They contain checksums of all sections, so
// they identify the file's content.
func (f *File) Header() []byte { return f.header.text }

// Info returns the file's metadata.
func (f *File) Info() Info { return f.header.Info }

// readBlock is how much of a section is read at once, in bytes.
const readBlock = 1 << 18

// Int16 checks all sections and returns the network as [Load] and [Network.Int16] would. It reads
// the file in small blocks and never maps it. So it needs little memory beside the network's, and a
// file that is truncated meanwhile is an error and no fault. The caller closes the network.
func (f *File) Int16() (*Network, error) {
	largest := float32(0)
	reference := Network{Layout: f.Layout, StageBias: f.header.StageBias}
	for stage := range f.weights {
		largest = max(largest, reference.stageBias(stage))
	}
	buffer := make([]uint64, readBlock/8) // aligned for weights
	for i := range f.header.Sections {
		s := &f.header.Sections[i]
		err := f.read(s, raw(buffer), func(part []byte) {
			if s.Name == weightName {
				for _, w := range words[float32](part) {
					largest = max(largest, w, -w)
				}
			}
		})
		if err != nil {
			return nil, modelError(err)
		}
	}
	c, err := NewInt16(f.Layout, scaleFor(largest))
	if err != nil {
		return nil, err
	}
	c.Bias, c.Downgrade = f.header.Bias, f.header.Downgrade
	if err := f.fill(c, &reference); err != nil {
		c.Close()
		return nil, modelError(err)
	}
	return c, nil
}

// read calls use with the blocks of a section, read into buffer, and checks its checksum.
func (f *File) read(s *section, buffer []byte, use func(part []byte)) error {
	sum := uint32(0)
	for at := int64(0); at < s.Bytes; at += readBlock {
		part := buffer[:min(readBlock, s.Bytes-at)]
		if err := f.readAt(part, s, at); err != nil {
			return err
		}
		sum = crc32.Update(sum, castagnoli, part)
		use(part)
	}
	if sum != s.Check {
		return s.corrupt()
	}
	return nil
}

func (f *File) readAt(part []byte, s *section, at int64) error {
	_, err := f.r.ReadAt(part, s.Offset+at)
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("truncated while it was read: section %s %d ends at %d", s.Name, s.Index, s.Offset+s.Bytes)
	}
	return err
}

// fill fills c with the weights, block by block through all stages: a weight of a later stage that
// is zero is that of the stage before (see stages.go).
func (f *File) fill(c, reference *Network) error {
	buffer := make([]uint64, readBlock/8)
	known := make([]float32, readBlock/4) // the weights of the stages before
	sums := make([]uint32, len(f.weights))
	for at := int64(0); at < f.weights[0].Bytes; at += readBlock {
		part := raw(buffer)[:min(readBlock, f.weights[0].Bytes-at)]
		clear(known)
		for stage, s := range f.weights {
			if err := f.readAt(part, s, at); err != nil {
				return err
			}
			sums[stage] = crc32.Update(sums[stage], castagnoli, part)
			all, _ := c.Int16Weights(stage)
			to := all[at/4:][:len(part)/4]
			unseen := reference.stageBias(stage)
			for i, w := range words[float32](part) {
				if w == 0 {
					w = known[i]
				}
				known[i] = w
				if w == 0 {
					w = unseen
				}
				if w != 0 { // untouched pages take no memory
					to[i] = c.int16.of(w)
				}
			}
		}
	}
	for stage, s := range f.weights {
		if sums[stage] != s.Check {
			return s.corrupt() // it was written to meanwhile
		}
	}
	return nil
}

// scaleFor is the scale of 16-bit integers for weights of at most this size.
func scaleFor(largest float32) float32 {
	return max(largest, math.SmallestNonzeroFloat32*math.MaxInt16) / math.MaxInt16
}

// of returns the integer for a weight.
func (s *int16Form) of(w float32) int16 { return int16(math.Round(float64(w) / float64(s.scale))) }

func modelError(err error) error { return fmt.Errorf("%w: %w", ErrModel, err) }
