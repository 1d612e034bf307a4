//go:build browser || pictures

package serve

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// gradedGame is a game that the page grades, beside what its grades must be.
type gradedGame struct {
	*tab
	game            *game.Game
	judge           *review.Judge
	tally           review.Tally
	counted         []review.Judgement
	turn            int // the first one whose move counts
	streak, longest int
	back            int
	backs           map[int]bool // turns at which the first move was taken back
}

const (
	gradeSwitch = "Grade my moves"
	answer      = `document.querySelector('.edge[data-best], .arrows .best')`
	better      = `document.querySelector('main').innerText.includes('Better:')`
	// toGrade is a board on which a weak player makes mistakes.
	toGrade = "4,2,2,2/4,64,8,8/32,128,256,4/4,4,8,2"
)

func (g *gradedGame) choices() []review.Judgement {
	g.t.Helper()
	moves := must.Get(g.judge.Review(g.t.Context(), review.Choices(eval.Position{Board: g.game.Board(), Score: g.game.Score()}), review.Options{Threads: 1}))(g.t)
	slices.SortStableFunc(moves, func(a, b review.Judgement) int { return int(math.Copysign(1, a.Loss-b.Loss)) })
	return moves
}

func mistake(m review.Judgement) bool {
	return m.Class == protocol.ClassMistake || m.Class == protocol.ClassBlunder
}

// press makes a move on the page, and counts what it must come to.
func (g *gradedGame) press(m review.Judgement) (counts bool) {
	g.t.Helper()
	g.tab.press(moveKeys[m.Played])
	m.Move = g.game.Moves()
	must.Do(g.t, g.game.Move(m.Played))
	if counts = m.Move >= g.turn; counts {
		g.turn = m.Move + 1
		g.tally.Add(&m)
		g.counted = append(g.counted, m)
		switch m.Class {
		case protocol.ClassForced:
		case protocol.ClassBest, protocol.ClassGood, protocol.ClassUndecided:
			g.streak++
			g.longest = max(g.longest, g.streak)
		default:
			g.streak = 0
		}
	}
	return counts
}

// expect compares the sums.
func (g *gradedGame) expect() {
	g.t.Helper()
	accuracy := "–"
	if g.tally.Moves > 0 {
		accuracy = fmt.Sprintf("%.1f %%", 100*g.tally.Accuracy())
	}
	c := g.tally.Classes
	g.until(fmt.Sprintf(`%s === %d && !%s.startsWith('Grading')`, moves, g.game.Moves(), opinion))
	g.until(fmt.Sprintf(`['streak', 'accuracy', 'longest', 'back'].map(i => document.getElementById(i).innerText).join() === '%d,%s,%d,%d'`, g.streak, accuracy, g.longest, g.back))
	g.until(fmt.Sprintf(`['best', 'good', 'undecided', 'inaccuracy', 'mistake', 'blunder'].map(c => document.querySelector('.tally [data-count=' + c + '] b')?.innerText ?? '0').join() === '%d,%d,%d,%d,%d,%d'`,
		c.Best, c.Good, c.Undecided, c.Inaccuracy, c.Mistake, c.Blunder))
}

// move makes a move, whose class the page says right after it and not before.
func (g *gradedGame) move(m review.Judgement) {
	g.t.Helper()
	if g.holds(answer) {
		g.t.Errorf("an answer before move %d", g.game.Moves())
	}
	counts := g.press(m)
	g.expect()
	g.until(fmt.Sprintf(`document.querySelector('.opinion .class').dataset.class === %q`, m.Class))
	if m.Loss >= 0.001 && !m.Lost {
		loss := fmt.Sprintf("gives away %.1f\u00a0%% of the", 100*m.Loss)
		if m.Loss >= 0.1 {
			loss = fmt.Sprintf("gives away %.0f\u00a0%% of the", 100*m.Loss)
		}
		g.until(fmt.Sprintf(`%s.includes('%s')`, opinion, loss))
	}
	if shown := g.holds(better); shown != (m.Bad() && !counts) {
		g.t.Errorf("move %d, which counts: %v, is a %s: the better one is shown: %v", g.game.Moves(), counts, m.Class, shown)
	}
}

// takeBack takes the last move back with the button that mistakes have.
func (g *gradedGame) takeBack() {
	g.t.Helper()
	g.click("Take back")
	g.game.Undo()
	g.back++
	g.backs[g.game.Moves()] = true
	g.expect()
	g.until(opinion + `.includes('Another try?') && document.querySelector('.arrows .played') && !` + answer + ` && !` + better + ` && !` + named("Take back"))
}

// Moves are graded as Review does, after each of them; mistakes can be taken back, and the first move at a turn counts.
func testGrade(t *testing.T, in pages, sc screen) {
	parse := func(spec string) (catalog.Maker, error) { return catalog.Parse(spec, catalog.Capabilities{}) }
	if in.static != "" {
		parse = func(spec string) (catalog.Maker, error) {
			return catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks})
		}
	}
	start := must.Get(board.Parse(toGrade))(t)
	g := &gradedGame{
		tab:   open(t, in, in.site(t), sc, "#play/on/4x4/5/0/-/0/random/"+strings.ReplaceAll(toGrade, "/", "%2F")),
		game:  must.Get(game.New(game.Options{Board: start, Spawner: game.NewRandom(5, 0, game.P4)}))(t),
		backs: map[int]bool{},
		judge: must.Get(review.New(parse, firstLevel(), start.Size(), 1, game.P4))(t),
	}
	g.shows(start)
	g.sheet("Show how good every move is")
	g.until(`document.querySelector('.edge[data-best] em')`)
	g.click(gradeSwitch)
	g.tab.press(kb.Escape)
	g.until(`!` + answer + ` && !` + named("Hint") + ` && ` + named("Better move") + `.disabled`)
	place := `JSON.stringify([...document.querySelectorAll('.board, .boardside .buttons')].map(e => e.getBoundingClientRect().y + scrollY))`
	places := js[string](g.tab, place)

	tries := 0
	for i := 0; !g.game.Over() && i < 40 && tries < 4; i++ {
		all := g.choices()
		m, worst := all[0], all[len(all)-1]
		if i%2 == 1 {
			m = worst
		}
		g.move(m)
		if got := js[string](g.tab, place); got != places {
			t.Errorf("the board and the buttons moved from %s to %s", places, got)
		}
		if !mistake(m) {
			continue
		}
		switch tries++; tries {
		case 1: // the best move is found at the second try
			g.takeBack()
			g.move(all[0])
		case 2: // the same move again: the better one is shown
			g.takeBack()
			g.move(m)
		case 3:
			g.shot("grade-mistake")
			g.click("Better move")
			g.until(fmt.Sprintf(`/Better: . %v/.test(%s)`, m.Best, opinion))
		}
	}
	if tries < 3 {
		t.Fatalf("%d mistakes", tries)
	}

	g.reload()
	g.until(ready)
	g.expect()
	if g.turn == g.game.Moves() && !g.holds(`document.querySelector('.opinion .class')`) {
		t.Error("the last grade is lost")
	}
	g.axeSchemes("grading")

	// Moves that were not graded before the page was closed are graded when it is open again.
	var waiting []string
	for _, m := range g.counted {
		waiting = append(waiting, fmt.Sprintf(`{"turn":%d,"board":"%v","score":%d,"move":"%v","counts":true,"back":%v}`, m.Move, m.Board, m.Score, m.Played, g.backs[m.Move]))
	}
	g.run(evaluate(fmt.Sprintf(`{ const k = 'afterstate.games', all = JSON.parse(localStorage[k]); Object.assign(all['4x4'].tally, {waiting: [%s], moves: 0, inverse: 0, streak: 0, longest: 0, back: 0, classes: {}, worst: []}); localStorage[k] = JSON.stringify(all) }`, strings.Join(waiting, ","))))
	g.reload()
	g.until(ready)
	g.expect()

	// Fast moves are graded later, and so are those at the end.
	for !g.game.Over() {
		all := g.choices()
		g.press(all[len(all)-1])
	}
	g.expect()
	g.until(`document.querySelector('.over')`)
	g.click("Summary")
	worst := slices.Clone(g.counted)
	slices.SortStableFunc(worst, func(a, b review.Judgement) int {
		if a.Lost != b.Lost {
			return map[bool]int{true: -1, false: 1}[a.Lost]
		}
		return int(math.Copysign(1, b.Loss-a.Loss))
	})
	for i, m := range worst[:3] {
		g.until(fmt.Sprintf(`(s => s.includes('Move %d:') && s.includes(' %v') && /Better: . %v/.test(s))(document.querySelectorAll('.grades .worst button')[%d].innerText.replaceAll('\n', ' '))`, m.Move+1, m.Played, m.Best, i))
	}
	g.shot("grade-end")
	g.axeSchemes("the summary")
	g.click("Review") // it agrees
	g.until(`location.hash === '#review' && ` + allJudged)
	g.until(`/^\d+ of \d+$/.test(document.querySelector('#moves')?.innerText)`) // it begins at the move that cost the game
	at := js[int](g.tab, `parseInt(document.querySelector('#moves').innerText)`) - 1
	i := slices.IndexFunc(g.counted, func(m review.Judgement) bool { return m.Move == at })
	if i < 0 || !mistake(g.counted[i]) {
		t.Errorf("Review begins at move %d, which is no mistake", at+1)
	} else {
		g.until(fmt.Sprintf(`document.querySelector('.opinion .class')?.dataset.class === %q`, g.counted[i].Class))
	}
	g.visit("#play", ready)
	g.expect()

	// A damaged tally is dropped, and takes no game away.
	g.run(evaluate(`{ const k = 'afterstate.games', all = JSON.parse(localStorage[k]); for (const x of Object.values(all)) x.tally.worst = [{}]; localStorage[k] = JSON.stringify(all) }`))
	g.reload()
	g.until(fmt.Sprintf(`%s && %s === %d && document.querySelector('#accuracy').innerText === '–'`, ready, moves, g.game.Moves()))
	// Other sizes are graded too.
	g.option("3 × 3")
	g.until(`document.querySelectorAll('.board .cell').length === 9 && ` + ready)
	g.play(1)
	g.until(`document.querySelector('.opinion .class')`)
	g.sheet(gradeSwitch)
	g.until(`document.querySelector('#best') && !document.querySelector('.grade') && !` + named("Take back"))
	g.clean()
}
