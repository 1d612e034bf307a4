//go:build browser || pictures

package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// The time of a move is that in which its board was seen, and Review shows where it went.
func testTimes(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#play/on/4x4/5/0/-/0")
	g, _ := playedBy(t, "4x4", 5, 0)
	b.until(`location.hash === '#play'`)
	b.shows(g.Board()) // a move in the game before would make the page ask
	b.steady()
	b.timedMoves(t)
	b.timedReview(t)
	b.clean()
}

// timedMoves makes moves with a clock that the test moves on.
func (b *tab) timedMoves(t *testing.T) {
	t.Helper()
	g := must.Get(game.New(game.Options{Spawner: game.NewRandom(5, 0, game.P4)}))(t)
	b.run(evaluate(`performance.now = (now => () => now + (window.later ?? 0))(performance.now())`))
	later := func(ms int) { b.run(evaluate(fmt.Sprintf(`window.later = (window.later ?? 0) + %d`, ms))) }
	press := func(legal bool) {
		t.Helper()
		at := g.Board()
		d := board.Directions[slices.IndexFunc(board.Directions[:], func(d board.Direction) bool { _, _, moved := at.Slide(d); return moved == legal })]
		if b.press(moveKeys[d]); legal {
			must.Do(t, g.Move(d))
		}
		b.until(fmt.Sprintf(`%s === %d`, moves, g.Moves()))
		b.steady()
	}
	hide := func(hidden bool) {
		b.run(evaluate(fmt.Sprintf(`Object.defineProperty(document, 'hidden', {value: %v, configurable: true}); document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))`, hidden)))
	}
	stuck := func() bool { at := g.Board(); return len(at.Legal()) < 4 }
	press(true) // its time began by another clock

	later(1200)
	press(true)
	later(700_000) // somebody who takes longer than five minutes is away
	press(true)
	later(300)
	hide(true)
	later(60_000)
	hide(false)
	later(40)
	press(true)
	want := []int64{1200, 300_000, 340}
	for !stuck() {
		press(true)
		want = append(want, 0)
	}
	later(500)
	press(false)
	later(20)
	press(true)
	later(99)
	b.press("u")
	g.Undo()
	b.until(fmt.Sprintf(`%s === %d`, moves, g.Moves()))
	b.steady()
	b.press("r")
	g.Redo()
	b.until(fmt.Sprintf(`%s === %d`, moves, g.Moves()))
	b.steady()
	want = append(want, 520)

	// The page keeps the times of a game that it opens again.
	b.reload()
	b.until(fmt.Sprintf(`%s && %s === %d`, ready, moves, g.Moves()))
	b.steady()
	b.sheet("Review")
	b.until(`document.querySelector('#longest')`)
	r := must.Get(record.Parse([]byte(js[string](b, `sessionStorage.getItem('afterstate.review')`))))(t)
	if len(r.Times) != len(want)+1 || !slices.Equal(r.Times[1:], want) {
		t.Errorf("%s: times %v, want one more and %v", b.screen.name, r.Times, want)
	}
}

// timedReview reviews a game with times.
func (b *tab) timedReview(t *testing.T) {
	t.Helper()
	g := must.Get(game.New(game.Options{Spawner: game.NewRandom(3, 0, game.P4)}))(t)
	rng := rand.New(rand.NewPCG(3, 3))
	for !g.Over() {
		_ = g.Move(board.Directions[rng.IntN(4)])
	}
	r := record.Of(g, record.Meta{P4: game.P4, Seed: 3, Player: "me"})
	for range r.Moves {
		r.Times = append(r.Times, int64(900*math.Exp(rng.NormFloat64())))
	}
	want := review.Times(review.Positions(g), r.Times, nil)
	var line bytes.Buffer
	must.Do(t, record.Write(&line, r))
	text := must.Get(json.Marshal(strings.TrimSpace(line.String())))(t)
	b.run(evaluate(fmt.Sprintf(`sessionStorage.setItem('afterstate.review', %s); sessionStorage.setItem('afterstate.review.at', '0')`, text)))
	b.reload()
	b.until(allJudged + ` && document.querySelector('#hasty')`)
	whole := (want.Total + 500) / 1000
	b.until(fmt.Sprintf(`document.querySelector('#time').innerText.replaceAll('\u00a0', ' ') === '%d min %d s'`, whole/60, whole%60))
	b.run(evaluate(`document.querySelector('#longest button').click()`))
	b.until(fmt.Sprintf(`document.querySelector('#moves').innerText.startsWith('%d of') && document.querySelector('#longest [aria-current=true]')`, want.Longest[0].Move+1))
	b.until(inView)
	b.run(evaluate(`document.querySelector('#longest').scrollIntoView({block: 'end'})`))
	b.shot("review-times")
}
