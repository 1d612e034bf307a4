//go:build !js

package models

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/models/cache"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/memory"
)

// Champion and championEndings are the names by which Open finds the embedded network for 4x4 and
// the embedded ending network.
const (
	Champion        = "champion"
	championEndings = "champion-endings"
)

// Model is a network with its metadata, in any file format.
type Model struct {
	*ntuple.Network
	Info ntuple.Info
	Bits int // maximum number of bits of a weight, as in quant.Options; 0: the file is raw
	Loss quant.Loss
}

// embeddedAt returns the embedded network with this name. ok is false if there is no such network,
// or if there is a file with this name.
func embeddedAt(path string) (n champion.Network, ok bool) {
	switch path {
	case Champion:
		n = champion.Main()
	case championEndings:
		n = champion.Endings()
	default:
		return n, false
	}
	return n, !isFile(path)
}

// Open reads and checks a model file, raw or quantized. A raw file is mapped if the system supports
// that; see [ntuple.Load]. Unless a file has that name, "champion" is the embedded network, and
// "champion-endings" the embedded ending network. Errors contain the path. The caller closes the
// model.
func Open(path string) (*Model, error) {
	if e, ok := embeddedAt(path); ok {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		return dequantize(info, e.File)
	}
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.quantized != nil {
		m, err := dequantize(f.quantized, f.load)
		return m, f.named(err)
	}
	m, err := ntuple.Load(path)
	if err != nil {
		return nil, err
	}
	return &Model{Network: m.Network, Info: m.Info}, nil
}

// dequantize decodes a complete quantized file, or returns a *memory.Error. It needs 32 bits per weight in
// addition to decodedBytes.
func dequantize(info *quant.Header, file func() ([]byte, error)) (*Model, error) {
	if err := memory.Check(memory.Plus(memory.Times(int64(info.Weights()), 4), decodedBytes(info))); err != nil {
		return nil, err
	}
	data, err := file()
	if err != nil {
		return nil, err
	}
	n, err := quant.Dequantize(data)
	return &Model{n, info.Info, info.Bits, info.Loss}, err
}

// minCached is the minimum unpacked size, in bytes, of a network that is cached. Smaller networks
// are decoded quickly.
const minCached = 8 << 20

// OpenInt16 reads and checks a model file, raw or quantized, and returns the network without its
// metadata, in 16-bit integers; see [ntuple.Network.Int16]. It unpacks a large network into the
// cache. Later calls map it from there, as long as the file has the same header, size and
// modification time. It returns a *memory.Error if there is too little memory. Other errors contain
// the path. The caller closes the network.
func OpenInt16(path string) (n *ntuple.Network, err error) {
	defer memory.CatchFaults(&err)() // another process may truncate a raw file, which is mapped
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if folder, ok := CacheFolder(); ok && f.bytes() >= minCached {
		if key, err := f.key(); err == nil {
			return folder.Load(key, f.decode)
		}
	}
	return f.decode()
}

// modelFile is an open model file. quantized is nil if it is a raw file.
type modelFile struct {
	*os.File
	path      string
	size      int64
	written   time.Time
	quantized *quant.Header
	layout    ntuple.Layout
	header    []byte
}

// openFile reads and checks the header of a file.
func openFile(path string) (*modelFile, error) {
	file, err := inputfile.Open(path) // os.Open would wait for the writer of a pipe
	if err != nil {
		return nil, err
	}
	f := &modelFile{File: file, path: path}
	if err := f.readHeader(); err != nil {
		_ = file.Close()
		return nil, err
	}
	return f, nil
}

func (f *modelFile) readHeader() error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	f.size, f.written = info.Size(), info.ModTime()
	front := make([]byte, 8)
	n, _ := f.ReadAt(front, 0)
	switch front = front[:n]; {
	case quant.IsQuantized(front):
		if f.quantized, err = quant.ReadSummary(io.NewSectionReader(f.File, 0, f.size)); err == nil {
			f.layout, f.header = f.quantized.Layout, f.quantized.Header
		}
	default:
		var raw *ntuple.File
		if raw, err = ntuple.OpenFile(f.File, f.size); err == nil {
			f.layout, f.header = raw.Layout, raw.Header()
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	return nil
}

// bytes returns the size in bytes of the network as 16-bit integers.
func (f *modelFile) bytes() int64 { return memory.Times(int64(f.layout.Weights()), 2) }

// key returns the cache key: it identifies the file by its path, and its content by the header, the
// size and the modification time. The header contains checksums of everything after it.
func (f *modelFile) key() (cache.Key, error) {
	path, err := filepath.Abs(f.path)
	if err != nil {
		return cache.Key{}, err
	}
	hash := sha256.Sum256(f.header)
	content := binary.LittleEndian.AppendUint64(hash[:], uint64(f.size))
	content = binary.LittleEndian.AppendUint64(content, uint64(f.written.UnixNano()))
	return cache.Key{Name: sha256.Sum256([]byte("file " + path)), Content: sha256.Sum256(content)}, nil
}

// decode reads and checks the complete file.
func (f *modelFile) decode() (*ntuple.Network, error) {
	if f.quantized != nil {
		n, err := decode(f.load)
		return n, f.named(err)
	}
	if err := memory.Check(f.bytes()); err != nil {
		return nil, err
	}
	m, err := ntuple.Load(f.path)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.Int16()
}

// decode decodes the quantized file that the function load reads.
func decode(load func() ([]byte, error)) (*ntuple.Network, error) {
	data, err := load()
	if err != nil {
		return nil, err
	}
	n, err := quant.DequantizeInt16(data)
	debug.FreeOSMemory() // decoding took twice the memory of the network: return the rest to the system
	return n, err
}

// named returns err with the file's path.
func (f *modelFile) named(err error) error {
	if err == nil || errors.As(err, new(*memory.Error)) {
		return err
	}
	return fmt.Errorf("%s: %w", f.path, err)
}

// load reads the bytes of a quantized file.
func (f *modelFile) load() ([]byte, error) {
	if err := memory.Check(memory.Plus(f.size, decodedBytes(f.quantized))); err != nil {
		return nil, err
	}
	data := make([]byte, f.size)
	if _, err := f.ReadAt(data, 0); err != nil {
		return nil, inputfile.Cause(err)
	}
	return data, nil
}

// decodedBytes returns the peak memory in bytes for decoding a quantized network: 16 bits per
// weight, and buffers.
func decodedBytes(s *quant.Header) int64 {
	entries := memory.Times(int64(s.Entries()), int64(s.StageCount()))
	return memory.Plus(memory.Times(entries, 2), 64<<20)
}
