package ntuple

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"unsafe"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/memory"
)

// A model file has the magic "AFTERNT" and its version, and a header, as EncodeFront writes them. Then come
//
//	sections each begins at the next multiple of 4096, after zeros; zeros also pad the end of the file
//
// So every byte is covered by a checksum or must be zero, and a file in which any byte was changed
// is refused. Sections are raw words, which can be mapped. A checkpoint is a model file with more sections.
const (
	magic      = "AFTERNT1"
	alignment  = 4096
	weightName = "weights"
)

// ErrModel is wrapped by every error about a file that is not a valid model.
var ErrModel = errors.New("not a valid model file")

// Training is one period of a network's training history, in which the options did not change.
type Training struct {
	Games   uint64 `json:"games"`
	Moves   uint64 `json:"moves"`
	Options string `json:"options"` // training options, as text
}

// Measured is the mean score of a player with this network, with its 95 % interval.
type Measured struct {
	Player string     `json:"player"`
	Games  int        `json:"games"`
	Seed   uint64     `json:"seed"`
	Mean   float64    `json:"mean_score"`
	CI95   [2]float64 `json:"mean_score_ci95"`
}

// Info is the metadata of a model file.
type Info struct {
	History  []Training      `json:"history,omitempty"`
	Measured *Measured       `json:"measured,omitempty"`
	State    json.RawMessage `json:"state,omitempty"` // state of the trainer
}

// header is the JSON header of a model file.
type header struct {
	Head
	Info
	Sections []section `json:"sections"`
	text     []byte    // the header's text in the file
}

// section is an entry of the header. The section with the weights of stage i has the name "weights" and the index
// i.
type section struct {
	Name   string   `json:"name"`
	Index  int      `json:"index"`
	Offset int64    `json:"offset"`
	Bytes  int64    `json:"bytes"`
	Check  uint32   `json:"crc32c"`
	data   [][]byte // the content, as consecutive pieces
}

// ExtraSection is a section that a trainer adds to a file.
type ExtraSection struct {
	Name  string
	Index int
	// Pieces is the content, which is stored as consecutive pieces. Load returns it as one piece.
	Pieces [][]uint64
}

// RawModel is a network with the metadata and the additional sections of its raw file. Package models opens files of
// every format.
type RawModel struct {
	*Network
	Info   Info
	Extras []ExtraSection
}

// Save writes a model file under a temporary name, then renames it, so that no reader sees a
// partial file. Ranges of zeros take no disk space if the file system supports holes.
func Save(path string, n *Network, info Info, extras ...ExtraSection) error {
	f, err := atomicfile.Create(path, 0o666)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := Write(f.File, n, info, extras...); err != nil {
		return err
	}
	return f.Commit()
}

// Write writes a model file to a new file and syncs it.
func Write(f *os.File, n *Network, info Info, extras ...ExtraSection) error {
	head := header{Head: n.Head, Info: info}
	for stage, tables := range n.weights.Tables {
		head.Sections = append(head.Sections, newSection(weightName, stage, pieces(tables)))
	}
	for _, e := range extras {
		head.Sections = append(head.Sections, newSection(e.Name, e.Index, pieces(e.Pieces)))
	}
	front, size, err := head.place()
	if err != nil {
		return err
	}
	return writeAll(f, front, head.Sections, size)
}

func newSection(name string, index int, data [][]byte) section {
	s := section{Name: name, Index: index, Check: checksum(0, data), data: data}
	for _, d := range data {
		s.Bytes += int64(len(d))
	}
	return s
}

// pieces returns the memory of tables as bytes.
func pieces[T word](tables [][]T) (data [][]byte) {
	for _, t := range tables {
		data = append(data, raw(t))
	}
	return data
}

// checksum updates a CRC-32C with data.
func checksum(sum uint32, data [][]byte) uint32 {
	for _, d := range data {
		sum = crc32.Update(sum, castagnoli, d)
	}
	return sum
}

// place gives every section its offset, and returns the front of the file and the size of the file.
// The header's length depends on the digits of the offsets, so place finds the first offset by
// trial.
func (h *header) place() (front []byte, size int64, err error) {
	for start := int64(alignment); ; start += alignment {
		at := start
		for i := range h.Sections {
			h.Sections[i].Offset = at
			at += wholePages(h.Sections[i].Bytes)
		}
		front, err := EncodeFront(magic, h)
		if err != nil || int64(len(front)) <= start {
			return front, at, err
		}
	}
}

func writeAll(f *os.File, front []byte, sections []section, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	if _, err := f.WriteAt(front, 0); err != nil {
		return err
	}
	const block = 1 << 16
	zeros := make([]byte, block)
	for _, s := range sections {
		at := s.Offset
		for _, data := range s.data {
			for part := range slices.Chunk(data, block) {
				if !bytes.Equal(part, zeros[:len(part)]) { // else leave a hole
					if _, err := f.WriteAt(part, at); err != nil {
						return err
					}
				}
				at += int64(len(part))
			}
		}
	}
	return f.Sync()
}

// File is the checked header of a model file.
type File struct {
	Layout
	header *header
}

// OpenFile reads and checks the header of a model file with size bytes. An error about the file wraps
// ErrModel.
func OpenFile(r io.ReaderAt, size int64) (*File, error) {
	h, _, err := readHeader(r, size)
	if err != nil {
		return nil, modelError(err)
	}
	return &File{h.Layout, h}, nil
}

// Header returns the header's bytes, which must not be changed. They contain checksums of all
// sections, so they identify the file's content.
func (f *File) Header() []byte { return f.header.text }

// Info returns the file's metadata.
func (f *File) Info() Info { return f.header.Info }

// Load reads a model file. If the system supports it, weights are mapped: they are loaded when they are first
// read, and all processes that use the file share them. Writing to them does not change the file. The caller
// closes the model.
func Load(path string) (*RawModel, error) {
	f, err := inputfile.Open(path) // os.Open would wait for the writer of a pipe
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, free, err := memory.MapFile(f, info.Size())
	if err != nil {
		return nil, err
	}
	m, err := decode(data)
	if err != nil {
		free()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m.free = append(m.free, free)
	return m, nil
}

// decode returns the model in the bytes of a file. The model keeps using data. decode allocates
// no more than len(data), whatever the header claims.
func decode(data []byte) (*RawModel, error) {
	h, weights, err := readHeader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, modelError(err)
	}
	m := &RawModel{Info: h.Info}
	for _, s := range h.Sections {
		body := data[s.Offset : s.Offset+s.Bytes]
		if crc32.Checksum(body, castagnoli) != s.Check {
			return nil, modelError(s.corrupt())
		}
		if s.Name != weightName {
			m.Extras = append(m.Extras, ExtraSection{s.Name, s.Index, [][]uint64{words[uint64](body)}})
		}
	}
	if m.Network, err = empty(h.Head); err != nil {
		return nil, err
	}
	m.flat = h.Walls > 0
	begins, _ := h.Begins()
	for _, s := range weights {
		m.weights.add(&h.Layout, words[float32](data[s.Offset:s.Offset+s.Bytes]), begins)
	}
	return m, nil
}

// readHeader reads and checks the front of a file and the offsets of its sections. It returns the sections of the
// weights by stage.
func readHeader(r io.ReaderAt, size int64) (h *header, weights []*section, err error) {
	h = &header{}
	if h.text, err = DecodeFront(io.NewSectionReader(r, 0, size), magic, h); err != nil {
		return nil, nil, err
	}
	if err = h.Validate(); err == nil {
		weights, err = h.weights()
	}
	if err == nil {
		err = h.checkPlaces(r, size)
	}
	return h, weights, err
}

// checkPlaces returns an error unless the sections have the offsets that place gives them, in a file of this size, and
// there are only zeros between them: no checksum covers these gaps.
func (h *header) checkPlaces(r io.ReaderAt, size int64) error {
	var gap [alignment]byte
	at := int64(prologue + len(h.text)) // end of the bytes that have been checked
	for i := range len(h.Sections) + 1 {
		next := wholePages(at)
		name, s := "the end", section{Offset: size}
		if i < len(h.Sections) {
			s = h.Sections[i]
			name = fmt.Sprintf("section %s %d", s.Name, s.Index)
		}
		switch {
		case s.Offset != next:
			return fmt.Errorf("truncated or corrupt: %s is at byte %d, must be %d", name, s.Offset, next)
		case s.Bytes < 0 || s.Bytes%8 != 0:
			return fmt.Errorf("corrupt: %s has %d bytes", name, s.Bytes)
		case s.Offset > size || s.Bytes > size-s.Offset:
			return fmt.Errorf("truncated: %d bytes, %s ends at %d", size, name, s.Offset+s.Bytes)
		}
		if n, err := r.ReadAt(gap[:next-at], at); n < int(next-at) {
			return fmt.Errorf("truncated while it was read: byte %d: %w", at+int64(n), err)
		}
		if gap != [alignment]byte{} {
			return fmt.Errorf("corrupt: the padding from byte %d to %d is not all 0", at, next)
		}
		at = next + s.Bytes
	}
	return nil
}

// wholePages rounds up to a multiple of alignment.
func wholePages(at int64) int64 { return (at + alignment - 1) / alignment * alignment }

// weights returns the sections of the weights by stage.
func (h *header) weights() ([]*section, error) {
	stages := make([]*section, h.StageCount())
	for i := range h.Sections {
		s := &h.Sections[i]
		switch {
		case s.Name != weightName:
		case s.Index < 0 || s.Index >= len(stages) || stages[s.Index] != nil || s.Bytes != 4*int64(h.Entries()):
			return nil, fmt.Errorf("%d bytes of weights for stage %d: must be one section of %d bytes for each of %d stages", s.Bytes, s.Index, 4*h.Entries(), len(stages))
		default:
			stages[s.Index] = s
		}
	}
	for i, s := range stages {
		if s == nil {
			return nil, fmt.Errorf("no weights for stage %d", i)
		}
	}
	return stages, nil
}

func (s *section) corrupt() error {
	return fmt.Errorf("corrupt: the checksum of section %s %d is wrong", s.Name, s.Index)
}

// word is the type of a weight, or of the sums that a trainer keeps for a weight.
type word interface{ int16 | float32 | uint64 }

// raw returns the memory of w as bytes, which is the file's format: all supported machines are
// little-endian.
func raw[T word](w []T) []byte { return memory.Bytes(w) }

// words is the inverse of raw. The bytes must be aligned.
func words[T word](b []byte) []T {
	var w T
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(w)))
}

func modelError(err error) error { return fmt.Errorf("%w: %w", ErrModel, err) }
