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
	_ "image/jpeg" // formats for image.Decode
	_ "image/png"

	_ "golang.org/x/image/webp"
)

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
	f := reduction(b.Dx(), b.Dy())
	out := newRaster(b.Dx()/f, b.Dy()/f)
	strip := image.NewRGBA(image.Rect(0, 0, b.Dx(), f))
	for y := range out.h {
		draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(strip, strip.Rect, m, image.Pt(b.Min.X, b.Min.Y+y*f), draw.Over)
		shrinkRow(out.pix[3*y*out.w:3*(y+1)*out.w], strip.Pix, strip.Stride, f)
	}
	return out
}
