//go:build !js

package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"runtime/debug"
)

// decode decodes a PNG, JPEG or WebP file and reduces it to about workPixels.
func decode(ctx context.Context, data []byte) (*raster, error) {
	if len(data) == 0 {
		return nil, errors.New("the picture is empty: want a PNG, JPEG or WebP file")
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

// reduced converts an image in strips, so that no copy of its full size is made. What is
// transparent becomes white.
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
		shrinkRow(out.pix[3*y*out.w:3*(y+1)*out.w], strip.Pix, strip.Stride, f)
	}
	return out, nil
}
