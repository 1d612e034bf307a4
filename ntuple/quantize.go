package ntuple

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

// A quantized model is
//
//	magic    8 bytes, "AFTERNQ" and the version as a digit
//	length   4 bytes: of the header
//	check    4 bytes: CRC-32C of all that follows
//	header   JSON, see compact
//	body     zstd: for each stage and table which weights are not zero, one bit each,
//	         then the low bytes and then the high bytes of their numbers
//
// all numbers little-endian. A weight is its number times its table's scale.
const (
	compactMagic = "AFTERNQ1"
	// MaxWeights is how many weights a quantized model may unfold to: 2 GiB.
	MaxWeights = 1 << 29
)

// compact is the header of a quantized model.
type compact struct {
	Layout
	Bias  float32   `json:"bias,omitempty"`
	Hopes []float32 `json:"hopes,omitempty"`
	// Downgrade is Network's.
	Downgrade uint8 `json:"downgrade,omitempty"`
	Info
	Bits   int         `json:"bits"`
	Scales [][]float32 `json:"scales"` // by stage and pattern
	Counts [][]int     `json:"counts"` // weights that are not zero
	Loss   Loss        `json:"loss"`
}

// Loss is what quantizing changed.
type Loss struct {
	Weights int     `json:"weights"`      // that are not zero
	Lost    int     `json:"lost"`         // of those, became zero
	Largest float64 `json:"largest"`      // error of a weight
	RMS     float64 `json:"root_mean_sq"` // error of the weights that are not zero
}

// Quantize writes a network in few bytes: numbers of so many bits, from 2 to 16, with
// a scale for each table, and no room for weights that were never seen.
func Quantize(n *Network, info Info, numberBits int) ([]byte, Loss, error) {
	if numberBits < 2 || numberBits > 16 {
		return nil, Loss{}, fmt.Errorf("numbers of %d bits: want 2 to 16", numberBits)
	}
	if n.Layout.Weights() > MaxWeights {
		return nil, Loss{}, fmt.Errorf("%d weights: a quantized model holds at most %d", n.Layout.Weights(), MaxWeights)
	}
	info.State = nil
	c := compact{Layout: n.Layout, Bias: n.Bias, Hopes: n.Hopes, Downgrade: n.Downgrade, Info: info, Bits: numberBits}
	var body []byte
	var squares float64
	for _, tables := range n.tables {
		var scales []float32
		var counts []int
		for _, t := range tables {
			scale, count := float32(0), 0
			scale, count, body = pack(body, t, numberBits, &c.Loss, &squares)
			scales, counts = append(scales, scale), append(counts, count)
		}
		c.Scales, c.Counts = append(c.Scales, scales), append(c.Counts, counts)
	}
	c.Loss.RMS = math.Sqrt(squares / float64(max(1, c.Loss.Weights)))
	text, err := json.Marshal(c)
	if err != nil {
		return nil, Loss{}, err
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(8<<20))
	if err != nil {
		return nil, Loss{}, err
	}
	file := append([]byte(compactMagic), make([]byte, 8)...)
	file = append(file, text...)
	file = encoder.EncodeAll(body, file)
	_ = encoder.Close()
	binary.LittleEndian.PutUint32(file[len(magic):], uint32(len(text)))
	binary.LittleEndian.PutUint32(file[len(magic)+4:], crc32.Checksum(file[prologue:], castagnoli))
	return file, c.Loss, nil
}

// pack appends one table.
func pack(body []byte, t []float32, numberBits int, loss *Loss, squares *float64) (scale float32, count int, _ []byte) {
	largest := float32(0)
	for _, w := range t {
		largest = max(largest, w, -w)
	}
	scale = largest / float32(int(1)<<(numberBits-1)-1)
	set := make([]byte, len(t)/8)
	var low, high []byte
	for i, w := range t {
		if w == 0 {
			continue
		}
		loss.Weights++
		number := int16(math.Round(float64(w) / float64(scale)))
		off := math.Abs(float64(w) - float64(float32(number)*scale))
		loss.Largest = max(loss.Largest, off)
		*squares += off * off
		if number == 0 {
			loss.Lost++
			continue
		}
		set[i/8] |= 1 << (i % 8)
		folded := uint16(number<<1 ^ number>>15) // small numbers of both signs first
		low, high = append(low, byte(folded)), append(high, byte(folded>>8))
		count++
	}
	body = append(body, set...)
	body = append(body, low...)
	return scale, count, append(body, high...)
}

// IsQuantized tells whether bytes begin as a quantized model.
func IsQuantized(file []byte) bool {
	return len(file) >= len(magic) && string(file[:len(magic)-1]) == compactMagic[:len(magic)-1]
}

// Dequantize makes a model of what Quantize wrote. Weights that were never seen are
// zero.
func Dequantize(file []byte) (*Model, error) {
	c, body, err := openCompact(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	n, err := New(c.Layout)
	if err != nil {
		return nil, err
	}
	n.Bias, n.Hopes, n.Downgrade = c.Bias, c.Hopes, c.Downgrade
	for s, tables := range n.tables {
		for p, t := range tables {
			if body, err = unpack(body, t, c.Scales[s][p], c.Counts[s][p]); err != nil {
				n.Close()
				return nil, fmt.Errorf("%w: stage %d, pattern %s: %w", ErrModel, s, n.Patterns[p], err)
			}
		}
	}
	return &Model{Network: n, Info: c.Info, Bits: c.Bits, Loss: c.Loss}, nil
}

// openCompact checks the file and unfolds its body, which is as long as it should be.
func openCompact(file []byte) (*compact, []byte, error) {
	switch {
	case !IsQuantized(file):
		return nil, nil, errors.New("it does not begin as a quantized model")
	case string(file[:len(magic)]) != compactMagic:
		return nil, nil, fmt.Errorf("it is of version %q, this program reads %q", file[len(magic)-1], compactMagic[len(magic)-1])
	case len(file) < prologue:
		return nil, nil, fmt.Errorf("truncated: %d bytes", len(file))
	}
	length := int64(binary.LittleEndian.Uint32(file[len(magic):]))
	if length > int64(len(file)-prologue) {
		return nil, nil, fmt.Errorf("truncated: %d bytes, its header alone takes %d", len(file), length)
	}
	if crc32.Checksum(file[prologue:], castagnoli) != binary.LittleEndian.Uint32(file[len(magic)+4:]) {
		return nil, nil, errors.New("truncated or corrupt: its checksum is wrong")
	}
	c := new(compact)
	if err := json.Unmarshal(file[prologue:int64(prologue)+length], c); err != nil {
		return nil, nil, fmt.Errorf("its header: %w", err)
	}
	want, err := c.bodyLength()
	if err != nil {
		return nil, nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(want)+1<<10), zstd.WithDecoderMaxWindow(32<<20))
	if err != nil {
		return nil, nil, err
	}
	defer decoder.Close()
	body, err := decoder.DecodeAll(file[int64(prologue)+length:], nil)
	if err == nil && len(body) != want {
		err = fmt.Errorf("its body has %d bytes, want %d", len(body), want)
	}
	return c, body, err
}

// bodyLength checks the header and tells how long the body must be.
func (c *compact) bodyLength() (n int, err error) {
	if err := errors.Join(c.check(), checkDowngrade(c.Downgrade)); err != nil {
		return 0, err
	}
	if c.Layout.Weights() > MaxWeights {
		return 0, fmt.Errorf("%d weights: a quantized model holds at most %d", c.Layout.Weights(), MaxWeights)
	}
	if len(c.Scales) != c.StageCount() || len(c.Counts) != c.StageCount() {
		return 0, fmt.Errorf("tables for %d and %d stages, want %d", len(c.Scales), len(c.Counts), c.StageCount())
	}
	for s := range c.Scales {
		if len(c.Scales[s]) != len(c.Patterns) || len(c.Counts[s]) != len(c.Patterns) {
			return 0, fmt.Errorf("%d scales and %d counts in stage %d, want %d", len(c.Scales[s]), len(c.Counts[s]), s, len(c.Patterns))
		}
		for p, count := range c.Counts[s] {
			entries := c.Patterns[p].Entries()
			if count < 0 || count > entries {
				return 0, fmt.Errorf("%d weights of a table of %d", count, entries)
			}
			n += entries/8 + 2*count
		}
	}
	return n, nil
}

// unpack takes one table off a body, which is known to be long enough if the count is
// that of the bits.
func unpack(body []byte, t []float32, scale float32, count int) (rest []byte, err error) {
	set, body := body[:len(t)/8], body[len(t)/8:]
	found := 0
	for _, b := range set {
		found += bits.OnesCount8(b)
	}
	if found != count {
		return nil, fmt.Errorf("%d weights, want %d", found, count)
	}
	low, high := body[:count], body[count:2*count]
	k := 0
	for at, b := range set {
		for ; b != 0; b &= b - 1 {
			folded := uint16(low[k]) | uint16(high[k])<<8
			k++
			number := int16(folded>>1) ^ -int16(folded&1)
			t[8*at+bits.TrailingZeros8(b)] = float32(number) * scale
		}
	}
	return body[2*count:], nil
}
