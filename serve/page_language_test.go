//go:build browser || pictures

package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/afterstate2048/afterstate/internal/must"
)

// textsOf returns the page's texts in a language by the English ones.
func textsOf(t *testing.T, language string) map[string]string {
	t.Helper()
	var all []map[string]string
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile("ui/src/texts.json"))(t), &all))
	texts := map[string]string{}
	for _, x := range all {
		texts[x["en"]] = x[language]
	}
	return texts
}

// The page uses the browser's language, or the one chosen in Settings. A static site also has it offline.
func testLanguage(t *testing.T, in pages, sc screen) {
	s := in.site(t)
	b := open(t, in, s, sc, "")
	shows := func(language, views string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.documentElement.lang === %q && document.querySelector('.tabs').innerText.replace(/\s+/g, ' ').startsWith(%q) && document.title.startsWith(document.querySelector('h1').textContent)`, language, views))
	}
	shows("en", "Play Today")
	must.Get(chromedp.Call(b.ctx, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: js[string](b, `navigator.userAgent`), AcceptLanguage: "fr,de-AT,en"}))(t)
	b.reload()
	shows("de", "Spielen Heute")
	choose := func(settings, language string) {
		t.Helper()
		b.run(evaluate(`document.querySelector('.menu-button').click()`))
		b.click(settings)
		b.until(`document.querySelector('dialog[open] .sample')`)
		b.reloaded(func() { b.click(language) })
	}
	choose("Einstellungen", "中文")
	shows("zh-Hans", "游戏 今日")
	b.visit("#learn/stages", `/\d,\d{3}\b/.test(document.querySelector('main').innerText)`)
	b.reload()
	shows("zh-Hans", "游戏 今日")
	choose("设置", "跟随系统")
	shows("de", "Spielen Heute")
	b.until(`/\d\.\d{3}\b/.test(document.querySelector('main').innerText)`)
	choose("Einstellungen", "English")
	shows("en", "Play Today")
	if in.static != "" {
		choose("Settings", "中文")
		b.kept()
		s.down()
		b.reload()
		shows("zh-Hans", "游戏 今日")
	}
	b.clean()
}

// speaks lets the page show another language.
func (b *tab) speaks(language string, texts map[string]string) {
	b.t.Helper()
	b.texts = texts
	if language == "zh" {
		language = "zh-Hans"
	}
	if js[string](b, `document.documentElement.lang`) == language {
		return
	}
	b.run(evaluate(fmt.Sprintf(`localStorage.setItem('afterstate.language', '"%.2s"')`, language)))
	b.reload()
	b.until(fmt.Sprintf(`document.documentElement.lang === %q`, language))
}

// untranslated are the texts of the page that stand outside of the brackets in which marked puts each translated text. What the engine
// writes has its language, lang=en.
const untranslated = `(() => {
	const found = []
	const own = e => !e.closest('[lang=en]:not(html), code, .mono, .options, svg, script, style, noscript, textarea, .mark')
	const rest = text => {
		let depth = 0, out = ''
		for (const c of text) {
			if (c === '⟦') depth++
			else if (c === '⟧') depth--
			else if (depth === 0) out += c
		}
		return out
	}
	let all = ''
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	for (let n = walk.nextNode(); n; n = walk.nextNode()) if (own(n.parentElement)) all += n.data + '\n'
	found.push(...rest(all).split('\n'))
	for (const e of document.querySelectorAll('*')) for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'aria-description']) if (e.hasAttribute(name) && own(e)) found.push(rest(e.getAttribute(name)))
	found.push(rest(document.title))
	return found
})()`

// known are texts that are the same in every language, or come from elsewhere: names of languages, players, experiments and runs, specs,
// units, keys, dates, and where a stored drill is from.
var known = regexp.MustCompile(`\b(Afterstate|English|Deutsch|ms|MB|min|s|[\d.]+[kMGT]|\d+e\d+|[a-z-]+\([a-z0-9=,._-]*\)|greedy|random|best|snake|experiment-[12]|rack-\d|vor \d+ (Minuten?|Stunden?|Tag(en)?)|high|low|\d+x\d+|\p{L}+ 20\d\d|\d+\. \p{L}+ \d{4}( um [\d:]+)?|\d+\. (Jan|Feb|März|Apr|Mai|Juni|Juli|Aug|Sept|Okt|Nov|Dez)|Move \d+ of your game with \d+ points)\b|\((Shift\+)?[A-Z]\w*\)`)

var words = regexp.MustCompile(`[A-Za-z]{2}`)

// No view has a text that is not translated.
func testTranslated(t *testing.T, in pages, sc screen) {
	texts := textsOf(t, "en")
	note := regexp.MustCompile(`@\w+$`)
	for en := range texts {
		if en != "{x} %" {
			texts[en] = "⟦" + note.ReplaceAllString(en, "") + "⟧"
		}
	}
	script := must.Get(json.Marshal(texts))(t)
	s := in.toured(t)
	for _, x := range []*site{s.site, s.trained} {
		x.down()
		x.wrap = func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasPrefix(r.URL.Path, "/texts-de-") {
					h.ServeHTTP(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/javascript")
				_, _ = fmt.Fprintf(w, "export default %s", script)
			})
		}
		x.up()
	}
	s.tour(t, in, sc, func(b *tab) {
		b.speaks("de", texts)
	}, func(b *tab, view string) {
		t.Helper()
		all := map[string]bool{}
		for _, text := range js[[]string](b, untranslated) {
			if words.MatchString(known.ReplaceAllString(text, "")) {
				all[strings.TrimSpace(text)] = true
			}
		}
		for _, text := range slices.Sorted(maps.Keys(all)) {
			t.Errorf("%s: %q is not translated", view, text)
		}
	})
}
