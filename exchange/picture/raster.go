package picture

import (
	"context"
	"fmt"
	"io"
	"math"
)

const (
	// MaxBytes is the maximum size of a file in bytes.
	MaxBytes = 20 << 20
	// MaxPixels is the maximum number of pixels, checked before anything is decoded.
	MaxPixels = 40_000_000
	// MaxMemory is the maximum number of bytes that decoding may allocate, estimated from the picture's
	// header and length.
	MaxMemory = 256 << 20
	// workPixels is the approximate number of pixels at which a picture is read. Larger pictures are reduced
	// by an integer factor.
	workPixels = 3_200_000
)

// raster is a picture in RGB, three bytes per pixel.
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
	return fmt.Errorf("the file is too large: must be at most %d MB", MaxBytes>>20)
}

// contextReader is a reader that fails once its context has ended. It stops a decoder at its next read.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (u *contextReader) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// reduction returns the factor by which a picture is reduced to about workPixels.
func reduction(w, h int) int {
	f := int(math.Ceil(math.Sqrt(float64(w) * float64(h) / workPixels)))
	return max(1, min(f, w, h))
}

// shrinkRow averages squares of f times f pixels into a row in RGB. Each pixel has the given number of bytes, of
// which the first three are RGB. stride is the number of bytes in a row of pixels.
func shrinkRow(row, pixels []uint8, stride, bytes, f int) {
	for x := 0; 3*x < len(row); x++ {
		var sum [3]int
		for dy := range f {
			line := pixels[dy*stride+bytes*x*f:]
			for dx := range f {
				sum[0] += int(line[bytes*dx])
				sum[1] += int(line[bytes*dx+1])
				sum[2] += int(line[bytes*dx+2])
			}
		}
		for c, s := range sum {
			row[3*x+c] = uint8((s + f*f/2) / (f * f))
		}
	}
}

// shrunk returns a part of the raster, reduced by averaging squares of f times f pixels.
func (r *raster) shrunk(x0, y0, x1, y1, f int) *raster {
	out := newRaster((x1-x0)/f, (y1-y0)/f)
	for y := range out.h {
		shrinkRow(out.pix[3*y*out.w:3*(y+1)*out.w], r.pix[3*((y0+y*f)*r.w+x0):], 3*r.w, 3, f)
	}
	return out
}

// box is the bounding box of a connected region, by axis: columns 0, rows 1.
type box struct {
	from, to [2]int // to is exclusive
	area     int
}

func (b *box) size(axis int) int { return b.to[axis] - b.from[axis] }

func (b *box) centre(axis int) float64 { return float64(b.from[axis]+b.to[axis]) / 2 }

// around lists the steps from a pixel to its four neighbours at the edges, then to its four neighbours at
// the corners.
var around = [8][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}

// flood returns the box of the region that can be reached from pixel start by steps. joins reports whether another
// pixel belongs to the region; flood calls visit for each pixel of the region. It skips pixels that are set in seen,
// and sets all pixels of the region there.
func flood(w, h, start int, steps [][2]int, seen []bool, visit func(at int), joins func(at int) bool) box {
	b := box{from: [2]int{w, h}}
	seen[start] = true
	for stack := []int32{int32(start)}; len(stack) > 0; {
		at := int(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		x, y := at%w, at/w
		b.from = [2]int{min(b.from[0], x), min(b.from[1], y)}
		b.to = [2]int{max(b.to[0], x+1), max(b.to[1], y+1)}
		b.area++
		visit(at)
		for _, s := range steps {
			i, j := x+s[0], y+s[1]
			if i < 0 || j < 0 || i >= w || j >= h {
				continue
			}
			if to := j*w + i; !seen[to] && joins(to) {
				seen[to] = true
				stack = append(stack, int32(to))
			}
		}
	}
	return b
}

// regions returns the connected regions of at least smallest pixels in which every pixel, when it is added,
// differs from the region's mean colour by at most tolerance in each channel.
func regions(m *raster, tolerance float64, smallest int) (all []box) {
	seen := make([]bool, m.w*m.h)
	for start := range seen {
		if seen[start] || !flat(m, start) {
			continue
		}
		var mean, sum [3]float64
		n := 0.0
		b := flood(m.w, m.h, start, around[:4], seen, func(at int) {
			n++
			for c := range sum {
				sum[c] += float64(m.pix[3*at+c])
				mean[c] = sum[c] / n
			}
		}, func(at int) bool {
			for c, v := range mean {
				if d := float64(m.pix[3*at+c]) - v; d > tolerance || d < -tolerance {
					return false
				}
			}
			return true
		})
		if b.area >= smallest {
			all = append(all, b)
		}
	}
	return all
}

// flat reports whether a pixel has about the colour of its neighbours to the right and below, so a region may
// start there.
func flat(m *raster, at int) bool {
	const maximum = 6
	x, y := at%m.w, at/m.w
	if x == m.w-1 || y == m.h-1 {
		return false
	}
	for c := range 3 {
		v := int(m.pix[3*at+c])
		if right, below := int(m.pix[3*(at+1)+c]), int(m.pix[3*(at+m.w)+c]); v-right > maximum || right-v > maximum || v-below > maximum || below-v > maximum {
			return false
		}
	}
	return true
}
