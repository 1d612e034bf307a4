//go:build browser || pictures

package serve

import (
	"fmt"
	"os"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Two players play one seed side by side; their ends are those of games on their own.
func testBeside(t *testing.T, in pages) {
	axe, _ := os.ReadFile(os.Getenv("AXE"))
	const seed = 11
	end := func(spec string) int64 {
		m := must.Get(catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
		g := must.Get(game.New(game.Options{Size: board.Size{Rows: 3, Cols: 3}, Spawner: game.NewRandom(seed, 0, game.P4)}))(t)
		d := player.Driver{Player: m.New(), Game: g}
		defer d.Close()
		d.Start(seed, 0, g)
		for !g.Over() {
			if _, err := d.Move(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		return g.Score()
	}
	x, y := end("greedy"), end("random")
	for _, sc := range append(in.windows(), lying[1]) {
		t.Run(sc.name, func(t *testing.T) {
			b := open(t, in, in.site(t), sc, "#watch")
			b.media(still)
			b.run(evaluate(`localStorage.setItem('afterstate.speed', '2')`))
			b.click("Two players side by side")
			b.until(`scrollY === 0`)
			b.until(`location.hash.startsWith('#watch/two/best/snake/4x4/') && [...document.querySelectorAll('.beside .moves')].filter(e => Number(e.innerText) > 1).length === 2`)
			b.press(" ")
			b.until(named("Resume"))
			b.press(" ")
			b.until(named("Pause"))
			b.run(evaluate(`scrollTo(0, 0)`)) // a key of the test scrolls, that of a person does not
			b.shot("beside")
			b.run(evaluate(`localStorage.setItem('afterstate.speed', '0')`), navigate("#watch/duel"), navigate(fmt.Sprintf("#watch/two/greedy/random/3x3/%d", seed)))
			b.until(fmt.Sprintf(`[...document.querySelectorAll('.beside .score')].map(e => e.innerText).join(' ') === '%s %s' && [...document.querySelectorAll('.side')].every(e => e.innerText.includes('No moves left'))`, groupedNumber(x), groupedNumber(y)))
			lead := fmt.Sprintf("greedy leads by %s ", groupedNumber(x-y))
			if x < y {
				lead = fmt.Sprintf("random leads by %s ", groupedNumber(y-x))
			}
			b.until(fmt.Sprintf(`document.querySelector('#lead').innerText.startsWith(%q) && document.querySelector('.chart canvas') && document.documentElement.scrollWidth <= innerWidth`, lead))
			b.shot("beside-over")
			if axe != nil {
				b.run(evaluate(string(axe)))
				b.axe("two players")
			}
			b.click("Another seed")
			b.until(fmt.Sprintf(`location.hash.startsWith('#watch/two/greedy/random/3x3/') && !location.hash.endsWith('/%d') && [...document.querySelectorAll('.side')].every(e => e.innerText.includes('No moves left'))`, seed))
			b.click("One player")
			b.until(`location.hash === '#watch' && ` + ready)
			b.clean()
		})
	}
}
