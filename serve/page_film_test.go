//go:build browser || pictures

package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/record"
)

// The films of testFilm, which TestFilmData makes: one on which a message hides the board for a while, and one on which it is hidden all
// the time.
const gapFilm, hiddenFilm = "film-gap.webm", "film-hidden.webm"

// Of the two parts of a film with a gap one is reviewed.
func testFilm(t *testing.T, in pages, sc screen) {
	gap, hidden := must.Get(os.ReadFile(filepath.Join("testdata", gapFilm)))(t), must.Get(os.ReadFile(filepath.Join("testdata", hiddenFilm)))(t)
	b := open(t, in, in.site(t), sc, "#review/open")
	b.until(`document.querySelector('input[type=file]')`)
	const alert = `document.querySelector('[role=alert]')?.innerText`
	b.give("drop", gap, "video/webm")
	b.until(`document.querySelector('progress')?.value > 0`)
	b.shot("film-reading")
	b.click("Cancel")
	b.until(`!document.querySelector('progress')`)
	b.give("choose", []byte("no film"), "video/webm")
	b.until(alert + `?.includes('Choose a video that this browser plays')`)
	b.give("choose", hidden, "video/webm")
	b.until(alert + `?.startsWith('No board found in the recording')`)
	b.give("paste", gap, "video/webm")
	b.until(`document.querySelectorAll('option').length === 2`)
	b.axeSchemes("a film")
	b.shot("film-read")
	const said = `[...document.querySelectorAll('[role=status]')].map((e) => e.innerText).join()`
	if text := js[string](b, said); !strings.Contains(text, "One gap, at 0:03: moves are missing there.") {
		t.Errorf("the page says %q", text)
	}
	b.click("Review this game")
	b.until(`document.querySelector('.board') && ` + opinion)
	r, err := record.Parse([]byte(js[string](b, `sessionStorage.getItem('afterstate.review')`)))
	if err != nil || len(r.Moves) < 4 {
		t.Errorf("the part has %d moves, %v", len(r.Moves), err)
	}
	b.clean()
}
