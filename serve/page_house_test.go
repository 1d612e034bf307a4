//go:build browser || pictures

package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/afterstate2048/afterstate/internal/must"
)

const house = "a-token-of-this-house"

// clean401 requires a console without complaints, except about refused requests, and about the host after it was down.
func (b *tab) clean401() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		if !strings.Contains(f, "401") && !strings.Contains(f, "WebSocket connection to") && !(b.site.away && hostGone.MatchString(f)) {
			b.t.Errorf("%s: the console says %s", b.screen.name, f)
		}
	}
}

// A phone without the token sees what to do; with it the page works, the address loses the token, and the
// cookie brings it back. A new token of the server is reported.
func testToken(t *testing.T, in pages, sc screen) {
	s := newSite(t, Options{Token: house})
	b := open(t, in, s, sc, "favicon.svg") // any address is refused
	b.until(`document.querySelector('h1')?.innerText === 'This page needs its token'`)
	b.run(evaluate(`location.href = '/'`))
	b.until(`location.search === '?again' && document.querySelector('h1')?.innerText === 'This page needs its token'`)
	b.until(`document.documentElement.scrollWidth <= innerWidth && getComputedStyle(document.querySelector('main').parentElement).maxWidth !== 'none'`)
	b.shot("token")
	b.axeSchemes("without the token")
	b.run(chromedp.Navigate("http://" + s.address + "/?token=wrong"))
	b.until(`document.body.innerText.includes('is not the token of this server')`)
	b.clean401()

	b = openIn(t, b.ctx, s, sc, "?token="+house+"#solve")
	b.until(`location.href === ` + fmt.Sprintf("%q", "http://"+s.address+"/#solve"))
	b.until(`document.querySelector('td.best')`) // the answer came over the WebSocket
	if got := js[string](b, `document.cookie`); got != "" {
		t.Errorf("scripts can read the cookie %s", got)
	}
	again := b.another()
	again.until(ready)
	again.clean()
	b.clean()

	s.down()
	s.options.Token = "another-token"
	s.up()
	b.until(`document.querySelector('.banner')?.innerText.includes('has a new token')`)
	b.until(`document.documentElement.scrollWidth <= innerWidth`)
	b.shot("new-token")
	b.clean401()
	other := openIn(t, b.ctx, s, sc, "?token=another-token")
	other.until(ready)
	other.clean()
	b.until(`!document.querySelector('.banner')`)
}

// A link on another site, as in a chat, leads to the page too, although the browser withholds the
// cookie from the first request.
func testTokenLink(t *testing.T, in pages, sc screen) {
	s := newSite(t, Options{Token: house})
	_, port, _ := strings.Cut(s.address, ":")
	chat := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<link rel=icon href="data:,"><a id=with href="http://localhost:%s/?token=%s">new</a> <a id=without href="http://localhost:%[1]s/">old</a>`, port, house)
	}))
	defer chat.Close() // at 127.0.0.1, which is another site than localhost
	b := open(t, in, s, sc, "?again")
	for _, link := range []string{"with", "without"} {
		b.run(chromedp.Navigate(chat.URL))
		b.run(evaluate(`document.querySelector('#` + link + `').click()`))
		b.until(`location.href === ` + fmt.Sprintf("%q", "http://localhost:"+port+"/"))
		b.until(ready)
	}
	b.clean401()
}

// The browser finds no fault in the manifest, fetches it with the cookie, and gets icons; the colour
// of the browser's bars matches the page in both schemes, and follows the page's own choice.
func testManifest(t *testing.T, in pages, sc screen) {
	s := newSite(t, Options{Token: house})
	b := open(t, in, s, sc, "?token="+house)
	b.until(ready)
	m := must.Get(chromedp.Call(b.ctx, browserpage.GetAppManifest, browserpage.GetAppManifestParams{}))(t)
	if len(m.Errors) > 0 || !strings.Contains(m.Data, `"start_url":"/?token=`+house+`"`) {
		t.Errorf("%v %s", m.Errors, m.Data)
	}
	const load = `window.sizes = null; Promise.all(['/icon-192.png', '/icon-512.png', '/icon-maskable-512.png', document.querySelector('[rel=apple-touch-icon]').href].map(async src => { const i = new Image(); i.src = src; await i.decode(); return i.naturalWidth })).then(all => { window.sizes = all.join() })`
	b.run(evaluate(load))
	b.until(`window.sizes === '192,512,512,180'`)
	colour := `(m => m.length === 1 && m[0].content)([...document.querySelectorAll('meta[name=theme-color]')].filter(m => matchMedia(m.media).matches))`
	ground := `'#' + getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(n => Number(n).toString(16).padStart(2, '0')).join('')`
	b.menu("Settings")
	for _, theme := range []string{"Light", "Dark", "System"} {
		b.click(theme)
		b.until(colour + ` === ` + ground)
	}
	if !sc.dark {
		b.until(colour + fmt.Sprintf(` === %q`, pageColour))
	}
	b.clean()
}
