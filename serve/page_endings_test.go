//go:build browser || pictures

package serve

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Solve has the chances of a solved ending. Learn plays it, and says after each move what it cost.
func TestEndings(t *testing.T) {
	in := browser(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	site := newSite(t, Options{})
	folder := must.Get(solve.DefaultFolder())(t)
	table := must.Get(folder.Solve(t.Context(), solve.Problem{Walls: "####/####/##..", Goal: 32, P4: 0.1}, solve.Options{}))(t)
	t.Cleanup(table.Close)
	for _, sc := range []screen{phoneLight, deskLight}[:soak.Count(1, 2)] {
		t.Run(sc.name, func(t *testing.T) {
			b := open(t, in, site, sc, "#solve/32768,16384,8192,4096/2048,1024,512,256/128,64,0,0/2,0,0,2/0")
			b.more("details")
			b.until(`/^Exact chance of the 32 \(walls fixed\): \d+\.\d\s%, best move .*loses .* points/.test(document.querySelector('.ending')?.innerText)`)
			b.run(navigate("#learn/endings"))
			b.until(`document.querySelectorAll('.endings button').length === 3`) // two are in the program
			first, second := lostStart(t, table)
			b.run(evaluate(fmt.Sprintf(`{ const random = Math.random, lost = [%d / 6, %d / 5]; Math.random = () => lost.length ? lost.shift() + 0.01 : random() }`, first, second)))
			b.run(evaluate(`[...document.querySelectorAll('.endings button')].find(e => e.innerText.startsWith('32,')).click()`))
			b.until(fmt.Sprintf(`%s.includes('32768,16384,8192,4096/2048,1024,512,256/128,64,') && document.querySelector('#chance').innerText.endsWith('%%')`, shown))
			b.playEnding(t, table)
			b.axeSchemes("the end of an ending")
			made := js[string](b, `document.querySelector('#made').innerText`)
			if want := js[bool](b, opinion+`.includes('You made the 32.')`); made != map[bool]string{true: "1 of 1", false: "0 of 1"}[want] {
				t.Errorf("goal made: %v, the score says %s", want, made)
			}
			b.press("u")
			b.until(opinion + `.includes('Another try?') && document.querySelector('.arrows .played')`)
			b.click("Show best")
			b.until(`document.querySelector('.arrows .best') && document.querySelectorAll('td.best').length > 0`)
			b.visit("#play", ready)
			b.run(navigate("#learn/endings")) // the game and the score are kept
			b.until(fmt.Sprintf(`document.querySelector('#made')?.innerText === %q && document.querySelector('.arrows .best')`, made))
			b.press("n")
			b.until(`document.querySelector('#turn').innerText === '0' && document.querySelector('#games').innerText === '1'`)
			b.clean()
		})
	}
}

// lostStart returns the places of two 2s, the second among the cells that are empty then, from which the goal cannot be made. The
// page must draw another start.
func lostStart(t *testing.T, table *solve.Table) (first, second int) {
	t.Helper()
	for first := range 6 {
		for second := range 5 {
			empty := []int{10, 11, 12, 13, 14, 15}
			cells := []any{32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 0, 0, 0, 0, 0, 0}
			cells[empty[first]] = 2
			cells[slices.Delete(empty, first, first+1)[second]] = 2
			b := must.Get(board.Parse(fmt.Sprintf("%d,%d,%d,%d/%d,%d,%d,%d/%d,%d,%d,%d/%d,%d,%d,%d", cells...)))(t)
			if must.Get(table.Value(&b))(t) == 0 {
				return first, second
			}
		}
	}
	t.Fatal("every start has a chance: choose another ending")
	return 0, 0
}

// playEnding plays a game to its end: the worst move where one is worse by a point, then the best ones. It compares what
// the page says with the table.
func (b *tab) playEnding(t *testing.T, table *solve.Table) {
	t.Helper()
	const ended = `(/You made|Lost:/.test(` + opinion + `))`
	kept, refused, cost := 1.0, false, false
	for turn := 1; ; turn++ {
		at := must.Get(board.Parse(js[string](b, shown)))(t)
		moves := must.Get(table.Moves(&at))(t)
		var allowed []board.Direction
		for _, d := range board.Directions {
			switch m := moves[d]; {
			case m.Legal && !math.IsNaN(m.Value):
				allowed = append(allowed, d)
			case m.Legal:
				b.make(d)
				b.until(opinion + `.includes('would shift a wall')`)
				refused = true
			}
		}
		worth := func(a, b board.Direction) int { return int(math.Copysign(1, moves[a].Value-moves[b].Value)) }
		d, top := slices.MaxFunc(allowed, worth), moves[slices.MaxFunc(allowed, worth)].Value
		if worst := slices.MinFunc(allowed, worth); !cost && moves[worst].Value > 0 && top-moves[worst].Value > 0.01 {
			d, cost = worst, true
		}
		kept *= moves[d].Value / top
		b.make(d)
		want := fmt.Sprintf("best: with a chance of %.1f", 100*top)
		if loss := top - moves[d].Value; loss > 2e-5 {
			want = fmt.Sprintf("−%.1f percentage points: ", 100*loss)
			if loss < 0.0005 {
				want = "−<0.1 percentage points: "
			}
		}
		b.until(fmt.Sprintf(`document.querySelector('#turn').innerText === '%d' && %s.includes(%q)`, turn, opinion, want))
		b.until(ended + ` || document.querySelector('#chance').innerText.endsWith('%')`)
		if b.holds(ended) {
			break
		}
	}
	if share := fmt.Sprintf("%.0f %%", 100*kept); !refused || kept >= 0.0995 && js[string](b, `document.querySelector('#kept').innerText`) != share { // smaller ones have a decimal
		t.Errorf("a move was refused: %v; the page says %s, want %s kept", refused, js[string](b, `document.querySelector('#kept').innerText`), share)
	}
}
