//go:build browser || pictures

package serve

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
)

// learner is a visitor who reads the task of a step and plays it.
type learner struct {
	*tab
	t     *testing.T
	value func(board.Board) player.Decision
	// keep and until are the goals of the step.
	keep, until func(*board.Board) bool
	moves       int
}

var tasks = []struct {
	words *regexp.Regexp
	goal  func(l *learner, start board.Board, tile int64)
}{
	{regexp.MustCompile(`in a corner for (\d+) moves`), func(l *learner, _ board.Board, _ int64) { l.keep = cornered }},
	{regexp.MustCompile(`in order for (\d+) moves`), func(l *learner, _ board.Board, _ int64) { l.keep = ordered }},
	{regexp.MustCompile(`stay where they are for (\d+) moves`), func(l *learner, start board.Board, _ int64) {
		l.keep = func(b *board.Board) bool {
			for i := range 16 {
				if e := start.Cell(i); e >= 10 && b.Cell(i) < e {
					return false
				}
			}
			return true
		}
	}},
	{regexp.MustCompile(`back into a corner within (\d+) moves`), func(l *learner, _ board.Board, _ int64) { l.until = cornered }},
	{regexp.MustCompile(`Merge the (\d+)s`), func(l *learner, _ board.Board, tile int64) {
		l.until = func(b *board.Board) bool { return count(b, tile) < 2 }
	}},
	{regexp.MustCompile(`Make a (\d+)`), func(l *learner, _ board.Board, tile int64) {
		l.until = func(b *board.Board) bool { return count(b, tile) > 0 }
	}},
	{regexp.MustCompile(`largest tile must stay`), func(l *learner, _ board.Board, _ int64) { l.keep = cornered }},
}

// count returns how many tiles of a value a board has.
func count(b *board.Board, tile int64) (n int) {
	for i := range 16 {
		if board.Tile(b.Cell(i)) == tile {
			n++
		}
	}
	return n
}

// read reads a task.
func (l *learner) read(task string, start board.Board) {
	l.keep, l.until, l.moves = nil, nil, 0
	if m := regexp.MustCompile(`(?:for|within) (\d+) moves`).FindStringSubmatch(task); m != nil {
		l.moves, _ = strconv.Atoi(m[1])
	}
	for _, x := range tasks {
		if m := x.words.FindStringSubmatch(task); m != nil {
			tile := int64(0)
			if len(m) > 1 {
				tile, _ = strconv.ParseInt(m[1], 10, 64)
			}
			x.goal(l, start, tile)
		}
	}
	if (l.keep == nil && l.until == nil) != (l.moves == 0) {
		l.t.Fatalf("the task %q is not understood", task)
	}
}

// reached is about how often the goal is reached in some more moves after a slide: new tiles are 2s.
func (l *learner) reached(after board.Board, moves int) (share float64) {
	switch {
	case l.keep != nil && !l.keep(&after):
		return 0
	case l.until != nil && l.until(&after), l.until == nil && moves == 0:
		return 1
	case moves == 0:
		return 0
	}
	for n := range after.Empty() {
		next, best := after, 0.0
		next.PlaceNth(n, 1)
		for _, d := range next.Legal() {
			slid, _, _ := next.Slide(d)
			best = max(best, l.reached(slid, moves-1))
		}
		share += best / float64(after.Empty())
	}
	return share
}

// choose returns the move after which the goal is reached most often; of several, the one that a good player likes best.
func (l *learner) choose(b board.Board, left int) board.Direction {
	decision, depth := l.value(b), 3
	if b.Empty() > 6 {
		depth = 2
	}
	worth := func(d board.Direction) float64 {
		after, _, _ := b.Slide(d)
		return l.reached(after, min(depth, left)-1) + decision.Moves[d].Value/1e9
	}
	return slices.MaxFunc(b.Legal(), func(x, y board.Direction) int { return cmp.Compare(worth(x), worth(y)) })
}

// step plays a step until it is done; wrong makes the worst move first, where the judge checks.
func (l *learner) step(wrong bool) {
	b := l.tab
	b.until(`document.querySelector('.task') && document.querySelector('.board') && !/Done\.|Right\.|Not yet\./.test(` + opinion + `)`)
	task := js[string](b, `document.querySelector('.task').innerText`)
	for try := range 12 {
		start := b.shownBoard()
		l.read(task, start)
		for made := 0; !b.holds(`/Done\.|Right\.|Not yet\./.test(` + opinion + `)`); made++ {
			at := b.shownBoard()
			var d board.Direction
			if l.moves == 0 {
				d = l.answer(at, wrong && try == 0)
			} else {
				d = l.choose(at, l.moves-made)
			}
			before := js[string](b, shown)
			b.make(d)
			b.until(fmt.Sprintf(`%s !== %q || /Done\.|Right\.|Not yet\./.test(%s)`, shown, before, opinion))
		}
		if b.holds(`/Done\.|Right\./.test(` + opinion + `)`) {
			if wrong != (try > 0) && wrong {
				l.t.Errorf("%s: a wrong move was right", task)
			}
			l.t.Logf("%s: done at try %d", task, try+1)
			return
		}
		l.t.Logf("%s: %s", task, js[string](b, opinion))
		b.shot("lesson-failed")
		b.click("Try again")
		b.until(fmt.Sprintf(`%s === %q && !%s.includes('Not yet')`, shown, start.String(), opinion))
	}
	l.t.Fatalf("%s: failed too often", task)
}

// answer returns the best move of a board that is a puzzle, or another one.
func (l *learner) answer(b board.Board, wrong bool) board.Direction {
	puzzles, _ := learnData(l.t)
	p := puzzles[slices.IndexFunc(puzzles, func(p puzzle) bool { return p.board == b })]
	if wrong {
		return p.other()
	}
	return p.best
}

// other returns a legal move that is not the best one.
func (p puzzle) other() board.Direction {
	legal := p.board.Legal()
	return legal[slices.IndexFunc(legal, func(d board.Direction) bool { return d != p.best })]
}

// Every lesson is played through, by swipes on a phone and by keys elsewhere. A step that fails says why, and is tried again.
func testLessons(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#learn/lessons")
	l := &learner{tab: b, t: t, value: asker(t, sieve)}
	b.until(`document.querySelectorAll('.choice li').length >= 3`)
	all := strings.Count(string(must.Get(os.ReadFile("ui/src/state/lessons.json"))(t)), `"board"`)
	b.until(fmt.Sprintf(`document.querySelector('#steps').innerText === '0/%d'`, all))
	for i := range all {
		b.shot(fmt.Sprintf("lesson-%d", i+1))
		l.step(i == 0)
		b.until(fmt.Sprintf(`document.querySelector('#steps').innerText === '%d/%d'`, i+1, all))
		if i == 0 {
			b.shot("lesson-done")
			b.axeSchemes("a step of a lesson")
		}
		if i < all-1 {
			b.until(`document.querySelector('.buttons .main')?.innerText.startsWith('Next')`)
			b.run(evaluate(`document.querySelector('.buttons .main').click()`))
		}
	}
	b.reload()
	b.until(fmt.Sprintf(`document.querySelector('#steps').innerText === '%[1]d/%[1]d'`, all))
	b.clean()
}

// Puzzles are answered, and a right answer says why too. A wrong answer becomes a drill, unless a mirrored one is there.
func testPuzzles(t *testing.T, in pages, sc screen) {
	puzzles, _ := learnData(t)
	b := open(t, in, in.site(t), sc, "#learn/puzzles")
	b.until(`document.querySelector('#solved')?.innerText === '0 of 0' && document.querySelector('#left').innerText === '300'`)
	now := func() puzzle {
		t.Helper()
		at := b.shownBoard()
		for _, p := range puzzles {
			if p.board == at {
				return p
			}
		}
		t.Fatalf("%v is no puzzle", at)
		return puzzle{}
	}
	next := func(left int) {
		t.Helper()
		b.click("Next")
		b.until(fmt.Sprintf(`%s.startsWith('Swipe') && document.querySelector('#left').innerText === '%d'`, opinion, left))
	}
	p := now()
	b.shot("puzzle")
	b.site.down()
	b.make(p.best)
	b.until(opinion + `.startsWith('Right.')`)
	b.site.up() // and then it says why
	b.until(opinion + `.startsWith('Right. The next best, ') && document.querySelector('#solved').innerText === '1 of 1'`)
	next(299)
	p = now()
	b.make(p.other())
	b.until(opinion + `.includes('Best: ') && /gives away|loses/.test(` + opinion + `) && document.querySelector('#solved').innerText === '1 of 2'`)
	b.until(`document.querySelector('.modes').innerText.includes('My mistakes (1)')`)
	b.shot("puzzle-wrong")
	b.axeSchemes("an answered puzzle")
	next(298)
	p = now()
	drills := js[string](b, `localStorage.getItem('afterstate.drills')`)
	mirrored := p.board.Symmetries()[5]
	b.run(evaluate(fmt.Sprintf(`localStorage.setItem('afterstate.drills', %q.replace(/"board":"[^"]*"/, '"board":"%s"'))`, drills, mirrored.String())))
	b.make(p.other())
	b.until(`/gives away|loses/.test(` + opinion + `) && document.querySelector('#solved').innerText === '1 of 3'`)
	if n := js[int](b, `JSON.parse(localStorage.getItem('afterstate.drills')).drills.length`); n != 1 {
		t.Errorf("%d drills of a board and its mirrored image", n)
	}
	choose := func(label, value string) {
		t.Helper()
		b.set(fmt.Sprintf(`[...document.querySelectorAll('label')].find(e => e.innerText.startsWith(%q)).querySelector('select')`, label), value)
	}
	choose("Theme", "leave")
	b.until(`document.querySelector('#puzzle').innerText.startsWith('Leaving the corner')`)
	choose("Grade", "3")
	b.until(`document.querySelector('#puzzle').innerText === 'Leaving the corner, grade 3 of 5'`)
	if p := now(); p.theme != "leave" || p.grade != 3 {
		t.Errorf("%v is of theme %s and grade %d", p.board, p.theme, p.grade)
	}
	choose("Grade", "0")
	choose("Theme", "")
	b.reload()
	b.until(`document.querySelector('#solved')?.innerText === '1 of 3'`)
	b.run(navigate("#games"))
	file := b.backup()
	b.run(evaluate(`localStorage.setItem('afterstate.learned', '{"lessons":{"corner":5},"puzzles":{},"stages":{}}')`))
	b.restore(file) // what is here stays
	b.reloaded(func() { b.press(kb.Escape) })
	b.visit("#learn/puzzles", `document.querySelector('#solved')?.innerText === '1 of 3' && JSON.parse(localStorage.getItem('afterstate.learned')).lessons.corner === 5`)
	b.click("Start over")
	b.until(`document.querySelector('#solved').innerText === '0 of 0'`)
	b.clean()
}

// A stage is lost, given up and made, and the rate is shown beside that of champion.
func testStages(t *testing.T, in pages, sc screen) {
	_, all := learnData(t)
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	b.play(2)
	own := js[string](b, text)
	b.run(navigate("#learn/stages"))
	row := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelectorAll('.stages tbody tr').length === %d && document.querySelector('.stages tbody tr').cells[1].innerText === %q`, len(all), want))
	}
	begin := func(button string) {
		t.Helper()
		b.run(evaluate(`document.querySelector('.stages tbody tr button').click()`))
		b.until(fmt.Sprintf(`%s && location.hash === '#learn/stages/%d' && document.querySelector('#sum')`, ready, all[0].To))
	}
	row("–")
	b.shot("stages")
	begin("Play")
	b.shot("stage")
	b.play(1)
	b.press("u") // no undo
	b.until(moves + ` === 1`)
	b.click("Give up")
	row("0 % of 1")
	b.until(`document.querySelector('.stages tbody tr button').innerText.startsWith('Play')`)

	// The next game is a move from the end of the stage.
	begin("Play")
	b.play(1)
	place := fmt.Sprintf("stage %d", all[0].To)
	near := "1024,512,256,128/0,2,4,64/0,0,0,32/0,0,16,2" // the sum is 2040
	b.run(navigate("#learn/stages"))
	row("0 % of 1")
	b.run(evaluate(fmt.Sprintf(`(g => { g[%q].start = %q; Object.assign(g[%[1]q], {uid: 'near', moves: '', count: 0}); localStorage.setItem('afterstate.games', JSON.stringify(g)) })(JSON.parse(localStorage.getItem('afterstate.games')))`, place, near)))
	b.reload()
	row("0 % of 1")
	begin("Continue")
	b.playUntil(isOver)
	b.until(`document.querySelector('.over').innerText.includes('You completed the stage!') && document.querySelector('#yours').innerText === '50 % of 2'`)
	b.shot("stage-made")
	b.axeSchemes("a stage that is made")
	b.reload() // it counts once
	b.until(`document.querySelector('#yours')?.innerText === '50 % of 2'`)
	b.click("All stages")
	row("50 % of 2")
	b.axeSchemes("stages")
	b.visit("#play", fmt.Sprintf(`%s && %s === %q`, ready, text, own))
	b.clean()
}
