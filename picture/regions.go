package picture

// box is a region of about one colour, by its bounding box.
type box struct {
	x0, y0, x1, y1 int // x1 and y1 are exclusive
	area           int
	colour         [3]float64
}

func (b *box) w() int { return b.x1 - b.x0 }
func (b *box) h() int { return b.y1 - b.y0 }

// regions returns the connected regions in which every pixel differs from the region's mean colour
// by at most tolerance in each channel. Only those of at least smallest pixels in area are kept.
func regions(m *raster, tolerance float64, smallest int) []box {
	var all []box
	label := make([]bool, m.w*m.h) // belongs to a region
	var stack []int32
	for start := range label {
		if label[start] || !flat(m, start) {
			continue
		}
		x, y := start%m.w, start/m.w
		b := box{x0: x, y0: y, x1: x + 1, y1: y + 1}
		var sum [3]float64
		stack = append(stack[:0], int32(start))
		label[start] = true
		for len(stack) > 0 {
			at := int(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
			x, y := at%m.w, at/m.w
			b.x0, b.x1 = min(b.x0, x), max(b.x1, x+1)
			b.y0, b.y1 = min(b.y0, y), max(b.y1, y+1)
			b.area++
			for c := range sum {
				sum[c] += float64(m.pix[3*at+c])
			}
			n := float64(b.area)
			try := func(to int) {
				if label[to] {
					return
				}
				for c := range sum {
					if d := float64(m.pix[3*to+c]) - sum[c]/n; d > tolerance || d < -tolerance {
						return
					}
				}
				label[to] = true
				stack = append(stack, int32(to))
			}
			if x > 0 {
				try(at - 1)
			}
			if x < m.w-1 {
				try(at + 1)
			}
			if y > 0 {
				try(at - m.w)
			}
			if y < m.h-1 {
				try(at + m.w)
			}
		}
		if b.area >= smallest {
			for c := range sum {
				b.colour[c] = sum[c] / float64(b.area)
			}
			all = append(all, b)
		}
	}
	return all
}

// flat reports whether a pixel is about as its neighbours to the right and below, so that it may
// begin a region.
func flat(m *raster, at int) bool {
	const most = 6
	x, y := at%m.w, at/m.w
	if x == m.w-1 || y == m.h-1 {
		return false
	}
	for c := range 3 {
		v := int(m.pix[3*at+c])
		if right, below := int(m.pix[3*(at+1)+c]), int(m.pix[3*(at+m.w)+c]); v-right > most || right-v > most || v-below > most || below-v > most {
			return false
		}
	}
	return true
}
