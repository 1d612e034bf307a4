//go:build browser || pictures

package serve

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/serve/session"
)

// A strong player is watched, paused, stepped, taken over and handed back to, without a program's name. In the lab the player is
// chosen, and watched to 512.
func testWatch(t *testing.T, in pages, sc screen) {
	s := in.site(t)
	b := open(t, in, s, sc, "#watch")
	b.until(ready + ` && ` + moves + ` > 2 && document.querySelector('.edge[data-best] em')`)
	if offered := js[bool](b, `[...document.querySelectorAll('button')].some(e => e.innerText === 'Follow on another screen')`); offered != (s.static == "") {
		t.Errorf("following on another screen is offered: %v", offered)
	}
	b.click("Pause")
	b.click("Resume")
	b.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Pause')`)
	b.press(" ")
	b.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Resume')`)
	at := js[int](b, moves)
	b.press("n")
	b.until(fmt.Sprintf(`%s === %d`, moves, at+1))
	b.press("b", "b")
	b.until(fmt.Sprintf(`%s === %d`, moves, at-1))
	b.press(kb.ArrowLeft, kb.ArrowDown, kb.ArrowRight)
	b.until(`document.body.innerText.includes('You are playing')`)
	b.until(`document.body.innerText.includes('The computer continues after “Hand back”') && !/auto|ms|boards/.test(document.body.innerText)`)
	b.click("Hand back")
	b.until(fmt.Sprintf(`%s > %d`, moves, at+3))
	b.visit("#watch/settings", ready+` && document.querySelector('[role=combobox]')`)
	// Another player takes over this game, and says so; a wrong one does not.
	b.click("Pause")
	b.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Resume')`)
	b.enter("Player", "nobody", kb.Enter)
	b.until(`document.querySelector('[role=alert]')?.innerText.startsWith('no player is called "nobody"')`)
	at = js[int](b, moves)
	b.enter("Player", "greedy", kb.Enter)
	b.until(fmt.Sprintf(`document.body.innerText.includes('greedy has taken over after move %d; press Resume.') && document.querySelector('.named').innerText === 'Most points now'`, at))
	b.run(evaluate(`document.querySelector('.named summary').click()`))
	b.until(`document.querySelector('.named').innerText.includes('greedy')`)
	b.click("Resume")
	b.until(fmt.Sprintf(`%s > %d && document.body.innerText.includes('greedy is playing')`, moves, at+1))
	b.enter("Player", "auto", kb.Enter)
	b.until(`document.body.innerText.includes('auto is playing')`)
	// As fast as possible. The game has a random seed, and one game in some hundred ends before 2048; none before 512.
	speed := `[...document.querySelectorAll('input[type=range]')].find(r => r.getAttribute('aria-valuetext').includes('second'))`
	b.set(speed, js[string](b, speed+`.max`))
	b.until(`Math.max(...[...document.querySelectorAll('.board .tile:not(.gone)')].map(t => Number(t.innerText))) >= 512`)
	// The connection is lost and comes back; the game of the server before is gone, so another one begins.
	s.down()
	if s.static == "" {
		b.until(`document.querySelector('.banner')`)
		s.up()
		b.until(`!document.querySelector('.banner')`)
		b.until(ready + ` && ` + moves + ` > 0 && document.body.innerText.includes('this is another one')`)
	}
	b.click("Watch a new game")
	b.until(ready + ` && ` + moves + ` > 0 && !document.body.innerText.includes('this is another one')`)
	if s.static != "" {
		s.up()
	}
	b.clean()
}

// The server's own player is watched, also one that requests may not name, such as a program.
func testOwnPlayer(t *testing.T, in pages, sc screen) {
	if _, err := exec.LookPath("python3"); err != nil {
		notRun(t, "there is no python3")
	}
	m := must.Get(catalog.Parse(`exec(cmd="python3 ../examples/bot/bot.py")`, catalog.Capabilities{Exec: true}))(t)
	s := newSite(t, Options{Options: session.Options{Player: m}})
	b := open(t, in, s, sc, "#watch/settings")
	b.until(moves + ` > 2 && document.body.innerText.includes('exec is playing') && !document.querySelector('[role=alert]')`)
	b.until(fmt.Sprintf(`%s[0].value === %q && document.querySelector('.words').innerText.startsWith('The player of this server')`, fields, m.Spec))
	b.enter("Player", "greedy", kb.Enter)
	b.until(`document.body.innerText.includes('greedy is playing')`)
	b.enter("Player", "ex")
	b.choose(m.Spec)
	b.until(`document.body.innerText.includes('exec is playing')`)
	b.clean()
}
