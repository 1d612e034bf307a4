//go:build browser || pictures

package serve

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/exchange/picture"
	"github.com/afterstate2048/afterstate/internal/must"
)

const pictured = "16,4,64,32/0,0,32,4/2,64,4,65536/4,32,4,16"

// testPictures are a picture that is read for certain, and one with a stroke through its first number.
func testPictures(t *testing.T) (certain, doubtful []byte) {
	t.Helper()
	certain = must.Get(os.ReadFile("../exchange/picture/testdata/board.png"))(t)
	m := must.Get(png.Decode(bytes.NewReader(certain)))(t)
	c := image.NewRGBA(m.Bounds())
	draw.Draw(c, c.Rect, m, m.Bounds().Min, draw.Src)
	draw.Draw(c, image.Rect(50, 72, 100, 90), image.NewUniform(color.Black), image.Point{}, draw.Src)
	var out bytes.Buffer
	must.Do(t, png.Encode(&out, c))
	return certain, out.Bytes()
}

// give hands the page a file: by paste, as what a spreadsheet copies beside text, by drop, or the field that the button opens.
func (b *tab) give(way string, data []byte, kind string) {
	b.t.Helper()
	do := map[string]string{
		"paste":  `document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true, cancelable: true}))`,
		"cells":  `d.setData('text', '2\t4\n0\t8'); document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true, cancelable: true}))`,
		"drop":   `document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true}))`,
		"photo":  `(f => { f.files = d.files; f.dispatchEvent(new Event('change', {bubbles: true})) })(document.querySelector('input[capture]'))`,
		"choose": `(f => { f.files = d.files; f.dispatchEvent(new Event('change', {bubbles: true})) })(document.querySelector('input[type=file]'))`,
	}[way]
	b.run(evaluate(fmt.Sprintf(`(() => { const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], 'file', {type: %q})); %s })()`,
		base64.StdEncoding.EncodeToString(data), kind, do)))
}

// drag moves an element by a number of pixels, with the mouse or a finger.
func (b *tab) drag(element string, dx, dy float64) {
	b.t.Helper()
	b.run(evaluate(element + `.scrollIntoView({block: 'center'})`))
	at := b.box(element)
	b.run(evaluate(fmt.Sprintf(`(e => { for (const [kind, x, y] of [['pointerdown', 0, 0], ['pointermove', %[2]v, %[3]v], ['pointerup', %[2]v, %[3]v]]) {
		e.setPointerCapture = () => {}
		e.dispatchEvent(new PointerEvent(kind, {pointerId: 1, clientX: %[4]v + x, clientY: %[5]v + y, bubbles: true}))
	} })(%[1]s)`, element, dx, dy, at.X+at.W/3, at.Y+at.H/3)))
}

// A picture is pasted, dropped or chosen. A certain board is set at once; a doubtful one first asks
// for its marked cells, and has no advice before.
func testPicture(t *testing.T, in pages, sc screen) {
	certain, doubtful := testPictures(t)
	b := open(t, in, in.site(t), sc, "#solve")
	board := func(text string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector('textarea')?.value === %q`, text))
	}
	b.until(`document.querySelector('td.best')`)
	b.more("details")
	for _, way := range []string{"paste", "drop", "choose", "photo"} {
		b.click("Clear")
		b.until(`document.body.innerText.includes('Put some tiles')`)
		b.give(way, certain, "image/png")
		board(pictured)
		b.until(`document.querySelector('td.best') && document.querySelector('.picture').innerText.includes('taken from the picture: 4 × 4')`)
	}

	b.click("Clear")
	b.until(`document.body.innerText.includes('Put some tiles')`)
	const marked = `[...document.querySelectorAll('dialog[open] [data-doubt]')]`
	b.give("choose", doubtful, "image/png")
	b.until(marked + `.length === 1 && document.querySelector('dialog img')?.naturalWidth > 100`)
	b.shot("picture-doubt")
	if text := js[string](b, marked+`[0].getAttribute('aria-label')`); text != "Row 1, column 1: empty, not certain" {
		t.Errorf("the doubtful cell is called %q", text)
	}
	board("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0") // so that there is no advice
	b.press(kb.Escape)
	b.until(`!document.querySelector('dialog')`)
	board("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0")

	b.give("paste", doubtful, "image/png")
	b.until(marked + `.length === 1`)
	b.run(evaluate(marked + `[0].focus()`))
	b.press("4")
	b.until(marked + `.length === 0 && document.querySelector('dialog').innerText.includes('Every cell was checked')`)
	b.click("Use this board")
	board(pictured)
	b.until(`!document.querySelector('dialog') && document.querySelector('td.best')`)

	// Rows, columns and the frame can be set, also where no board is found.
	set := func(label, n string) {
		t.Helper()
		b.set(fmt.Sprintf(`[...document.querySelectorAll('dialog .pair label')].find(l => l.innerText.startsWith(%q)).querySelector('select')`, label), n)
	}
	const cells = `[...document.querySelectorAll('dialog .cells button')].map(e => Number(e.innerText)).join()`
	all := strings.ReplaceAll(pictured, "/", ",")
	b.give("paste", certain, "image/png")
	board(pictured)
	b.click("Correct what was read")
	b.until(fmt.Sprintf(`document.querySelector('dialog .framed img')?.naturalWidth > 100 && %s === %q`, cells, all))
	b.shot("picture-frame")
	set("Columns", "3")
	b.until(cells + `.split(',').length === 12`)
	set("Columns", "4")
	b.until(fmt.Sprintf(`%s === %q`, cells, all))
	frame := `document.querySelector('.cells-frame').style.left`
	before := js[string](b, frame)
	b.run(evaluate(`document.querySelector('[aria-label^="top left corner"]').focus()`))
	b.press(kb.ArrowRight)
	b.until(fmt.Sprintf(`%s !== %q`, frame, before))
	b.press(kb.ArrowLeft)
	b.until(fmt.Sprintf(`Math.abs(parseFloat(%s) - parseFloat(%q)) < 0.01 && %s === %q`, frame, before, cells, all))
	b.drag(`document.querySelector('.cells-frame')`, 12, 0)
	b.until(fmt.Sprintf(`parseFloat(%s) > parseFloat(%q) + 1`, frame, before))
	b.drag(`document.querySelector('.cells-frame')`, -12, 0)
	b.until(fmt.Sprintf(`%s === %q`, cells, all))
	b.click("Use this board")
	board(pictured)
	var page bytes.Buffer
	must.Do(t, png.Encode(&page, image.NewGray(image.Rect(0, 0, 300, 300))))
	b.give("paste", page.Bytes(), "image/png")
	b.until(`document.querySelector('dialog')?.innerText.includes('No board was found')`)
	set("Rows", "3")
	set("Columns", "2")
	b.until(cells + ` === '0,0,0,0,0,0' && document.querySelector('dialog').innerText.includes('Every cell was checked')`)
	b.click("Cancel")
	board(pictured)

	b.give("paste", []byte("GIF89a"), "image/gif")
	b.until(`document.querySelector('.picture [role=alert]')?.innerText.includes('must be a PNG, JPEG or WebP file')`)
	b.until(`document.querySelector('.chances')`) // the page grows no more
	b.run(evaluate(`scrollTo(0, 0)`))
	b.give("drop", []byte("text"), "text/plain")
	b.until(`document.querySelector('.picture [role=alert]')?.innerText.startsWith('Not a picture')`)
	b.until(seen + `(document.querySelector('.picture [role=alert]'))`)
	board(pictured)
	b.give("cells", certain, "image/png")
	board("2,4/0,8")
	b.clean()
}

// A board is saved as a picture, from Solve and from Play's Share, and is read from it again.
func testDrawn(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#solve/2,4,8,16/32,64,128,256/512,1024,2048,4096/8192,16384,131072,0/0")
	saved := func(name, want string) {
		t.Helper()
		b.run(evaluate(`(() => {
			window.picture = window.saved = ''
			const url = URL.createObjectURL
			URL.createObjectURL = (blob) => { const r = new FileReader(); r.onload = () => { window.picture = r.result.replace(/.*,/, '') }; r.readAsDataURL(blob); return url.call(URL, blob) }
			HTMLAnchorElement.prototype.click = function () { window.saved = this.download }
		})()`))
		b.click("Save a picture")
		b.until(fmt.Sprintf(`window.saved === %q && window.picture`, name))
		file := must.Get(base64.StdEncoding.DecodeString(js[string](b, `window.picture`)))(t)
		r, err := picture.Parse(t.Context(), file)
		if err != nil || r.Board.String() != want || len(r.Doubts()) > 0 {
			t.Errorf("%v is read as %v, %v, %v", want, r.Board, r.Doubts(), err)
		}
	}
	b.until(`document.querySelector('textarea')?.value.startsWith('2,4,8,16/')`)
	b.more("details")
	saved("2-4-8-16_32-64-128-256_512-1024-2048-4096_8192-16384-131072-0.png", "2,4,8,16/32,64,128,256/512,1024,2048,4096/8192,16384,131072,0")
	b.visit("#play/from/2,4,8/16,32,64/128,256,0", ready+` && document.body.innerText.includes('row 3: 128, 256')`)
	b.sheet("Share")
	b.until(`document.querySelectorAll('dialog[open]').length === 2`)
	saved("2-4-8_16-32-64_128-256-0.png", "2,4,8/16,32,64/128,256,0")
	b.clean()
}
