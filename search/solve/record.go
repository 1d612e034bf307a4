package solve

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"sort"
)

// A table is a sequence of records: for every tile sum from 4 upwards the keys of its afterstates,
// then from the largest sum downwards their values, then the directory. A trailer follows the
// directory (see trailerSize). Each record has a checksum. Numbers are little-endian.
const (
	magic      = 0x31567341 // "AsV1"
	headerSize = 40
)

type kind uint32

const (
	keysRecord      kind = iota + 2 // see encodeKeys
	valuesRecord                    // see encodeValues
	directoryRecord                 // JSON of the directory
)

// record is the header of a record, and the position of its payload.
type record struct {
	kind   kind
	sum    int
	boards int64 // in a keys record: number of boards of the layer
	count  int   // number of keys or values
	highs  int   // number of different upper halves of the keys
	length int64 // length of the payload in bytes
	check  uint32
	at     int64 // offset of the payload in the file
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header encodes the record's header, with the checksum of the header and the payload.
func (r *record) header(payload []byte) []byte {
	h := make([]byte, headerSize)
	le := binary.LittleEndian
	le.PutUint32(h, magic)
	le.PutUint32(h[4:], uint32(r.kind))
	le.PutUint32(h[8:], uint32(r.sum))
	le.PutUint32(h[12:], uint32(r.count))
	le.PutUint32(h[16:], uint32(r.highs))
	le.PutUint64(h[24:], uint64(r.boards))
	le.PutUint64(h[32:], uint64(len(payload)))
	le.PutUint32(h[20:], crc32.Update(crc32.Checksum(h, castagnoli), castagnoli, payload))
	return h
}

var errDamaged = errors.New("the file is damaged")

// readHeader reads the record header at an offset.
func readHeader(m medium, at int64) (r record, err error) {
	le := binary.LittleEndian
	h, err := m.bytes(at, headerSize)
	if err != nil {
		return r, err
	}
	if le.Uint32(h) != magic {
		return r, errDamaged
	}
	return record{
		kind: kind(le.Uint32(h[4:])), sum: int(le.Uint32(h[8:])), count: int(le.Uint32(h[12:])), highs: int(le.Uint32(h[16:])),
		check: le.Uint32(h[20:]), boards: int64(le.Uint64(h[24:])), length: int64(le.Uint64(h[32:])), at: at + headerSize,
	}, nil
}

// sound reports whether a payload has the record's length and checksum.
func (r *record) sound(payload []byte) bool {
	return int64(len(payload)) == r.length && binary.LittleEndian.Uint32(r.header(payload)[20:]) == r.check
}

// medium holds a table: a file, or memory.
type medium interface {
	// bytes returns n bytes at an offset, or errDamaged if the medium is too short.
	bytes(at, n int64) ([]byte, error)
	io.Writer // Write appends
	size() int64
}

// inMemory is a medium in memory.
type inMemory struct{ data []byte }

func (m *inMemory) Write(p []byte) (int, error) {
	m.data = append(m.data, p...)
	return len(p), nil
}

func (m *inMemory) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > m.size()-at {
		return nil, errDamaged
	}
	return m.data[at : at+n], nil
}

func (m *inMemory) size() int64 { return int64(len(m.data)) }

// file is a medium that stores a table in a file.
type file struct {
	*os.File
	end int64
}

func (f *file) size() int64 { return f.end }

func (f *file) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > f.end-at {
		return nil, errDamaged
	}
	p := make([]byte, n)
	_, err := f.ReadAt(p, at)
	if errors.Is(err, io.EOF) { // the file was truncated after it was opened
		err = errDamaged
	}
	return p, err
}

func (f *file) Write(p []byte) (int, error) {
	n, err := f.WriteAt(p, f.end)
	f.end += int64(n)
	return n, err
}

// release closes a medium if it is a file.
func release(m medium) {
	if f, ok := m.(*file); ok {
		_ = f.Close()
	}
}

// write appends a record and returns it.
func write(m medium, r record, payload []byte) (record, error) {
	h := r.header(payload)
	r.length, r.check = int64(len(payload)), binary.LittleEndian.Uint32(h[20:])
	r.at = m.size() + headerSize
	_, err := m.Write(append(h, payload...))
	return r, err
}

// read returns the payload of a record.
func read(m medium, r *record) ([]byte, error) {
	payload, err := m.bytes(r.at, r.length)
	if err == nil && !r.sound(payload) {
		err = errDamaged
	}
	return payload, err
}

// encodeKeys encodes sorted keys: the different upper halves, for each the number of keys before
// it, then the lower halves of all keys.
func encodeKeys(keys []uint32) (payload []byte, highs int) {
	var starts []byte
	le := binary.LittleEndian
	for i, k := range keys {
		if i == 0 || k>>16 != keys[i-1]>>16 {
			payload = le.AppendUint16(payload, uint16(k>>16))
			starts = le.AppendUint32(starts, uint32(i))
			highs++
		}
	}
	payload = append(payload, starts...)
	for _, k := range keys {
		payload = le.AppendUint16(payload, uint16(k))
	}
	return payload, highs
}

// keyList is the payload of a keys record.
type keyList struct {
	highs, starts, lows []byte
}

// keyList splits a payload. It fails if the length of the payload does not match the record.
func (r *record) keyList(payload []byte) (k keyList, err error) {
	if int64(len(payload)) != 6*int64(r.highs)+2*int64(r.count) {
		return k, errDamaged
	}
	return keyList{payload[:2*r.highs], payload[2*r.highs : 6*r.highs], payload[6*r.highs:]}, nil
}

func (k *keyList) high(i int) uint32 { return uint32(binary.LittleEndian.Uint16(k.highs[2*i:])) }
func (k *keyList) low(i int) uint32  { return uint32(binary.LittleEndian.Uint16(k.lows[2*i:])) }

// end returns the number of keys whose upper half is number i or an earlier one.
func (k *keyList) end(i int) int {
	if i+1 < len(k.highs)/2 {
		return int(binary.LittleEndian.Uint32(k.starts[4*i+4:]))
	}
	return len(k.lows) / 2
}

// all returns the keys.
func (k *keyList) all() []uint32 {
	keys := make([]uint32, 0, len(k.lows)/2)
	for i := range len(k.highs) / 2 {
		for high := k.high(i) << 16; len(keys) < k.end(i); {
			keys = append(keys, high|k.low(len(keys)))
		}
	}
	return keys
}

// find returns the position of a key; ok is false if the list does not contain it.
func (k *keyList) find(key uint32) (position int, ok bool) {
	h, ok := sort.Find(len(k.highs)/2, func(i int) int { return cmp.Compare(key>>16, k.high(i)) })
	if !ok {
		return 0, false
	}
	start := 0
	if h > 0 {
		start = k.end(h - 1)
	}
	i, ok := sort.Find(k.end(h)-start, func(i int) int { return cmp.Compare(key&0xffff, k.low(start+i)) })
	return start + i, ok
}

// A value is stored in one of four widths:
//
//   - 8 bytes: a float64.
//   - 5 bytes: an exponent of 7 bits and a mantissa of 33 bits. The relative error is below 6e-11, and
//     values below 2^-110 become 0.
//   - 3 bytes, for the chances in an ending: a multiple of 1/chanceUnits. The error is below 3e-8.
//   - 2 bytes, for the chances in a sample: a multiple of 1/sampleUnits.
const (
	mantissa     = 33
	chanceUnits  = 1<<24 - 1
	sampleWidth  = 2
	sampleUnits  = 1<<16 - 1
	lowestBinary = 1023 - 111 // largest float64 exponent field whose values become 0
)

func encodeValues(values []float64, width int) []byte {
	payload := make([]byte, len(values)*width)
	var word [8]byte
	for i, v := range values {
		n := math.Float64bits(v)
		switch width {
		case 5:
			n = shorten(n)
		case 3:
			n = uint64(math.Round(v * chanceUnits))
		}
		binary.LittleEndian.PutUint64(word[:], n)
		copy(payload[i*width:(i+1)*width], word[:])
	}
	return payload
}

// shorten encodes the bits of a float64 in five bytes. The number must be at least 0 and below 2^17.
func shorten(n uint64) uint64 {
	const lost = 52 - mantissa
	n = (n + 1<<(lost-1)) >> lost
	if n>>mantissa <= lowestBinary {
		return 0
	}
	return n - lowestBinary<<mantissa
}

// valueAt decodes value i of a values record's payload.
func valueAt(payload []byte, i, width int) float64 {
	var word [8]byte
	copy(word[:], payload[i*width:(i+1)*width])
	n := binary.LittleEndian.Uint64(word[:])
	switch {
	case width == 3:
		return float64(n) / chanceUnits
	case width == sampleWidth:
		return float64(n) / sampleUnits
	case width == 5 && n != 0:
		n = (n + lowestBinary<<mantissa) << (52 - mantissa)
	}
	return math.Float64frombits(n)
}

// sample is a solved ending: a table in the folder, or a small table of the boards that good play
// meets most often, embedded in the binary or given to AddSample.
type sample struct {
	problem Problem
	table   func() (*Table, error)
}

// sampleError is an upper bound on the error of a sample's values: half of 1/sampleUnits, plus the rounding error of
// the table.
const sampleError = 1e-5

// largestError returns an upper bound on the error of a sample's values. For other tables it returns 0, since their
// errors are too small to be shown.
func (t *Table) largestError() float64 {
	if t.Width == sampleWidth {
		return sampleError
	}
	return 0
}

// EndingRounding is the difference below which two values in an ending count as equal, since stored values are
// rounded.
const EndingRounding = 2e-7
