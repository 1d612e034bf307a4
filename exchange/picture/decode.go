//go:build !js

package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"runtime/debug"
	"strings"

	"golang.org/x/image/webp"
)

// decode decodes a PNG, JPEG or WebP file and reduces it to about workPixels.
func decode(ctx context.Context, data []byte) (*raster, error) {
	if len(data) == 0 {
		return nil, errors.New("the picture is empty: give a PNG, JPEG or WebP file")
	}
	if len(data) > MaxBytes {
		return nil, tooLarge()
	}
	h, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if h.bytes > keptMemory {
		defer debug.FreeOSMemory()
	}
	m, err := h.decode(&until{ctx, bytes.NewReader(data)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, damaged(h.format, err)
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
	// maxBlocks limits the work for a JPEG: the number of blocks of 8 x 8 samples, counted once per scan. A
	// progressive file that needs MaxMemory has about a quarter of this number with the scans that libjpeg makes.
	maxBlocks = 1 << 24
	// keptMemory is the number of allocated bytes above which memory is returned to the system after decoding.
	keptMemory = 64 << 20
)

// header holds the properties of a file that are known before it is decoded.
type header struct {
	format string
	kind   string // the properties that determine the memory needed, for messages
	w, h   int
	bytes  int // upper bound of the bytes that decode and reduced allocate
	decode func(io.Reader) (image.Image, error)
}

var errCut = errors.New("it ends in its header")

func damaged(format string, err error) error {
	return fmt.Errorf("the %s file is damaged: %w", format, err)
}

// readHeader reads the header of a PNG, JPEG or WebP file.
func readHeader(data []byte) (h header, err error) {
	head := string(data[:min(len(data), 12)])
	switch {
	case strings.HasPrefix(head, "\x89PNG\r\n\x1a\n"):
		h = header{format: "png", decode: png.Decode}
		err = h.png(data)
	case strings.HasPrefix(head, "\xff\xd8"):
		h = header{format: "jpeg", decode: jpeg.Decode}
		err = h.jpeg(data)
	case strings.HasPrefix(head, "RIFF") && strings.HasSuffix(head, "WEBP"):
		h = header{format: "webp", decode: webp.Decode}
		err = h.webp(data)
	default:
		err = errors.New("not a picture that can be read: must be a PNG, JPEG or WebP file")
	}
	return h, err
}

// size sets width and height, and sets bytes to the memory that reduced allocates. It fails if there are too
// many pixels, or too few for a board.
func (h *header) size(w, height int) error {
	if w <= 0 || height <= 0 || w > MaxPixels/height {
		return fmt.Errorf("the picture has %d x %d pixels: must be at most %d million", w, height, MaxPixels/1_000_000)
	}
	if min(w, height) < 3*smallestCell {
		return ErrNoBoard
	}
	f := reduction(w, height)
	h.w, h.h, h.bytes = w, height, 3*(w/f)*(height/f)+4*w*f
	return nil
}

// check returns an error if decoding would take more than MaxMemory.
func (h *header) check() error {
	if h.bytes > MaxMemory {
		return fmt.Errorf("decoding the picture (%s, %d x %d pixels) takes up to %d MB: must be at most %d MB, such as a PNG of 8 bits without interlacing",
			h.kind, h.w, h.h, h.bytes>>20, MaxMemory>>20)
	}
	return nil
}

func (h *header) png(data []byte) error {
	if len(data) < 29 || string(data[12:16]) != "IHDR" {
		return damaged(h.format, errCut)
	}
	if err := h.size(int(binary.BigEndian.Uint32(data[16:])), int(binary.BigEndian.Uint32(data[20:]))); err != nil {
		return err
	}
	depth, colour, interlaced := data[24], data[25], data[28] != 0
	pixel := 4 // bytes in memory, also for grey pixels: a chunk may make one shade transparent
	switch {
	case colour == 3:
		pixel = 1 // an index into a palette
	case depth == 16:
		pixel = 8
	}
	h.kind = fmt.Sprintf("PNG of %d bits", depth)
	h.bytes += pixel*h.w*h.h + 2*(1+pixel*h.w) // the image and two rows
	if interlaced {
		h.kind = "interlaced " + h.kind
		h.bytes += pixel*h.w*h.h + 4*(4+pixel*h.w) // the seven passes, and their rows
	}
	return nil
}

// jpeg reads the markers of a JPEG up to its end, because every scan adds work.
func (h *header) jpeg(data []byte) error {
	var blocks map[byte]int // number of blocks of each component
	scans, all, rgb := 0, 0, false
	for at := 2; ; {
		marker, segment, next := nextSegment(data, at)
		switch marker {
		case 0, 0xd9: // the end of the file or of the picture
			if blocks == nil {
				return damaged(h.format, errCut)
			}
			if rgb && len(blocks) == 3 || len(blocks) == 4 || min(blocks['R'], blocks['G'], blocks['B']) > 0 {
				h.bytes += 4 * h.w * h.h // the samples are converted
			}
			return nil
		case 0xee:
			rgb = rgb || len(segment) >= 12 && segment[11] == 0
		case 0xc0, 0xc1, 0xc2:
			if blocks != nil {
				return damaged(h.format, errors.New("it has two frames"))
			}
			var err error
			if blocks, err = h.frame(segment, marker == 0xc2); err != nil {
				return err
			}
		case 0xda:
			if len(segment) == 0 || len(segment) < 1+2*int(segment[0]) {
				return damaged(h.format, errCut)
			}
			for i := range int(segment[0]) {
				all += blocks[segment[1+2*i]]
			}
			if all > maxBlocks {
				return fmt.Errorf("the picture is a JPEG of %d x %d pixels with too many scans: must be at most %d of this size", h.w, h.h, scans)
			}
			scans++
		}
		at = next
	}
}

// nextSegment returns the next marker at or after an offset, with its segment and the offset after it. The marker
// is 0 at the end. Scan data between segments is skipped: there 0xff 0x00 is a data byte, and restart markers
// have no segment.
func nextSegment(data []byte, at int) (marker byte, segment []byte, next int) {
	for at+1 < len(data) {
		switch marker := data[at+1]; {
		case data[at] != 0xff || marker == 0xff:
			at++
		case marker == 0 || 0xd0 <= marker && marker <= 0xd7:
			at += 2
		case at+4 > len(data):
			return marker, nil, len(data)
		default:
			end := min(len(data), at+2+max(2, int(binary.BigEndian.Uint16(data[at+2:]))))
			return marker, data[at+4 : end], end
		}
	}
	return 0, nil, len(data)
}

// frame reads the frame header of a JPEG, which contains the image size, and returns the number of blocks
// of each component.
func (h *header) frame(s []byte, progressive bool) (map[byte]int, error) {
	if len(s) < 9 || len(s) != 6+3*int(s[5]) {
		return nil, damaged(h.format, errCut)
	}
	if err := h.size(int(binary.BigEndian.Uint16(s[3:])), int(binary.BigEndian.Uint16(s[1:]))); err != nil {
		return nil, err
	}
	sampling := s[7:] // every third byte
	if s[5] == 1 {
		sampling = []byte{0x11} // sampling factors do not apply to a single component
	}
	across, down := max(1, int(sampling[0]>>4)), max(1, int(sampling[0]&15))
	units := ((h.w + 8*across - 1) / (8 * across)) * ((h.h + 8*down - 1) / (8 * down))
	blocks, all := map[byte]int{}, 0
	for i := range int(s[5]) {
		n := units * int(sampling[3*i]>>4) * int(sampling[3*i]&15)
		blocks[s[6+3*i]] = n
		all += n
	}
	h.kind = fmt.Sprintf("JPEG of %d components", s[5])
	h.bytes += 64 * all
	if progressive {
		h.kind = "progressive " + h.kind
		h.bytes += 256 * all // the coefficients
	}
	return blocks, nil
}

// errLossless is the error for lossless WebP, also if only the alpha channel of a lossy file is lossless. The decoder
// allocates up to 5 kB for each byte of the file, and 176 MB for a file of 50 bytes. The amount is known only after
// most of the file is decoded.
var errLossless = errors.New("lossless WebP is not read: save the picture as PNG, JPEG or lossy WebP")

// webp reads the chunks of a WebP file up to its frame. If a chunk of another kind occurs twice, webp ignores the
// second, because the decoder fails there.
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
			if canvas != nil { // the decoder would read the alpha of a frame as if it had the size of the canvas
				cw, ch := 1+int(binary.LittleEndian.Uint32(canvas[3:])>>8), 1+int(binary.LittleEndian.Uint32(canvas[6:])>>8)
				if cw != w || ch != height {
					return damaged(h.format, fmt.Errorf("its frame of %d x %d pixels is on a canvas of %d x %d", w, height, cw, ch))
				}
			}
			h.kind = "WebP"
			// Samples and filters, and the data, of which the first partition has at most 1<<19 bytes.
			h.bytes += 400*((w+15)/16)*((height+15)/16) + len(body) + 1<<19
			if len(alpha) > 0 {
				h.bytes += w * height
			}
			return nil
		}
		at += size + size&1
	}
	return damaged(h.format, errors.New("it has no picture, or moving ones"))
}
