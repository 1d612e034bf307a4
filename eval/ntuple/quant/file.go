package quant

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// A quantized model begins with the magic "AFTERNQ" and its version, and the JSON of a Header, as [ntuple.EncodeFront]
// writes them. Then come
//
//	streams  the coded tables, by stage and pattern; see unpacker
const (
	magic = "AFTERNQ2"
	// MaxWeights is the maximum number of weights of a quantized model. Decoded, they take 4 GiB, or less with
	// ntuple.NewSparse.
	MaxWeights = 1 << 31
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Header is the header of a quantized model: its metadata.
type Header struct {
	ntuple.Head
	ntuple.Info
	Bits     int     `json:"bits"`
	Scale    float32 `json:"scale"`
	Loss     Loss    `json:"loss"`
	Bytes    [][]int `json:"bytes"`    // lengths of the streams, by stage and pattern
	Check    uint32  `json:"crc32c"`   // CRC-32C of the streams
	Checksum uint32  `json:"checksum"` // [ntuple.Network.Checksum] of the decoded network
	// Header is the header's bytes. They contain a checksum of the weights, so they identify the file.
	Header []byte `json:"-"`
}

// write returns the complete file. It decodes the streams to compute the checksum of the network.
func (c *Header) write(streams [][][]byte) (body []byte, err error) {
	c.Bytes = make([][]int, len(streams))
	for s := range streams {
		for _, stream := range streams[s] {
			c.Bytes[s] = append(c.Bytes[s], len(stream))
			body = append(body, stream...)
		}
	}
	c.Check = crc32.Checksum(body, castagnoli)
	n, err := c.network(body)
	if err != nil {
		return nil, err
	}
	c.Checksum = n.Checksum()
	n.Close()
	front, err := ntuple.EncodeFront(magic, c)
	return append(front, body...), err
}

// Annotate returns a copy of a quantized model with its measurements replaced by measured and
// played, each of which may be nil. If both together take more than 1024 bytes, the result may
// exceed [Options].Size.
func Annotate(file []byte, measured *ntuple.Measured, played *ScoreComparison) ([]byte, error) {
	c, body, err := open(file)
	if err != nil {
		return nil, err
	}
	c.Measured, c.Loss.Played = measured, played
	front, err := ntuple.EncodeFront(magic, c)
	return append(front, body...), err
}

// ReadSummary reads the header of a quantized model without the weights. It reads ahead, so the
// reader's position afterwards is undefined.
func ReadSummary(r io.Reader) (*Header, error) {
	c, err := readCompact(bufio.NewReader(r))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ntuple.ErrModel, err)
	}
	return c, nil
}

// IsQuantized reports whether a file begins as a quantized model of any version. The first 8 bytes
// of the file are enough.
func IsQuantized(file []byte) bool { return ntuple.BeginsAs(file, magic) }

// Dequantize decodes a file that Quantize wrote, on all cores. Omitted weights are zero. The caller
// closes the network. An error about the file wraps [ntuple.ErrModel].
func Dequantize(file []byte) (*ntuple.Network, error) {
	c, body, err := open(file)
	if err != nil {
		return nil, err
	}
	return c.network(body)
}

// network decodes the streams into weights.
func (c *Header) network(body []byte) (*ntuple.Network, error) {
	n, err := ntuple.New(c.Layout)
	if err != nil {
		return nil, err
	}
	n.Bias, n.Downgrade = c.Bias, c.Downgrade
	promoted := c.Walls > 0 // training does not promote the weights of ending networks, so this is done here
	return filled(n, c.unpack(body, nil, promoted, func(u unit, tables [][]int16) error {
		for s, table := range tables {
			weights := n.Table(u.First+s, u.pattern)
			for i, x := range table {
				if x != 0 {
					weights[i] = float32(x) * c.Scale
				}
			}
		}
		return nil
	}))
}

// filled returns n if err is nil. Otherwise it closes n and returns err.
func filled(n *ntuple.Network, err error) (*ntuple.Network, error) {
	if err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// open decodes and checks the header, verifies the checksum of the streams, and returns the streams
// as body.
func open(file []byte) (c *Header, body []byte, err error) {
	r := bytes.NewReader(file)
	if c, err = readCompact(r); err == nil {
		body = file[len(file)-r.Len():]
		_, err = c.streams(body)
	}
	if err == nil && crc32.Checksum(body, castagnoli) != c.Check {
		err = errors.New("truncated or corrupt: the checksum is wrong")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ntuple.ErrModel, err)
	}
	return c, body, nil
}

// readCompact decodes and checks everything before the streams.
func readCompact(r io.Reader) (*Header, error) {
	c := new(Header)
	text, err := ntuple.DecodeFront(r, magic, c)
	if err != nil {
		return nil, err
	}
	c.Header = text
	return c, c.check()
}

// check returns an error that names an invalid value of the header.
func (c *Header) check() error {
	if err := c.Validate(); err != nil {
		return err
	}
	if c.Layout.Weights() > MaxWeights {
		return fmt.Errorf("%d weights: a quantized model holds at most %d", c.Layout.Weights(), MaxWeights)
	}
	if !(c.Scale >= 0) {
		return fmt.Errorf("scale %v: must be 0 or more points", c.Scale)
	}
	if len(c.Bytes) != c.StageCount() {
		return fmt.Errorf("streams for %d stages: must be %d", len(c.Bytes), c.StageCount())
	}
	for s := range c.Bytes {
		if len(c.Bytes[s]) != len(c.Patterns) {
			return fmt.Errorf("%d streams in stage %d: must be %d", len(c.Bytes[s]), s, len(c.Patterns))
		}
	}
	return nil
}
