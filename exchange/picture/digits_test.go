package picture

import (
	"image"
	"image/color"
	"math"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationmonobold"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-fonts/liberation/liberationserifbold"
	"codeberg.org/go-fonts/liberation/liberationserifregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/afterstate2048/afterstate/internal/must"
)

// fonts are those whose digits are the templates.
var fonts = [][]byte{
	gobold.TTF, gomedium.TTF, goregular.TTF, gomonobold.TTF,
	liberationsansbold.TTF, liberationsansregular.TTF, liberationserifbold.TTF, liberationserifregular.TTF, liberationmonobold.TTF,
}

// heights of the digits that become templates, in pixels: large ones, and small ones that blur.
var heights = []float64{44, 9}

// typeset draws a text in a font.
func typeset(t *testing.T, ttf []byte, size float64, text string) *ink {
	t.Helper()
	parsed := must.Get(opentype.Parse(ttf))(t)
	face := must.Get(opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone}))(t)
	w, h := font.MeasureString(face, text).Ceil()+8, int(1.6*size)+8
	m := image.NewGray(image.Rect(0, 0, w, h))
	d := font.Drawer{Dst: m, Src: image.NewUniform(color.White), Face: face, Dot: fixed.P(4, int(1.2*size)+2)}
	d.DrawString(text)
	k := newInk(w, h)
	for i := range k.a {
		k.a[i] = float32(m.Pix[i]) / 255
	}
	return k
}

// digits.bin contains the digits of the fonts; UPDATE=1 rewrites it.
func TestDigits(t *testing.T) {
	var file []byte
	for _, ttf := range fonts {
		for _, height := range heights {
			for d := range 10 {
				k := typeset(t, ttf, height/0.72, string(rune('0'+d)))
				g, _, ok := k.raw(0, k.w)
				if !ok {
					t.Fatalf("digit %d has no ink", d)
				}
				file = append(file, byte(d), encodeShape(g.shape))
				for _, v := range g.v {
					file = append(file, byte(255*v+0.5))
				}
			}
		}
	}
	must.Golden(t, "digits.bin", file)
}

// encodeShape is the inverse of shapeOf.
func encodeShape(s float64) byte { return byte(math.Round(min(255, max(0, (s+2.08)*64)))) }
