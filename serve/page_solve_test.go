//go:build browser || pictures

package serve

import (
	"context"
	"testing"

	"github.com/afterstate2048/afterstate/serve/session"
)

// Solve and Watch offer to solve a small size, show the progress, which can be cancelled, and have exact
// values when it is done.
func TestSolveOffer(t *testing.T) {
	in := browser(t)
	for name, test := range map[string]func(*testing.T, context.Context, screen){
		"Solve": testOfferInAsk, "Watch": testOfferInWatch, "Refused": testOfferRefused,
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			test(t, in, phoneLight)
		})
	}
}

const (
	offered = `document.querySelector('.offer')?.innerText.replace(/\s+/g, ' ')`
	exactly = `[...document.querySelectorAll('.card .dim, .card p')].some(p => p.innerText.includes('exact ·') || p.innerText.includes('· exact') || p.innerText.startsWith('Exact values'))`
)

// cancelling presses Cancel as soon as the progress is shown.
const cancelling = `(() => {
	const look = () => {
		const cancel = [...document.querySelectorAll('.offer button')].find(e => e.innerText === 'Cancel')
		if (cancel && document.querySelector('.offer progress') && /\d+ %/.test(` + offered + `)) {
			cancel.click()
			window.cancelled = true
		} else {
			requestAnimationFrame(look)
		}
	}
	look()
})()`

func testOfferInAsk(t *testing.T, in context.Context, sc screen) {
	b := open(t, in, newSite(t, Options{Options: session.Options{Solve: true}}), sc, "#solve/0,0,2/0,2,0/0,0,0/0")
	b.more("details")
	b.until(`document.querySelector('td.best') && ` + offered + `?.startsWith('Solve 3 × 3 once to know the exact value of every move: about 10 s, 232 MB on disk.')`)
	b.run(evaluate(`document.querySelector('.offer').scrollIntoView({block: 'center'})`))
	b.shot("offer")
	b.run(evaluate(cancelling)) // within the page: a fast machine solves it soon
	b.click("Solve 3 × 3")
	b.until(`window.cancelled`)
	b.until(offered + `?.startsWith('Solve 3 × 3 once')`)
	b.visit("#solve/0,0,2,0/0,2,0,0/0", offered+`?.startsWith('Solve 2 × 4 once')`)
	b.until(`document.querySelector('td.best') && !` + exactly)
	b.click("Solve 2 × 4")
	b.until(`!document.querySelector('.offer') && document.body.innerText.includes('2 × 4 is solved: values are exact.') && ` + exactly)
	b.shot("solved")
	b.clean()
}

func testOfferInWatch(t *testing.T, in context.Context, sc screen) {
	b := open(t, in, newSite(t, Options{Options: session.Options{Solve: true}}), sc, "#watch/settings/play/auto/2x4")
	b.until(ready + ` && ` + moves + ` > 1 && ` + offered + `?.includes('Solve 2 × 4')`)
	b.shot("watch-offer")
	b.click("Solve 2 × 4")
	b.until(`document.body.innerText.includes('2 × 4 is solved') && ` + ready + ` && ` + exactly) // another game
	b.clean()
}

func testOfferRefused(t *testing.T, in context.Context, sc screen) {
	b := open(t, in, newSite(t, Options{}), sc, "#solve/0,0,2,0/0,2,0,0/0")
	b.more("details")
	b.until(offered + `?.includes('run afterstate solve 2x4 on the server (about 1 s, 37 MB on disk)') && !document.querySelector('.offer button')`)
	b.clean()
}
