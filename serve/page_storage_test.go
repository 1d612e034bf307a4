//go:build browser || pictures

package serve

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/afterstate2048/afterstate/internal/must"
)

// quota limits what the page may store in the browser's database, in bytes; -1: no limit.
func (b *tab) quota(bytes float64) {
	b.t.Helper()
	p := storage.OverrideQuotaForOriginParams{Origin: "http://" + b.site.address}
	if bytes >= 0 {
		p.QuotaSize = &bytes
	}
	must.Get(chromedp.Call(b.ctx, storage.OverrideQuotaForOrigin, p))(b.t)
}

// fill stores values until the browser has no room for a hundred more bytes.
func (b *tab) fill() {
	b.t.Helper()
	b.run(evaluate(`window.full = null; (async () => {
		const db = await new Promise(done => { const r = indexedDB.open('afterstate', 1); r.onsuccess = () => done(r.result) })
		const put = (key, size) => new Promise(done => {
			const t = db.transaction('values', 'readwrite')
			t.objectStore('values').put(Array.from(crypto.getRandomValues(new Uint8Array(size / 2)), x => x.toString(16)).join(''), key)
			t.oncomplete = () => done(true)
			t.onabort = () => done(false)
		})
		let n = 0
		for (const size of [60000, 6000, 600, 100]) while (n < 2000 && await put('filler ' + n, size)) n++
		db.close()
		window.full = n
	})()`))
	b.until(`window.full`)
	if n := js[int](b, `window.full`); n == 2000 {
		b.t.Fatal("the storage does not become full")
	}
}

// When the browser's storage is full, games can still be played and are kept, the page says so, and a backup contains all of them. Stored data
// does not change, and once there is room all is in the database.
func testFullStorage(t *testing.T, in pages, sc screen) {
	month := monthOfGames(t)[:20]
	s := in.site(t)
	b := open(t, in, s, sc, "#games")
	b.quota(3e6)
	b.restore(backupOf(t, month))
	b.finishRestore()
	b.until(gameRows + `.length === 15`)
	b.visit("#play", ready)
	b.fill()
	b.quota(1) // what the browser tidies up makes no room
	play := func(n int) {
		t.Helper()
		b.until(ready + ` && ` + moves + ` === 0`)
		b.play(n)
		b.press("n")
		b.click("Start without saving")
	}
	const first, second = 12, 13
	play(first)
	const alert = `[...document.querySelectorAll('[role=alert]')].some(e => e.innerText.includes('no more room') && e.innerText.includes('Nothing is lost'))`
	b.until(alert)
	play(second)
	b.until(ready + ` && ` + moves + ` === 0`)
	b.reload() // nor does a reload lose them
	b.visit("#games", alert+` && [...document.querySelectorAll('header')].some(e => e.innerText.includes('Games (22)'))`)
	count := func(i, n int) {
		t.Helper()
		b.run(evaluate(fmt.Sprintf(`document.querySelectorAll('#games .slot .plain')[%d].click()`, i)))
		b.until(fmt.Sprintf(`document.querySelector('dialog[open]')?.innerText.includes(' %d moves')`, n))
		b.run(chromedp.KeyEvent("\x1b"))
		b.until(`!document.querySelector('dialog[open]')`)
	}
	count(0, second)
	count(1, first)
	b.more("progress")
	b.more("backup")
	b.until(`document.querySelector('#level') && !document.querySelector('#left')`) // the games that wait are judged too
	before := b.stored()
	file := b.backup()

	// A backup that finds no room changes nothing.
	more := slices.Clone(monthOfGames(t)[20:])
	b.give("choose", []byte(backupOf(t, more)), "application/json")
	b.until(`document.querySelector('dialog[open]')`)
	b.run(evaluate(`document.querySelector('dialog[open] .button.main').click()`))
	b.until(`!document.querySelector('dialog[open]') && document.body.innerText.includes('no room for this backup. Nothing was changed.')`)
	if after := b.stored(); after != before {
		t.Errorf("a restore without room changed what is stored: %d bytes, and %d before", len(after), len(before))
	}

	// The backup has them.
	other := open(t, in, s, sc, "#games")
	other.restore(file)
	other.finishRestore()
	other.until(`[...document.querySelectorAll('header')].some(e => e.innerText.includes('Games (22)'))`)
	other.clean()

	b.quota(-1)
	b.reload()
	b.until(`[...document.querySelectorAll('header')].some(e => e.innerText.includes('Games (22)')) && !` + alert)
	b.until(`localStorage.getItem('afterstate.waiting') === '{}'`)
	count(0, second)
	count(1, first)
	b.clean()
}

// Moved data is the same in another browser. Restoring again adds nothing; what is newer stays; a game that went on in both
// is two games; a damaged file is refused and changes nothing.
func testBackup(t *testing.T, in pages, sc screen) {
	month := monthOfGames(t)[:12]
	for i := range month {
		if month[i].Review == nil {
			month[i].Review = month[0].Review
		}
	}
	s := in.site(t)
	b := open(t, in, s, sc, "#games")
	b.restore(backupOf(t, month))
	b.finishRestore()
	b.until(gameRows + `.length === 12`)
	b.visit("#play", ready)
	const made = 2
	b.play(made)
	there := js[string](b, text)
	b.saveGame()
	b.visit("#games", gameRows+`.length === 12`)
	file, rows := b.backup(), js[[]string](b, gameRows)

	other := open(t, in, s, sc, "#games")
	other.restore(file)
	other.finishRestore()
	other.until(gameRows + `.length === 12`)
	if got := js[[]string](other, gameRows); !slices.Equal(got, rows) {
		t.Errorf("moved games %q, want %q", got, rows)
	}
	if got, want := other.stored(), b.stored(); got != want {
		t.Errorf("moved data\n%s\nwant\n%s", got, want)
	}
	other.until(`document.querySelector('[href="#learn"] .badge')?.innerText.startsWith('2')`)
	other.visit("#play", fmt.Sprintf(`%s && %s === %d && %s === %q`, ready, moves, made, text, there))
	other.run(navigate("#games"))
	other.restore(file)
	other.until(`document.querySelector('dialog[open]').innerText.includes('0 games added, 12 already here.')`)
	other.finishRestore()
	other.until(gameRows + `.length === 12`)

	// The first game of the file went another way here, the second is shorter, the third longer; the fourth is new.
	changed := slices.Clone(month[:4])
	cut := func(g *playedGame, moves int) {
		packed := must.Get(base64.RawURLEncoding.DecodeString(g.Moves))(t)[:moves/4]
		g.Moves, g.Count, g.Over, g.Score = base64.RawURLEncoding.EncodeToString(packed), moves, false, 1
	}
	packed := must.Get(base64.RawURLEncoding.DecodeString(changed[0].Moves))(t)
	packed[0] ^= 1
	changed[0].Moves = base64.RawURLEncoding.EncodeToString(packed)
	cut(&changed[1], 8)
	longer := changed[2]
	cut(&changed[2], 8)
	changed[3].UID = "new"
	third := open(t, in, s, sc, "#games")
	third.restore(backupOf(t, []playedGame{month[0], month[1], changed[2]}))
	third.finishRestore()
	third.until(gameRows + `.length === 3`)
	for _, add := range []string{"2 games added, 1 already here, 1 completed.", "0 games added, 4 already here."} {
		third.restore(backupOf(t, []playedGame{changed[0], changed[1], longer, changed[3]}))
		third.until(fmt.Sprintf(`document.querySelector('dialog[open]').innerText.includes(%q)`, add))
		third.finishRestore()
		third.until(gameRows + `.length === 5`)
	}
	third.clean()

	before := other.stored()
	for why, damaged := range map[string]string{
		"its checksum differs":                  strings.Replace(file, `\"score\":`, `\"score\":9`, 1),
		"its end is missing":                    file[:len(file)-5],
		"not a backup of this page":             `{"games":[]}`,
		"version 2; only version 1 can be read": strings.Replace(file, `"afterstate_backup":1`, `"afterstate_backup":2`, 1),
		"This file is not a backup, or":         "PK\x03\x04",
	} {
		other.give("choose", []byte(damaged), "application/json")
		other.until(fmt.Sprintf(`[...document.querySelectorAll('[role=alert]')].some(e => e.innerText.includes(%q))`, why))
	}
	if after := other.stored(); after != before {
		t.Errorf("damaged files changed\n%s\nto\n%s", before, after)
	}
	other.clean()
	b.clean()
}

// Games and days of a hostile backup are left out and listed, and Games, its dialogs and Today open.
func testHostileBackup(t *testing.T, in pages, sc screen) {
	good := monthOfGames(t)[0]
	data := backedUp{map[string]string{}, map[string]string{"played " + good.UID: jsonText(t, good)}}
	hostile := map[string]string{ // a part of a game that is sound, and what is there instead
		`"when":` + fmt.Sprint(good.When): `"when":1e300`, `"phases":[`: `"phases":[null,`, `"mistake":`: `"mistake":null,"m":`,
		`"luck":{`: `"luck":7,"l":{`, `"accuracy":0`: `"accuracy":"0`, `"size":"4x4"`: `"size":"9x9"`, `"count":`: `"count":1e9,"n":`,
	}
	var names []string
	for part, instead := range hostile {
		bad := good
		bad.UID = fmt.Sprintf("bad%02d", len(names))
		text := strings.Replace(jsonText(t, bad), part, instead, 1)
		if !json.Valid([]byte(text)) {
			text = "{"
		}
		names = append(names, "played "+bad.UID)
		data.Values["played "+bad.UID] = text
	}
	data.Local["afterstate.days"] = `{"2026-02-03":{"uid":"a","score":500,"largest":64,"moves":50,"over":true},"2026-02-30":{},"2026-02-04":null}`
	data.Local["afterstate.games"] = `{"4x4":null}`
	data.Local["afterstate.best"], data.Local["afterstate.helped"] = `{"4x4":"x","3x3":70}`, `{"3x3":"x"}`
	b := open(t, in, in.site(t), sc, "#games")
	b.restore(data.file(t))
	said := js[string](b, `document.querySelector('dialog .lines').innerText`)
	for _, name := range append(names, "day 2026-02-30", "day 2026-02-04", "unfinished game 4x4") {
		if !strings.Contains(said, name) {
			t.Errorf("%s is not listed: %s", name, said)
		}
	}
	b.finishRestore()
	b.until(gameRows + `.length === 1`)
	b.more("progress")
	b.until(`document.querySelector('#level')`)
	b.visit("#today", ready)
	b.until(`document.querySelector('#played').innerText === '1'`)
	b.visit("#play", ready)
	b.play(1)
	b.clean()
}

// A best score keeps its mark "with help", and days their games, in another browser, also beside what is there.
func testMarksAndDays(t *testing.T, in pages, sc screen) {
	s := in.site(t)
	b := open(t, in, s, sc, "#today")
	b.until(ready)
	b.play(3)
	b.until(`/"moves":3\b/.test(localStorage.getItem('afterstate.days')) && document.querySelector('#played').innerText === '1'`)
	day := js[string](b, `localStorage.getItem('afterstate.days')`)
	b.visit("#play/on/2x2/5/0/-/0", ready)
	b.play(1)
	b.press("u")
	b.until(moves + ` === 0`)
	b.play(6)
	helped := js[string](b, `localStorage.getItem('afterstate.helped')`)
	if !strings.Contains(helped, "2x2") {
		t.Fatalf("no best score with help: %s", helped)
	}
	b.visit("#games", `document.querySelector('#backup')`)
	file := b.backup()

	other := open(t, in, s, sc, "#play/on/2x2/6/0/-/0")
	other.until(ready)
	other.run(evaluate(`localStorage.setItem('afterstate.best', '{"2x2":1,"3x3":9}'); localStorage.setItem('afterstate.helped', '{"2x2":-1,"3x3":9}')`))
	other.visit("#games", `document.querySelector('#backup')`)
	other.restore(file)
	other.finishRestore()
	if got := js[string](other, `localStorage.getItem('afterstate.days')`); got != day {
		t.Errorf("the days are %s, want %s", got, day)
	}
	if got, want := js[string](other, `localStorage.getItem('afterstate.helped')`), strings.Replace(helped, "}", `,"3x3":9}`, 1); got != want {
		t.Errorf("best scores with help are %s, want %s", got, want)
	}
	other.visit("#today", ready+` && `+moves+` === 3`) // and is played on
	other.play(1)
	other.until(`JSON.parse(localStorage.getItem('afterstate.days'))[Object.keys(` + day + `)[0]].moves === 4`)
	other.clean()
	b.clean()
}
