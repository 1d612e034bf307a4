package quant

import (
	"fmt"

	"afterstate/ntuple"
)

// Convert returns a quantized model in the present version of the format: the same weights, to the
// last bit, and the same metadata. A file that is of this version already is returned as it is. An error
// about the file wraps [ntuple.ErrModel].
func Convert(file []byte) ([]byte, error) {
	c, body, err := openChecked(file)
	if err != nil {
		return nil, err
	}
	if c.version != former {
		return file, nil
	}
	n, err := c.differences(body)
	if err != nil {
		return nil, err
	}
	streams := make([][][]byte, c.StageCount())
	for s := range streams {
		streams[s] = make([][]byte, len(c.Patterns))
	}
	c.eachPattern(func(p int) {
		for s := range streams {
			streams[s][p] = pack(n.Int16Table(s, p), c.Patterns[p])
		}
	})
	n.Close()
	checksum := c.Checksum
	c.version = magic[len(magic)-1]
	converted, err := c.write(streams)
	if err == nil && c.Checksum != checksum {
		err = fmt.Errorf("%w: its weights have the checksum %08x, it says %08x", ntuple.ErrModel, c.Checksum, checksum)
	}
	return converted, err
}
