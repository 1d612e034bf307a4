//go:build !js

package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"runtime/debug"

	_ "golang.org/x/image/webp"
)

// decode decodes a PNG, JPEG or WebP file and reduces it to about workPixels.
func decode(ctx context.Context, data []byte) (*raster, error) {
	h, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	if h.bytes > keptMemory {
		defer debug.FreeOSMemory()
	}
	m, _, err := image.Decode(&contextReader{ctx, bytes.NewReader(data)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("the %s file is damaged: %w", h.format, err)
	}
	return reduced(ctx, m)
}

// reduced converts an image to a raster and reduces it, strip by strip to avoid a full-size copy.
// Transparent pixels become white.
func reduced(ctx context.Context, m image.Image) (*raster, error) {
	b := m.Bounds()
	f := reduction(b.Dx(), b.Dy())
	out := newRaster(b.Dx()/f, b.Dy()/f)
	strip := image.NewRGBA(image.Rect(0, 0, b.Dx(), f))
	for y := range out.h {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(strip, strip.Rect, m, image.Pt(b.Min.X, b.Min.Y+y*f), draw.Over)
		shrinkRow(out.pix[3*y*out.w:3*(y+1)*out.w], strip.Pix, strip.Stride, 4, f)
	}
	return out, nil
}

const (
	// maxWork limits the work for a JPEG: the number of samples, counted once per scan.
	maxWork = 1 << 30
	// keptMemory is the number of allocated bytes above which memory is returned to the system after decoding.
	keptMemory = 64 << 20
)

// header holds the properties of a file that are known before it is decoded.
type header struct {
	format string
	kind   string // the kind of picture that determines the memory needed, such as "progressive JPEG"
	w, h   int
	bytes  int // upper bound of the bytes that decode allocates
}

// errWebP is the error for lossless, transparent and animated WebP. The decoder of lossless WebP allocates 176 MB for a
// file of 50 bytes, which is known only after most of the file is decoded.
var errWebP = errors.New("lossless, transparent and animated WebP cannot be read: save the picture as PNG, JPEG or plain lossy WebP")

// readHeader reads the header of a PNG, JPEG or WebP file. It fails if the picture cannot be read, if it is too small
// for a board, or if decoding it would take too many pixels, too much memory or too much time.
func readHeader(data []byte) (h header, err error) {
	switch {
	case len(data) == 0:
		return h, errors.New("the picture is empty: must be a PNG, JPEG or WebP file")
	case len(data) > MaxBytes:
		return h, tooLarge()
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	h = header{format: format, w: c.Width, h: c.Height}
	switch {
	case format != "png" && format != "jpeg" && format != "webp":
		return h, errors.New("not a readable picture: must be a PNG, JPEG or WebP file")
	case err != nil:
		return h, fmt.Errorf("the %s file is damaged: %w", format, err)
	case h.w <= 0 || h.h <= 0 || h.w > MaxPixels/h.h:
		return h, fmt.Errorf("the picture has %d x %d pixels: must be at most %d million", h.w, h.h, MaxPixels/1_000_000)
	case min(h.w, h.h) < 3*smallestCell:
		return h, ErrNoBoard
	}
	each := 0 // bytes per pixel
	switch format {
	case "png":
		each = h.png(c.ColorModel, data[28] != 0)
	case "jpeg":
		each, err = h.jpeg(c.ColorModel, data)
	case "webp":
		each, err = h.webp(data)
	}
	if err != nil {
		return h, err
	}
	const margin = 32 // pixels added to each side: decoders pad images to full blocks, and keep some rows
	f := reduction(h.w, h.h)
	h.bytes = each*(h.w+margin)*(h.h+margin) + 3*(h.w/f)*(h.h/f) + 4*h.w*f + len(data) + 1<<20
	if h.bytes > MaxMemory {
		return h, fmt.Errorf("decoding the picture (%s, %d x %d pixels) takes up to %d MB: must be at most %d MB, as for a PNG of 8 bits without interlacing",
			h.kind, h.w, h.h, h.bytes>>20, MaxMemory>>20)
	}
	return h, nil
}

// png returns the number of bytes of memory that decoding a PNG takes per pixel.
func (h *header) png(model color.Model, interlaced bool) (each int) {
	h.kind, each = "PNG of 8 bits", 4 // 4 bytes also for grey pixels, because a chunk may make one shade transparent
	if model == color.Gray16Model || model == color.RGBA64Model || model == color.NRGBA64Model {
		h.kind, each = "PNG of 16 bits", 8
	}
	if interlaced { // the seven passes of interlacing together take as much memory again
		h.kind, each = "interlaced "+h.kind, 2*each
	}
	return each
}

// jpeg returns the maximum number of bytes of memory per pixel that decoding a JPEG takes; chroma
// subsampling would reduce it. In the data of a scan, 0xff is followed by 0 or the number of a
// restart, so markers can be found without parsing the segments.
func (h *header) jpeg(model color.Model, data []byte) (each int, err error) {
	components := 3
	switch model {
	case color.GrayModel:
		components = 1
	case color.CMYKModel:
		components = 4
	}
	maxScans := maxWork / (components * h.w * h.h)
	if bytes.Count(data, []byte("\xff\xda")) > maxScans {
		return 0, fmt.Errorf("the picture is a JPEG of %d x %d pixels with too many scans: at this size there must be at most %d", h.w, h.h, maxScans)
	}
	h.kind, each = "JPEG", components
	if bytes.Contains(data, []byte("\xff\xc2")) { // progressive: the decoder keeps four bytes for each coefficient
		h.kind, each = "progressive JPEG", 5*components
	}
	return each + 4, nil // 4 more for the conversion of RGB and CMYK
}

// webp returns the number of bytes of memory that decoding a WebP takes per pixel. It fails unless the file
// has a lossy frame that fills its canvas.
func (h *header) webp(data []byte) (each int, err error) {
	for at := 12; at+18 <= len(data); {
		kind, size := string(data[at:at+4]), int(binary.LittleEndian.Uint32(data[at+4:]))
		switch kind {
		case "VP8L", "ALPH", "ANMF":
			return 0, errWebP
		case "VP8 ":
			w, height := binary.LittleEndian.Uint16(data[at+14:])&0x3fff, binary.LittleEndian.Uint16(data[at+16:])&0x3fff
			if int(w) != h.w || int(height) != h.h {
				return 0, fmt.Errorf("the webp file is damaged: its frame of %d x %d pixels is on a canvas of %d x %d", w, height, h.w, h.h)
			}
			h.kind = "WebP"
			return 2, nil
		}
		at += 8 + size + size&1
	}
	return 0, errors.New("the webp file is damaged: it has no picture")
}
