package picture

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// magic begins what a page sends in place of a file: the browser has decoded it, as the decoders of
// all formats would double this package. Width and height follow, little-endian in 32 bits each, and
// the pixels in RGB, three bytes each.
const magic = "RGB\n"

// decode reads a picture that the browser has decoded.
func decode(ctx context.Context, data []byte) (*raster, error) {
	const head = len(magic) + 8
	if len(data) < head || string(data[:len(magic)]) != magic {
		return nil, errors.New("not a picture that can be read: must be a PNG, JPEG or WebP file")
	}
	if len(data) > MaxBytes {
		return nil, tooLarge()
	}
	w, h := int(binary.LittleEndian.Uint32(data[len(magic):])), int(binary.LittleEndian.Uint32(data[len(magic)+4:]))
	data = data[head:]
	if w <= 0 || h <= 0 || w > MaxPixels/h || len(data) != 3*w*h {
		return nil, fmt.Errorf("the picture has %d x %d pixels in %d bytes", w, h, len(data))
	}
	return &raster{w, h, data}, nil
}
