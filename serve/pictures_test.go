//go:build pictures

package serve

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	scaling "golang.org/x/image/draw"

	"github.com/afterstate2048/afterstate/internal/must"
)

// Every view is photographed in every window, into the folder SHOTS. The guide's pictures, docs/page-*.png and
// docs/phone-*.png, are some of those of the desk and the phone, side by side.
func TestPictures(t *testing.T) {
	if os.Getenv("SHOTS") == "" {
		t.Fatal("SHOTS names no folder for the pictures")
	}
	in := pages{Context: browser(t)}
	s := in.toured(t)
	for _, sc := range append(screens, screen{"narrow-light", 320, 640, true, false}, screen{"wide-dark", 3840, 2160, false, true}) {
		s.tour(t, in, sc, func(b *tab) {
			if b.holds(ready) { // it has just been opened, at Play
				b.play(40)
			}
		}, func(b *tab, view string) {
			b.run(evaluate(`scrollTo(0, 0)`))
			b.settle()
			b.shot(fileName(view))
		})
	}
	for _, scheme := range []string{"light", "dark"} {
		sideBySide(t, "page-"+scheme, "desk-"+scheme, 3, 640, "play", "today", "a-step-of-a-lesson", "reviewing", "solve", "watch")
		sideBySide(t, "phone-"+scheme, "phone-"+scheme, 6, 240, "play", "today", "a-step-of-a-lesson", "reviewing", "solve", "games")
	}
}

// sideBySide writes a picture of the guide: pictures of views in a window, reduced to a width, with a given number in a row.
func sideBySide(t *testing.T, name, window string, row, width int, views ...string) {
	t.Helper()
	const around = 6
	var all *image.RGBA
	for i, view := range views {
		data := must.Get(os.ReadFile(filepath.Join(os.Getenv("SHOTS"), window+"-"+view+".png")))(t)
		from := must.Get(png.Decode(bytes.NewReader(data)))(t)
		height := width * from.Bounds().Dy() / from.Bounds().Dx()
		if all == nil {
			all = image.NewRGBA(image.Rect(0, 0, row*(width+2*around), (len(views)+row-1)/row*(height+2*around)))
		}
		at := image.Pt(i%row*(width+2*around)+around, i/row*(height+2*around)+around)
		scaling.CatmullRom.Scale(all, image.Rectangle{at, at.Add(image.Pt(width, height))}, from, from.Bounds(), scaling.Src, nil)
	}
	writePNG(t, filepath.Join("..", "docs", name+".png"), all)
}

// writePNG writes a picture as a small file.
func writePNG(t *testing.T, path string, picture image.Image) {
	t.Helper()
	var small bytes.Buffer
	must.Do(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, fewColours(picture)))
	must.Do(t, os.WriteFile(path, small.Bytes(), 0o644))
}

// The picture that shows the page where its address is shared: a hint on a late board, in the size that sites ask for.
//
//	go test -tags pictures ./serve -run Preview && go generate ./serve
func TestPreview(t *testing.T) {
	wide := screen{"preview", previewWidth, previewHeight, false, false}
	b := open(t, browser(t), newSite(t, Options{}), wide, "#play/from/8192,4096,2048,1024/64,128,256,512/32,16,8,4/2,0,2,0")
	b.until(`document.querySelectorAll('.tile').length === 14`)
	b.press(" ")
	b.until(`document.querySelector('.edge[data-best]')`)
	b.run(evaluate(`document.activeElement?.blur(); scrollTo(0, 0)`))
	b.settle()
	shot := must.Get(chromedp.Run(b.ctx, chromedp.CaptureScreenshot()))(t)
	picture := must.Get(png.Decode(bytes.NewReader(shot)))(t)
	writePNG(t, "ui/static/"+previewName, picture)
	b.clean()
}

// fewColours returns a picture in 256 colours: the most frequent one, then always the one that costs most by its distance from
// those chosen, so a small red sign stays red.
func fewColours(from image.Image) image.Image {
	bounds, count := from.Bounds(), map[color.RGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[color.RGBAModel.Convert(from.At(x, y)).(color.RGBA)]++
		}
	}
	type candidate struct {
		color.RGBA
		many, far int
	}
	var all []candidate
	for c, n := range count {
		all = append(all, candidate{c, n, math.MaxInt32})
	}
	slices.SortFunc(all, func(a, b candidate) int { // the picture alone decides
		return cmp.Or(b.many-a.many, bytes.Compare([]byte{a.R, a.G, a.B, a.A}, []byte{b.R, b.G, b.B, b.A}))
	})
	var palette color.Palette
	for next := 0; len(palette) < min(256, len(all)); {
		chosen := all[next].RGBA
		palette = append(palette, chosen)
		next = 0
		for i := range all {
			c := &all[i]
			r, g, b := int(c.R)-int(chosen.R), int(c.G)-int(chosen.G), int(c.B)-int(chosen.B)
			c.far = min(c.far, r*r+g*g+b*b)
			if c.many*c.far > all[next].many*all[next].far {
				next = i
			}
		}
	}
	to := image.NewPaletted(bounds, palette)
	draw.Draw(to, bounds, from, bounds.Min, draw.Src)
	return to
}

// settle lets motion end before a picture.
func (b *tab) settle() { time.Sleep(450 * time.Millisecond) }
