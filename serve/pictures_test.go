//go:build pictures

package serve

import (
	"bytes"
	"cmp"
	"fmt"
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
	"github.com/chromedp/chromedp/kb"
	scaling "golang.org/x/image/draw"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Every view is photographed in every window, into the folder SHOTS. The guide's pictures, docs/page-*.png and
// docs/phone-*.png, are some of those of the desk and the phone, side by side.
func TestPictures(t *testing.T) {
	if os.Getenv("SHOTS") == "" {
		t.Fatal("SHOTS names no folder for the pictures")
	}
	in := browser(t)
	runner := newRunner(t, 2)
	if _, err := runner.Start(t.Context(), &protocol.StartExperiment{Name: "heuristics", Players: []string{"expectimax(eval=gradient,plies=1)", "greedy", "random"}, Games: 200, Size: board.Size{Rows: 4, Cols: 4}}); err != nil {
		t.Fatal(err)
	}
	runs := os.Getenv("RUNS") // a folder of training runs to photograph
	s := newSite(t, Options{Runner: runner, Runs: runs})
	// Searches have a time limit, so what else needs the processors comes first: games, and loading the network.
	first := open(t, in, s, deskLight, "#experiments")
	first.until(`document.querySelector('table b') && !document.querySelector('.progress')`)
	first.run(navigate("#watch"))
	first.until(`Number(document.querySelector('#moves')?.innerText) > 1`)
	first.press(" ")
	first.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Resume')`)
	all := append(screens, screen{"narrow-light", 320, 640, true, false}, screen{"wide-dark", 3840, 2160, false, true})
	for _, sc := range all {
		b := open(t, in, s, sc, "")
		b.until(`document.querySelectorAll('.tile').length >= 2`)
		for range 12 {
			b.press("a", "s", "d", "s")
		}
		b.settle()
		b.shot("play")
		b.press("?")
		b.settle()
		b.shot("help")
		b.press(kb.Escape)
		b.until(`!document.querySelector('dialog[open]')`)
		b.press(" ")
		b.until(`document.querySelector('.edge[data-best]')`)
		b.press("e")
		b.until(`document.querySelector('.line')`)
		b.settle()
		b.shot("play-hint")
		b.run(navigate("#watch"))
		b.until(`Number(document.querySelector('#moves').innerText) > 3`)
		b.settle()
		b.shot("watch")
		b.run(navigate("#ask"))
		b.until(`document.querySelector('td.best') && document.querySelector('.line')`)
		b.settle()
		b.shot("ask")
		b.enter("Player", "exp")
		b.choose("expectimax")
		b.press("(", "p")
		b.press(kb.ArrowDown)
		b.settle()
		b.shot("ask-player")
		b.press(kb.Escape, kb.Escape)
		b.click("Open the search tree")
		b.until(`document.querySelectorAll('[role=treeitem]').length > 5`)
		b.run(evaluate(`document.querySelector('.tree').scrollIntoView({block: 'center'})`))
		b.settle()
		b.shot("tree")
		b.run(navigate("#review"))
		b.click("Show an example")
		b.until(allJudged)
		b.run(evaluate(`document.querySelector('ol.worst button').click()`))
		b.until(`document.querySelector('.arrows .played')`)
		b.settle()
		b.shot("review")
		b.click("Try again here")
		b.settle()
		b.shot("try-again")
		b.run(evaluate(fmt.Sprintf(`localStorage.setItem('afterstate.drills', %q)`, twoDrills)))
		b.run(navigate("#practice/mistakes"))
		b.press("s")
		b.until(`document.querySelector('.arrows .played')`)
		b.settle()
		b.shot("practice")
		b.run(navigate("#practice/hard"))
		b.until(`document.querySelector('#tried')`)
		b.press("w", "a", "s", "d")
		b.settle()
		b.shot("hard")
		b.run(navigate("#ask/2,4,8,16,32,64/4096,2048,1024,512,256,128/8192,16384,32768,65536,131072,262144/2,0,4,0,0,2/0,0,0,2,0,0/2,0,0,0,0,4/1000"))
		b.until(`document.querySelectorAll('.cells button').length === 36 && document.querySelector('td.best')`)
		b.run(evaluate("scrollTo(0, 0)"))
		b.settle()
		b.shot("six")
		b.run(navigate("#experiments"))
		b.until(`document.querySelector('.chart canvas')`)
		b.settle()
		b.shot("compare")
		b.click("Games of greedy")
		b.until(`document.querySelector('[aria-label=Games] td')`)
		b.settle()
		b.shot("compare-games")
		b.run(evaluate(`document.querySelector('[aria-label=Games] td button').click()`))
		b.until(`/Move [2-9]/.test(document.querySelector('dialog [role=status]')?.innerText)`)
		b.click("Pause")
		b.settle()
		b.shot("compare-replay")
		b.press(kb.Escape)
		b.run(navigate("#games"))
		b.restore(backupOf(t, monthOfGames(t)))
		b.click("Done")
		b.until(`document.querySelectorAll('.chart canvas').length >= 2`)
		b.settle()
		b.shot("games")
		b.run(navigate("#training"))
		if runs != "" {
			b.until(`document.querySelectorAll('.chart canvas').length === 2`)
		}
		b.settle()
		b.shot("training")
		b.clean()
	}
	for _, scheme := range []string{"light", "dark"} {
		sideBySide(t, "page-"+scheme, "desk-"+scheme, 3, 640, "play-hint", "watch", "ask", "review", "games", "compare")
		sideBySide(t, "phone-"+scheme, "phone-"+scheme, 6, 240, "play-hint", "ask", "review", "hard", "games", "compare")
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
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, fewColours(picture)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, small.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The picture that shows the page where its address is shared: a hint on a late board, in the size that sites ask for.
//
//	go test -tags pictures ./serve -run Preview && go generate ./serve
func TestPreview(t *testing.T) {
	wide := screen{"preview", previewWidth, previewHeight, false, false}
	b := open(t, browser(t), newSite(t, Options{}), wide, "#play/from/8192,4096,2048,1024/64,128,256,512/32,16,8,4/2,0,2,0")
	b.until(`document.querySelectorAll('.tile').length === 14`)
	b.press(" ", "e")
	b.until(`document.querySelector('.edge[data-best]') && document.querySelector('.line')`)
	b.run(evaluate(`document.activeElement?.blur(); scrollTo(0, 0)`))
	b.settle()
	shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
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
