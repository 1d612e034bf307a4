package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // formats for image.Decode
	_ "image/png"
	"io"
	"math"

	_ "golang.org/x/image/webp"
)

const (
	// MaxBytes is the size limit of a file.
	MaxBytes = 20 << 20
	// MaxPixels is the limit of width times height, checked before anything is decoded.
	MaxPixels = 40_000_000
	// workPixels is about the size at which a picture is read: larger ones are reduced to it, by a
	// whole factor.
	workPixels = 3_200_000
)

// raster is a picture in RGB, three bytes a pixel.
type raster struct {
	w, h int
	pix  []uint8
}

func newRaster(w, h int) *raster { return &raster{w, h, make([]uint8, 3*w*h)} }

func (r *raster) at(x, y int) (red, green, blue int) {
	i := 3 * (y*r.w + x)
	return int(r.pix[i]), int(r.pix[i+1]), int(r.pix[i+2])
}

// decode decodes a PNG, JPEG or WebP file of at most maxPixels and reduces it to about workPixels.
func decode(ctx context.Context, data []byte, maxPixels int) (*raster, error) {
	if len(data) == 0 {
		return nil, errors.New("the picture is empty: want a PNG, JPEG or WebP file")
	}
	if len(data) > MaxBytes {
		return nil, tooLarge()
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || format != "png" && format != "jpeg" && format != "webp" {
		return nil, errors.New("not a picture that can be read: want a PNG, JPEG or WebP file")
	}
	if format == "webp" {
		w, h := webpFrame(data)
		c.Width, c.Height = max(c.Width, w), max(c.Height, h)
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels/c.Height {
		return nil, fmt.Errorf("the picture has %d x %d pixels: want at most %d million", c.Width, c.Height, maxPixels/1_000_000)
	}
	m, _, err := image.Decode(&until{ctx, bytes.NewReader(data)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("the %s file is damaged: %w", format, err)
	}
	return reduced(m), nil
}

func tooLarge() error {
	return fmt.Errorf("the file is too large: want at most %d MB", MaxBytes>>20)
}

// until is a reader that fails once its context has ended: a progressive JPEG of few bytes can take
// long to decode.
type until struct {
	ctx context.Context
	r   io.Reader
}

func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// webpFrame returns the largest size in the headers of a WebP file's frames. The decoder's config
// is that of the canvas, which frames need not respect.
func webpFrame(data []byte) (w, h int) {
	for at := 12; at+8 <= len(data); {
		kind, size := string(data[at:at+4]), int(binary.LittleEndian.Uint32(data[at+4:]))
		body := data[at+8:]
		switch {
		case kind == "VP8 " && len(body) >= 10:
			w = max(w, int(binary.LittleEndian.Uint16(body[6:]))&0x3fff)
			h = max(h, int(binary.LittleEndian.Uint16(body[8:]))&0x3fff)
		case kind == "VP8L" && len(body) >= 5:
			bits := binary.LittleEndian.Uint32(body[1:])
			w, h = max(w, int(bits&0x3fff)+1), max(h, int(bits>>14&0x3fff)+1)
		}
		if size < 0 || size > len(body) {
			break
		}
		at += 8 + size + size&1
	}
	return w, h
}

// reduced converts an image in strips, so that no copy of its full size is made. What is
// transparent becomes white.
func reduced(m image.Image) *raster {
	b := m.Bounds()
	f := int(math.Ceil(math.Sqrt(float64(b.Dx()) * float64(b.Dy()) / workPixels)))
	f = max(1, min(f, b.Dx(), b.Dy()))
	out := newRaster(b.Dx()/f, b.Dy()/f)
	strip := image.NewRGBA(image.Rect(0, 0, b.Dx(), f))
	for y := range out.h {
		draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(strip, strip.Rect, m, image.Pt(b.Min.X, b.Min.Y+y*f), draw.Over)
		shrinkRow(out.pix[3*y*out.w:3*(y+1)*out.w], strip, f)
	}
	return out
}

// shrinkRow averages squares of f times f pixels.
func shrinkRow(row []uint8, strip *image.RGBA, f int) {
	for x := 0; 3*x < len(row); x++ {
		var sum [3]int
		for dy := range f {
			line := strip.Pix[dy*strip.Stride+4*x*f:]
			for dx := range f {
				sum[0] += int(line[4*dx])
				sum[1] += int(line[4*dx+1])
				sum[2] += int(line[4*dx+2])
			}
		}
		for c, s := range sum {
			row[3*x+c] = uint8((s + f*f/2) / (f * f))
		}
	}
}

// halved returns a raster of half the size.
func (r *raster) halved() *raster {
	out := newRaster(r.w/2, r.h/2)
	for y := range out.h {
		for x := range out.w {
			from, to := 3*(2*y*r.w+2*x), 3*(y*out.w+x)
			for c := range 3 {
				sum := int(r.pix[from+c]) + int(r.pix[from+3+c]) + int(r.pix[from+3*r.w+c]) + int(r.pix[from+3*r.w+3+c])
				out.pix[to+c] = uint8((sum + 2) / 4)
			}
		}
	}
	return out
}
