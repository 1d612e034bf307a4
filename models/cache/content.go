package cache

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"time"
	"unsafe"

	"afterstate/internal/xdg"
	"afterstate/ntuple"
)

// A file holds
//
//	weights  16-bit integers of all stages, so that they begin on a huge page when they are mapped
//	sums     4 bytes for each block of weights: its CRC-32C
//	header   JSON, see header
//	length   4 bytes: of the header
//	check    4 bytes: CRC-32C of the header
//	magic    8 bytes
//
// all in the machine's byte order, which is part of the file's name.
const (
	magic   = "AFTERNC1"
	format  = "v1"
	footer  = 8 + len(magic)
	block   = 64 << 10
	sampled = 16 // blocks that Open checks
	// longest is more than any header has.
	longest = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var byteOrder = func() string {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return "little"
	}
	return "big"
}()

// header says what the weights are.
type header struct {
	Key       []byte        `json:"key"` // Key.Content
	Layout    ntuple.Layout `json:"layout"`
	Scale     float32       `json:"scale"`
	Bias      float32       `json:"bias"`
	Downgrade uint8         `json:"downgrade"`
	Bytes     int64         `json:"bytes"` // of the weights
	Sums      uint32        `json:"sums"`  // CRC-32C of the sums
}

// content is an open file whose header is sound.
type content struct {
	header
	file *os.File
	used time.Time // when its last use was noted
	sums []byte
}

var errUnsound = errors.New("not a sound file of the cache")

// openContent opens a file and checks all but its weights.
func openContent(path string, key Key) (c *content, err error) {
	file, err := xdg.OpenOwn(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	c = &content{file: file}
	if err := c.read(key); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return c, nil
}

// key returns the key that the file was opened with, but for its name.
func (c *content) key() (key Key) {
	copy(key.Content[:], c.Key)
	return key
}

// read reads and checks what comes after the weights.
func (c *content) read(key Key) error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	c.used = info.ModTime()
	var end [footer]byte
	if _, err := c.file.ReadAt(end[:], info.Size()-int64(footer)); err != nil {
		return fmt.Errorf("%w: %w", errUnsound, err)
	}
	length := int64(binary.NativeEndian.Uint32(end[:]))
	if string(end[8:]) != magic || length > longest {
		return errUnsound
	}
	text := make([]byte, length)
	if _, err := c.file.ReadAt(text, info.Size()-int64(footer)-length); err != nil {
		return fmt.Errorf("%w: %w", errUnsound, err)
	}
	if crc32.Checksum(text, castagnoli) != binary.NativeEndian.Uint32(end[4:]) || json.Unmarshal(text, &c.header) != nil {
		return errUnsound
	}
	sums := c.blocks() * 4
	if string(c.Key) != string(key.Content[:]) || c.Layout.Validate() != nil || c.Bytes != int64(c.Layout.Weights())*2 ||
		info.Size() != c.Bytes+sums+length+int64(footer) {
		return errUnsound
	}
	c.sums = make([]byte, sums)
	if _, err := c.file.ReadAt(c.sums, c.Bytes); err != nil || crc32.Checksum(c.sums, castagnoli) != c.Sums {
		return errUnsound
	}
	return nil
}

func (h *header) blocks() int64 {
	perStage := (int64(h.Layout.Entries())*2 + block - 1) / block
	return perStage * int64(h.Layout.StageCount())
}

// span is where block i lies; no block is of two stages.
func (h *header) span(i int64) (from, to int64) {
	stage := h.Bytes / int64(h.Layout.StageCount())
	perStage := h.blocks() / int64(h.Layout.StageCount())
	from = i/perStage*stage + i%perStage*block
	return from, min(from+block, (i/perStage+1)*stage)
}

// readBlock reads block i into its place in dst, which has all weights, and checks it.
func (c *content) readBlock(i int64, dst []byte) error {
	from, to := c.span(i)
	if len(dst) > block {
		dst = dst[from:]
	}
	part := dst[:to-from]
	if _, err := c.file.ReadAt(part, from); err != nil {
		return fmt.Errorf("%w: %w", errUnsound, err)
	}
	if crc32.Checksum(part, castagnoli) != binary.NativeEndian.Uint32(c.sums[4*i:]) {
		return errUnsound
	}
	return nil
}

// sample checks some blocks.
func (c *content) sample() error {
	buffer := make([]byte, block)
	n := c.blocks()
	for range min(n, sampled) {
		if err := c.readBlock(rand.Int64N(n), buffer); err != nil {
			return err
		}
	}
	return nil
}

// check checks all blocks.
func (c *content) check() error {
	buffer := make([]byte, block)
	for i := range c.blocks() {
		if err := c.readBlock(i, buffer); err != nil {
			return err
		}
	}
	return nil
}

// load reads all weights into memory and checks them.
func (c *content) load(dst []byte) error {
	for i := range c.blocks() {
		if err := c.readBlock(i, dst); err != nil {
			return err
		}
	}
	return nil
}

// remove removes the file from the cache if it still has its name.
func (c *content) remove() {
	opened, err := c.file.Stat()
	if err != nil {
		return
	}
	if named, err := os.Lstat(c.file.Name()); err == nil && os.SameFile(opened, named) {
		_ = os.Remove(c.file.Name())
	}
}

// over makes a network over these weights.
func (c *content) over(data []byte, free func()) (*ntuple.Network, error) {
	var stages [][]int16
	for size := len(data) / c.Layout.StageCount(); len(data) > 0; data = data[size:] {
		stages = append(stages, unsafe.Slice((*int16)(unsafe.Pointer(&data[0])), size/2))
	}
	n, err := ntuple.Int16Over(c.Layout, c.Scale, stages, free)
	if err != nil {
		return nil, err
	}
	n.Bias, n.Downgrade = c.Bias, c.Downgrade
	return n, nil
}

// inMemory reads the network into memory.
func (c *content) inMemory() (*ntuple.Network, error) {
	words, free, err := ntuple.Allocate[uint64](int(c.Bytes+7) / 8)
	if err != nil {
		return nil, err
	}
	data := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), c.Bytes)
	if err := c.load(data); err != nil {
		free()
		return nil, err
	}
	n, err := c.over(data, free)
	if err != nil {
		free()
		return nil, err
	}
	return n, c.file.Close()
}

func bytesOf(words []int16) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 2*len(words))
}
