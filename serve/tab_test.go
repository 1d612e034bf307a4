//go:build browser || pictures

package serve

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
)

// tab is a page in a browser.
type tab struct {
	t      *testing.T
	ctx    context.Context
	site   *site
	screen screen
	texts  map[string]string // of its language by the English ones; nil: it is English
	moving bool              // things move; else a test waits for no animation

	mu     sync.Mutex
	faults []string // what the console complains about
}

// notRun skips a test whose needs are missing; in CI it fails.
func notRun(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip("NOT RUN: " + why)
}

// browser starts one Chromium for all tabs of a test.
func browser(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		notRun(t, "there is no Chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("lang", "en-US"), chromedp.WSURLReadTimeout(testTime))
	options = append(options, more...)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	must.Do(t, chromedp.Do(ctx))
	return ctx
}

// open opens an address of the site in a fresh profile.
func open(t *testing.T, in context.Context, s *site, sc screen, path string) *tab {
	t.Helper()
	return openIn(t, in, s, sc, path, chromedp.WithNewBrowserContext())
}

// another opens the page once more in the profile of a tab.
func (b *tab) another() *tab { return openIn(b.t, b.ctx, b.site, b.screen, "") }

// front lets a tab be the one that is seen.
func (b *tab) front() {
	b.t.Helper()
	must.Get(chromedp.Call(b.ctx, browserpage.BringToFront, cdp.Empty{}))(b.t)
}

func openIn(t *testing.T, in context.Context, s *site, sc screen, path string, o ...chromedp.ContextOption) *tab {
	t.Helper()
	b := newTab(t, in, s, sc, o...)
	b.run(chromedp.EmulateViewport(sc.width, sc.height, sc.mobile()...), chromedp.Navigate(s.url(path)))
	return b
}

// newTab opens an empty tab, whose pages will draw known numbers on a known day.
func newTab(t *testing.T, in context.Context, s *site, sc screen, o ...chromedp.ContextOption) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(in, o...)
	t.Cleanup(end)
	b := &tab{t: t, ctx: ctx, site: s, screen: sc}
	go b.listen(chromedp.Console(ctx))
	s.tabs++
	b.before(fmt.Sprintf(seeded, s.tabs))
	b.media()
	return b
}

// before lets the tab run a script before those of each page that it loads from then on.
func (b *tab) before(script string) {
	b.t.Helper()
	must.Get(chromedp.Call(b.ctx, browserpage.AddScriptToEvaluateOnNewDocument, browserpage.AddScriptToEvaluateOnNewDocumentParams{Source: script}))(b.t)
}

// seeded lets a page draw the same numbers each time, so that boards are known: seeds, starts and new tiles. Each tab of a
// site draws its own sequence, which a page that is loaded again continues. It is always the same day, so that its board
// is known, too; Date.now is the real time.
const seeded = `(() => {
	const real = Date
	window.Date = class extends real { constructor(...a) { super(...(a.length ? a : [2026, 10, 30, 12])) } }
	const key = 'test.drawn', plain = crypto.getRandomValues
	let drawn = 0
	try { drawn = Number(sessionStorage.getItem(key)) } catch {} // an empty page has no storage
	const draw = () => { // SplitMix32
		drawn++
		try { sessionStorage.setItem(key, drawn) } catch {}
		let x = (%d * 1000003 + drawn * 0x9e3779b9) | 0
		x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
		x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
		return (x ^ (x >>> 15)) >>> 0
	}
	Math.random = () => draw() / 2 ** 32
	crypto.getRandomValues = (a) => a instanceof Uint32Array ? a.map((_, i) => a[i] = draw()) && a : plain.call(crypto, a)
})()`

// mobile is how a window of a phone is emulated.
func (sc screen) mobile() []chromedp.EmulateViewportOption {
	if sc.touch {
		return []chromedp.EmulateViewportOption{chromedp.EmulateMobile}
	}
	return nil
}

// move lets things move from then on.
func (b *tab) move() {
	b.t.Helper()
	b.moving = true
	b.media()
}

// media lets the browser say what its user prefers.
func (b *tab) media() {
	b.t.Helper()
	scheme, motion := "light", "reduce"
	if b.screen.dark {
		scheme = "dark"
	}
	if b.moving {
		motion = "no-preference"
	}
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion}}
	must.Get(chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}))(b.t)
}

func (b *tab) listen(messages iter.Seq2[chromedp.ConsoleMessage, error]) {
	for m, err := range messages {
		if err != nil {
			return
		}
		if m.Type == "error" || m.Type == "warning" || m.IsException() {
			b.mu.Lock()
			b.faults = append(b.faults, m.String())
			b.mu.Unlock()
		}
	}
}

// hostGone matches complaints about a host that is down, or that stopped during a request.
var hostGone = regexp.MustCompile(`WebSocket connection to|ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED`)

// clean requires a console without complaints; those about the host are allowed after it was down.
func (b *tab) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		if !b.site.away || !hostGone.MatchString(f) {
			b.t.Errorf("%s: the console says %s", b.screen.name, f)
		}
	}
}

func (b *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, testTime)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.shot("failed")
		b.failed(ctx, err)
	}
}

// js is what an expression comes to.
func js[T any](b *tab, expression string, options ...chromedp.EvaluateOption) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, testTime)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		b.failed(ctx, fmt.Errorf("%s: %w", expression, err))
	}
	return v
}

// awaited is what the promise of an expression comes to.
func awaited[T any](b *tab, expression string) T {
	b.t.Helper()
	return js[T](b, expression, chromedp.EvalAwaitPromise)
}

// failed ends a test by an error, with all stacks if the time was up.
func (b *tab) failed(ctx context.Context, err error) {
	b.t.Helper()
	if ctx.Err() != nil {
		err = fmt.Errorf("%w\n%s", err, testenv.Stacks())
	}
	b.t.Fatalf("%s: %v", b.screen.name, err)
}

// until waits for an expression to become true. It gives up after testTime in which no progress bar moved.
func (b *tab) until(expression string) {
	b.t.Helper()
	begin, progress := time.Now(), ""
	for pause := 2 * time.Millisecond; ; time.Sleep(pause) {
		if b.holds(expression) {
			return
		}
		pause = min(2*pause, 40*time.Millisecond)
		if time.Since(begin) > testTime {
			now := js[string](b, "[...document.querySelectorAll('[role=progressbar]')].map(e => e.outerHTML).join()")
			if now == progress {
				break
			}
			begin, progress = time.Now(), now
		}
	}
	b.shot("failed")
	b.mu.Lock()
	defer b.mu.Unlock()
	b.t.Fatalf("%s: never so: %s\nthe console: %v\n%s\n%s", b.screen.name, expression, b.faults, js[string](b, "document.body.innerText.slice(0, 1500)"), testenv.Stacks())
}

// holds evaluates a condition. It does not hold while what it looks at is missing, or during a navigation,
// when there is no page to evaluate it on.
func (b *tab) holds(expression string) bool {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, testTime)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("(() => { try { return !!("+expression+") } catch { return false } })()"))
	switch {
	case err == nil:
		return v
	case strings.Contains(err.Error(), "navigated or closed") || strings.Contains(err.Error(), "context was destroyed") || strings.Contains(err.Error(), "Cannot find context"):
		return false
	}
	b.failed(ctx, fmt.Errorf("%s: %w", expression, err))
	return false
}

// reload loads the page again and returns when the former one is gone.
func (b *tab) reload() {
	b.t.Helper()
	b.reloaded(func() { b.run(evaluate(`location.reload()`)) })
}

// reloaded returns when the page is loaded again, as act makes it do: until then the former one takes input that is lost.
func (b *tab) reloaded(act func()) {
	b.t.Helper()
	b.run(evaluate(`window.former = true`))
	act()
	b.until(`!window.former && document.querySelector('main')`)
}

func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.run(chromedp.KeyEvent(k))
	}
}

// say returns a text of the page in its language.
func (b *tab) say(english string) string {
	if text := b.texts[english]; text != "" {
		return text
	}
	return english
}

// says is whether the page shows a text, as an expression.
func (b *tab) says(english string) string {
	return fmt.Sprintf(`document.body.innerText.includes(%q)`, b.say(english))
}

// click presses the visible button or link of a name, as a person would find it.
func (b *tab) click(name string) {
	b.t.Helper()
	name = b.say(name)
	b.until(fmt.Sprintf(`(e => e && !e.disabled && (e.click(), true))([...document.querySelectorAll('button, a, label')].find(e => e.checkVisibility() && (e.innerText.trim().replace(/\s+/g, ' ') === %[1]q || e.getAttribute('aria-label') === %[1]q)))`, name))
}

// menu chooses an entry of the menu.
func (b *tab) menu(name string) {
	b.t.Helper()
	b.click("Menu")
	b.click(name)
}

// set gives a field a value, as a person does.
func (b *tab) set(field string, value any) {
	b.t.Helper()
	b.run(evaluate(fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event(e.matches('select') ? 'change' : 'input', {bubbles: true})) })(%s)`, fmt.Sprint(value), field)))
}

// sizeField is the field of a board's size.
const sizeField = `[...document.querySelectorAll('select')].find(e => e.value.includes('x'))`

// paste pastes a text into an element.
func (b *tab) paste(element, text string) {
	b.t.Helper()
	b.run(evaluate(fmt.Sprintf(`(() => { const d = new DataTransfer(); d.setData('text', %q); %s.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true})) })()`, text, element)))
}

// shot leaves a picture if pictures are wanted.
func (b *tab) shot(name string) {
	folder := os.Getenv("SHOTS")
	if folder == "" {
		return
	}
	data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, b.screen.name+"-"+name+".png"), data, 0o644)
	}
	if err != nil {
		b.t.Error(err)
	}
}

func evaluate(expression string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](expression)
}

// recording stores the requests that the page sends from then on, over either transport, in window.sent.
const recording = `(() => {
	window.sent = []
	for (const [type, send] of [[WebSocket, 'send'], [Worker, 'postMessage']]) {
		const original = type.prototype[send]
		type.prototype[send] = function (message, ...rest) {
			const text = typeof message === 'string' ? message : message?.text
			if (text) sent.push(JSON.parse(text))
			return original.call(this, message, ...rest)
		}
	}
})()`

// timers lets timers of this many milliseconds end when elapse is called, and not by the clock.
func (b *tab) timers(wait int) {
	b.t.Helper()
	b.run(evaluate(fmt.Sprintf(`(() => {
		window.due = new Map()
		let last = 1e9
		const set = setTimeout, clear = clearTimeout
		window.setTimeout = (f, ms, ...more) => ms === %d ? (due.set(++last, f), last) : set(f, ms, ...more)
		window.clearTimeout = (id) => { if (!due.delete(id)) clear(id) }
	})()`, wait)))
}

// elapse ends the timers of timers.
func (b *tab) elapse() {
	b.t.Helper()
	b.until(`due.size > 0`)
	b.run(evaluate(`for (const [id, f] of [...due]) { due.delete(id); f() }`))
}

// navigate opens a view by its address.
func navigate(hash string) chromedp.Action[chromedp.Void] {
	return evaluate(fmt.Sprintf("location.hash = %q", hash))
}

// visit opens a view by its address and waits until it is as expected.
func (b *tab) visit(hash, until string) {
	b.t.Helper()
	b.run(navigate(hash))
	b.until(until)
}

// kept waits until the browser has all files of the site.
func (b *tab) kept() {
	b.t.Helper()
	b.run(evaluate(`navigator.serviceWorker.ready.then(r => { window.kept = r.active !== null })`))
	b.until(`window.kept && navigator.serviceWorker.controller`)
}
