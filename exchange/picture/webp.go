//go:build !js

package picture

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// errLossless is the error for lossless WebP, also in the transparency of a lossy one. Its decoder allocates up to 5 kB for
// each byte of the file, and 176 MB for a file of 50 bytes; how much is known only when most of the file is decoded.
var errLossless = errors.New("lossless WebP is not read: save the picture as PNG, JPEG or lossy WebP")

// webp reads the chunks of a WebP file up to its frame. Of each other kind the first counts: the decoder fails at the
// second, with the first decoded.
func (h *header) webp(data []byte) error {
	var canvas, alpha []byte
	for at := 12; at+8 <= len(data); {
		kind, size := string(data[at:at+4]), int(binary.LittleEndian.Uint32(data[at+4:]))
		at += 8
		if size < 0 || size > len(data)-at {
			return damaged(h.format, errors.New("a chunk reaches past its end"))
		}
		body := data[at : at+size]
		switch {
		case kind == "VP8X" && canvas == nil:
			canvas = body
		case kind == "ALPH" && alpha == nil:
			alpha = body
		case kind == "VP8 ", kind == "VP8L":
			return h.webpFrame(kind, body, canvas, alpha)
		}
		at += size + size&1
	}
	return damaged(h.format, errors.New("it has no picture, or moving ones"))
}

// webpFrame reads the header of a frame. A frame that is not of the canvas's size is refused: the decoder takes its
// transparency for that of the canvas.
func (h *header) webpFrame(kind string, body, canvas, alpha []byte) error {
	if len(body) < 10 || canvas != nil && len(canvas) != 10 {
		return damaged(h.format, errCut)
	}
	if kind == "VP8L" || len(alpha) > 0 && alpha[0]&3 == 1 {
		return errLossless
	}
	w, height := int(binary.LittleEndian.Uint16(body[6:])&0x3fff), int(binary.LittleEndian.Uint16(body[8:])&0x3fff)
	if err := h.size(w, height); err != nil {
		return err
	}
	if canvas != nil {
		cw, ch := 1+int(binary.LittleEndian.Uint32(canvas[3:])>>8), 1+int(binary.LittleEndian.Uint32(canvas[6:])>>8)
		if cw != w || ch != height {
			return damaged(h.format, fmt.Errorf("its frame of %d x %d pixels is on a canvas of %d x %d", w, height, cw, ch))
		}
	}
	h.kind = "WebP"
	// Samples, filters, and the data, whose first part is at most 1<<19.
	h.bytes += 400*((w+15)/16)*((height+15)/16) + len(body) + 1<<19
	if len(alpha) > 0 {
		h.bytes += w * height
	}
	return nil
}
