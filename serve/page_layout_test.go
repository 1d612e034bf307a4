//go:build browser || pictures

package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/afterstate2048/afterstate/internal/must"
)

// Layouts are seen in windows of these widths, in steps that double where the page has all that a desk has, and at the narrow end
// of each range between two widths at which a style sheet changes: within it, what fits there fits wider windows too.
const narrowest, desks, widest, widthStep = 320, 960, 1600, 40

// changes matches the widths at which a style sheet changes, in letters.
var changes = regexp.MustCompile(`@media [^{]*?\((max|min)-width: (\d+)rem\)`)

// windows returns the widths in steps, and those at the changes of the style sheets, for letters of a size.
func windows(t *testing.T, step, letters int64) (widths []int64) {
	t.Helper()
	for width := int64(narrowest); width <= widest; width += step {
		if widths = append(widths, width); width == desks {
			step *= 2
		}
	}
	sheets := must.Get(filepath.Glob("ui/src/*.css"))(t)
	for _, sheet := range append(sheets, must.Get(filepath.Glob("ui/src/views/*/*.css"))(t)...) {
		for _, m := range changes.FindAllStringSubmatch(string(must.Get(os.ReadFile(sheet))(t)), -1) {
			edge := letters * must.Get(strconv.ParseInt(m[2], 10, 64))(t)
			if m[1] == "max" {
				edge++
			}
			if edge <= widest && !slices.Contains(widths, edge) {
				widths = append(widths, edge)
			}
		}
	}
	if desk := 56*letters + 1; desk <= widest && !slices.Contains(widths, desk) {
		t.Fatalf("%v: must have the narrowest desk", widths)
	}
	slices.Sort(widths)
	return widths
}

// clipped is a function that returns what does not fit a window of a width: texts that stick out of it, or of the button, tab or
// card that has them, and a board. A frame first runs the callbacks of requestAnimationFrame and then the charts' ResizeObservers, so
// the charts have the new width only in the second frame.
const clipped = `(async width => {
	if (innerWidth !== width) await new Promise(done => addEventListener('resize', done, {once: true}))
	if (document.querySelector('.uplot')) for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame)
	const found = new Set()
	if (document.documentElement.scrollWidth > width) found.add('the page is wider than the window')
	const frame = document.querySelector('main .frame'), f = frame?.getBoundingClientRect()
	if (frame?.checkVisibility() && (f.left < 0 || f.right > width || f.width < width / 6)) found.add('the board is from ' + f.left + ' to ' + f.right)
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange()
	for (let n = walk.nextNode(); n; n = walk.nextNode()) {
		const e = n.parentElement
		if (!n.data.trim() || e.closest('.scroll, .tree, .unseen, .board, .frame, .badge, .words, .mono, [aria-hidden=true], select, textarea') || !e.checkVisibility()) continue
		range.selectNodeContents(n)
		const box = e.closest('button, .tabs a, .figure, .card, dialog')?.getBoundingClientRect() ?? {left: 0, right: width}
		for (const r of range.getClientRects()) if (r.width > 0 && (r.right > Math.min(box.right, width) + 1 || r.left < Math.max(box.left, 0) - 1)) found.add(n.data.slice(0, 80) + ' sticks out')
	}
	return [...found]
})`

// belowWindow are the main buttons of a board that are not seen without scrolling.
const belowWindow = `(scrollTo(0, 0), [...document.querySelectorAll('.boardside .main, .acts .button')].filter(e => e.checkVisibility() && e.getBoundingClientRect().bottom > innerHeight).map(e => e.innerText))`

// fits walks through all widths and reports what does not fit them. In larger steps it does so with the letters of a browser whose
// user wants larger ones.
func (b *tab) fits(view string) {
	b.t.Helper()
	b.run(evaluate(`document.documentElement.style.visibility = 'hidden'`)) // nothing is painted, which takes time
	b.fitsIn(view, windows(b.t, widthStep, 16))
	for _, letters := range []int64{20, 32} {
		b.font(letters)
		b.fitsIn(fmt.Sprintf("%s, letters of %d", view, letters), windows(b.t, 4*widthStep, letters))
	}
	b.font(16)
	for _, desk := range [][2]int64{{1440, 900}, {1280, 720}} {
		b.window(desk[0], desk[1])
		if found := js[[]string](b, belowWindow); len(found) > 0 {
			b.t.Errorf("%s: one has to scroll to %q in a window of %d", view, found, desk)
		}
	}
	b.run(evaluate(`document.documentElement.style.visibility = ''`))
	b.window(b.screen.width, b.screen.height)
}

// font lets the browser's letters have another size.
func (b *tab) font(size int64) {
	b.t.Helper()
	must.Get(chromedp.Call(b.ctx, browserpage.SetFontSizes, browserpage.SetFontSizesParams{FontSizes: &browserpage.FontSizes{Standard: size}}))(b.t)
}

func (b *tab) fitsIn(view string, in []int64) {
	b.t.Helper()
	widths := map[string][]int64{}
	var order []string
	for _, width := range in {
		b.window(width, b.screen.height)
		for _, what := range awaited[[]string](b, fmt.Sprintf("%s(%d)", clipped, width)) {
			if widths[what] == nil {
				order = append(order, what)
				b.shot(fmt.Sprintf("%s-%d", fileName(view), width))
			}
			widths[what] = append(widths[what], width)
		}
	}
	for _, what := range order {
		b.t.Errorf("%s, width %d: %s", view, widths[what], what)
	}
}

// fileName returns the name of a view in the name of a file.
func fileName(view string) string {
	return strings.NewReplacer(" ", "-", ",", "", "#", "").Replace(view)
}

// window lets the window have another size.
func (b *tab) window(width, height int64) {
	b.t.Helper()
	must.Get(chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1}))(b.t)
}

// testLayout sees all views in all widths, with the texts of a language. axe-core holds nothing against them: in English on a phone in
// light colours and on a desk in dark ones, in other languages on a phone. There colours are the same.
func testLayout(language string) func(*testing.T, pages, screen) {
	return func(t *testing.T, in pages, sc screen) {
		texts := textsOf(t, language)
		opened := func(b *tab) { b.speaks(language, texts) }
		in.toured(t).tour(t, in, sc, opened, func(b *tab, view string) {
			t.Helper()
			view += " in " + language
			b.shot(fileName(view))
			b.fits(view)
			if language != "en" {
				b.axe(view, "color-contrast")
				return
			}
			b.axe(view)
			b.window(deskDark.width, deskDark.height)
			b.screen.dark = true
			b.media()
			b.axe(view + ", on a dark desk")
			b.screen.dark = false
			b.media()
			b.window(sc.width, sc.height)
		})
	}
}

// axe lets axe-core examine what the tab shows, without some rules. It does nothing if AXE does not name axe-core's axe.min.js.
func (b *tab) axe(view string, without ...string) {
	b.t.Helper()
	path := os.Getenv("AXE")
	if path == "" {
		return // scripts/check.sh says so
	}
	if !b.holds(`window.axe`) {
		source := must.Get(os.ReadFile(path))(b.t)
		b.run(evaluate(string(source)))
	}
	rules := "{"
	for _, rule := range without {
		rules += fmt.Sprintf("%q: {enabled: false}", rule)
	}
	for _, v := range awaited[[]string](b, `axe.run(document, {resultTypes: ['violations'], rules: `+rules+`}}).then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160) + ' ' + n.failureSummary.replaceAll('\n', ' ')).join(' | ')))`) {
		b.t.Errorf("%s: %s", view, v)
	}
}

// axeSchemes lets axe-core examine what the tab shows in light and in dark colours.
func (b *tab) axeSchemes(view string) {
	b.t.Helper()
	was := b.screen.dark
	for _, b.screen.dark = range []bool{true, false} {
		b.media()
		b.axe(fmt.Sprintf("%s, dark %v", view, b.screen.dark))
	}
	b.screen.dark = was
	b.media()
}
