package picture

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// magic is the prefix of the data that the web page sends in place of a file. The browser has already
// decoded the picture, because decoders for all formats would double the size of this package. Width and
// height follow as little-endian 32-bit numbers, and then the pixels in RGB, three bytes each.
const magic = "RGB\n"

// decode reads a picture that the browser has decoded.
func decode(ctx context.Context, data []byte) (*raster, error) {
	const head = len(magic) + 8
	if len(data) < head || string(data[:len(magic)]) != magic {
		return nil, errors.New("not a readable picture: must be a PNG, JPEG or WebP file")
	}
	if len(data) > MaxBytes {
		return nil, tooLarge()
	}
	w, h := int(binary.LittleEndian.Uint32(data[len(magic):])), int(binary.LittleEndian.Uint32(data[len(magic)+4:]))
	data = data[head:]
	if w <= 0 || h <= 0 || w > MaxPixels/h || len(data) != 3*w*h {
		return nil, fmt.Errorf("the picture is damaged: %d x %d pixels in %d bytes", w, h, len(data))
	}
	return &raster{w, h, data}, nil
}
