package picture

import (
	"context"
	"fmt"
	"io"
	"math"
)

const (
	// MaxBytes is the size limit of a file.
	MaxBytes = 20 << 20
	// MaxPixels is the limit of width times height, checked before anything is decoded.
	MaxPixels = 40_000_000
	// MaxMemory is the limit of the bytes that decoding a picture allocates, computed from its header and its length.
	MaxMemory = 256 << 20
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

// samples are the colours of some pixels, by channel.
type samples [3][]float64

func (s *samples) add(m *raster, x, y int) {
	for c := range s {
		s[c] = append(s[c], float64(m.pix[3*(y*m.w+x)+c]))
	}
}

func (s *samples) median() [3]float64 {
	return [3]float64{median(s[0]), median(s[1]), median(s[2])}
}

func tooLarge() error {
	return fmt.Errorf("the file is too large: want at most %d MB", MaxBytes>>20)
}

// until is a reader that fails once its context has ended. Decoders notice it with the next bytes that they read.
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

// reduction returns the factor by which a picture is reduced.
func reduction(w, h int) int {
	f := int(math.Ceil(math.Sqrt(float64(w) * float64(h) / workPixels)))
	return max(1, min(f, w, h))
}

// shrinkRow averages squares of f times f pixels of a strip in RGBA, stride bytes a row.
func shrinkRow(row, strip []uint8, stride, f int) {
	for x := 0; 3*x < len(row); x++ {
		var sum [3]int
		for dy := range f {
			line := strip[dy*stride+4*x*f:]
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

// shrunk returns a part of the raster, of which squares of f times f pixels are averaged.
func (r *raster) shrunk(x0, y0, x1, y1, f int) *raster {
	out := newRaster((x1-x0)/f, (y1-y0)/f)
	for y := range out.h {
		for x := range out.w {
			for c := range 3 {
				sum := 0
				for j := range f {
					for i := range f {
						sum += int(r.pix[3*((y0+y*f+j)*r.w+x0+x*f+i)+c])
					}
				}
				out.pix[3*(y*out.w+x)+c] = uint8((sum + f*f/2) / (f * f))
			}
		}
	}
	return out
}
