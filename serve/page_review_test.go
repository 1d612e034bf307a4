//go:build browser || pictures

package serve

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

const (
	bad       = `document.querySelector('.opinion .class')?.matches('[data-class=inaccuracy], [data-class=mistake], [data-class=blunder]')`
	allJudged = `document.querySelector('#accuracy')?.innerText.endsWith('%') && !document.querySelector('[role=progressbar]')`
	opinion   = `document.querySelector('.opinion')?.innerText`
	// inView is whether the whole board can be seen.
	inView = `(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector('.board').getBoundingClientRect())`
)

// A game to lose, whose boards are known.
const (
	toLose     = "2,4,8,16/64,32,16,8/2,8,0,0/4,0,0,0"
	toLoseLink = "#play/on/4x4/5/0/-/0/random/2,4,8,16%2F64,32,16,8%2F2,8,0,0%2F4,0,0,0"
)

// lose opens this game and plays it to its end, by keys without a thought.
func lose(t *testing.T, in context.Context, s *site, sc screen) *tab {
	t.Helper()
	b := open(t, in, s, sc, toLoseLink)
	start := must.Get(board.Parse(toLose))(t)
	b.shows(start) // a move in the game before would make the page ask
	g := must.Get(game.New(game.Options{Board: start, Spawner: game.NewRandom(5, 0, game.P4)}))(t)
	for i := 0; !g.Over(); i++ {
		if d := []board.Direction{board.Down, board.Left, board.Right, board.Up, board.Right, board.Left}[i%6]; g.Move(d) == nil {
			b.press(moveKeys[d])
		}
	}
	b.until(isOver)
	return b
}

// firstLevel judges a visitor who has no finished games.
func firstLevel() *levels.Level { return &levels.Ladder(bitboard.Size)[2] }

// saysWhy compares the reason of the shown mistake with that of the judge.
func (b *tab) saysWhy() {
	b.t.Helper()
	r := must.Get(record.Parse([]byte(js[string](b, `sessionStorage.getItem('afterstate.review')`))))(b.t)
	p := review.Positions(must.Get(r.Replay())(b.t))[js[int](b, `Number(sessionStorage.getItem('afterstate.review.at'))`)]
	judge := must.Get(review.New(parsePlain, firstLevel(), bitboard.Size, len(r.Moves), game.P4))(b.t)
	want := must.Get(judge.Review(b.t.Context(), []review.Position{p}, review.Options{}))(b.t)[0].Why()
	if got := js[string](b, `document.querySelector('.why').innerText.replace(/[←→↑↓] /g, '')`); !strings.EqualFold(got, want) {
		b.t.Errorf("%s: the page says %q, want %q", b.screen.name, got, want)
	}
}

// accounted is the condition that Review shows the ledger of its game, or the reason why it has no ledger.
const accounted = `document.querySelector('#ledger') || document.body.innerText.includes('skill and luck need values in points')`

// A lost game is reviewed with one tap, from the move that cost the game on; mistakes are found by keys,
// buttons, the graph and the list, and the board is in view after each of them.
func testReview(t *testing.T, in pages, sc screen) {
	b := lose(t, in, in.site(t), sc)
	b.run(evaluate(recording))
	const requests = `sent.filter(m => m.method === 'review.values').length`
	b.click("Review")
	b.until(`location.hash === '#review' && ` + allJudged + ` && ` + bad)
	b.until(`document.querySelector('.arrows .best') && document.querySelector('.arrows .played') && document.querySelector('.edge[data-best]').innerText.includes('best')`)
	b.until(`document.querySelector('.board').getAttribute('aria-label').includes('; best move: ')`)
	b.until(inView)
	b.press(kb.End, "M")
	b.until(bad + ` && ` + named("Next mistake") + `.disabled`)
	last := js[string](b, `document.querySelector('#moves').innerText`)
	at := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector('#moves').innerText %s`, want))
		b.until(inView)
	}

	// The graph ends at a lost game.
	b.until(`document.querySelector('.chart')?.getAttribute('aria-label').startsWith('Chance to survive 100 more moves, before each of ')`)

	// The ledger adds up, and its tiles lead to their moves.
	b.until(`document.querySelector('#ledger')`)
	sum := 0
	parts := js[[]string](b, `[...document.querySelectorAll('#ledger dd')].map(d => d.innerText.replaceAll(',', '').replace('−', '-'))`)
	for _, part := range parts[:len(parts)-1] {
		sum += must.Get(strconv.Atoi(strings.TrimPrefix(part, "+")))(t)
	}
	if score := must.Get(strconv.Atoi(parts[len(parts)-1]))(t); len(parts) != 4 || max(sum-score, score-sum) > 2 {
		t.Errorf("the ledger is %q", parts)
	}
	b.run(evaluate(`document.querySelector('#ledger').scrollIntoView()`))
	b.shot("review-luck")
	b.run(evaluate(`window.tile = [...document.querySelectorAll('.list button')].find(e => e.innerText.startsWith('Worst new tile'))`))
	b.run(evaluate(`tile.click(); window.after = Number(tile.innerText.match(/after move ([\d,]+)/)[1].replace(',', ''))`))
	at(`.replaceAll(',', '').match(/(end after )?(\d+)/).slice(1).reduce((end, n) => Number(n) === after + (end ? 0 : 1))`)
	b.press(kb.End, "M")
	b.until(bad)
	at(fmt.Sprintf(`=== %q`, last))

	// By keys and buttons.
	b.press("M")
	at(fmt.Sprintf(`!== %q`, last))
	b.until(bad)
	before := js[string](b, `document.querySelector('#moves').innerText`)
	b.until(`[...document.querySelectorAll('button')].filter(e => e.innerText.startsWith('Watch after') && !e.disabled).length === 2`)
	b.saysWhy()
	b.shot("review-why")
	b.press("m")
	at(fmt.Sprintf(`=== %q`, last))
	b.click("Previous mistake")
	at(fmt.Sprintf(`=== %q`, before))
	b.press(kb.Home, "n", "n", "b")
	at(`.startsWith('2 of')`)
	_, moves, _ := strings.Cut(last, " of ")
	whole := moves + " of " + moves
	for _, step := range []struct{ button, at string }{{"End of the game", "end, after"}, {"One move back", whole}, {"Start of the game", "1 of"}, {"One move forward", "2 of"}} {
		b.click(step.button)
		at(fmt.Sprintf(`.startsWith(%q)`, step.at))
	}

	// By the list, the strip, the classes and the graph.
	b.run(evaluate(`document.querySelector('ol.worst button').click()`))
	at(`.startsWith(document.querySelector('ol.worst button').innerText.match(/Move (\d+)/)[1] + ' of')`)
	b.run(evaluate(`document.querySelector('.strip button').click()`))
	b.until(inView)
	b.run(evaluate(`[...document.querySelectorAll('.tally button')].find(x => !x.disabled).click()`))
	b.until(bad + ` && ` + inView)
	b.press(kb.Home)
	at(`.startsWith('1 of')`)
	b.run(evaluate(`(u => { u.scrollIntoView({block: 'center'}); const r = u.getBoundingClientRect(), o = {clientX: r.x + 0.6 * r.width, clientY: r.y + r.height / 2, bubbles: true}; for (const e of ['mousemove', 'mousedown', 'mouseup', 'click']) u.dispatchEvent(new MouseEvent(e, o)) })(document.querySelector('.u-over'))`))
	at(`.match(/^\d+/)[0] > 3`)
	b.run(evaluate(`document.querySelector('.opinion .class').click()`))
	b.until(`document.querySelector('dialog[open]')?.innerText.includes('How moves are judged')`)
	b.click("Close")

	// The view is left and opened again: nothing is asked again, and the move is the same.
	place := js[string](b, `document.querySelector('#moves').innerText`)
	sent := js[int](b, requests)
	b.visit("#solve", `document.querySelector('textarea')`)
	b.visit("#review", allJudged)
	at(fmt.Sprintf(`=== %q`, place))
	if again := js[int](b, requests); again != sent {
		t.Errorf("values were asked for %d times more", again-sent)
	}

	b.click("Review another game")
	b.run(chromedp.SendKeys("main textarea", `{"afterstate_record":1}`))
	b.click("Review it")
	b.until(`document.querySelector('[role=alert]')?.innerText.includes('is missing')`)

	// Games of another program: one of two is chosen, and what a record does not hold is listed.
	b.run(evaluate(`document.querySelector('main textarea').select()`),
		chromedp.SendKeys("main textarea", "me:it@7|0111#L[4](125)21|me@1\nyou:it@0|0111#R[4](9)21#L81|you@1"))
	b.click("Review it")
	b.until(`document.querySelector('main .card [role=status]')?.innerText === '2 games in the format framework. Not imported: time of day (1 game).'`)
	// Text that is typed now replaces the file.
	b.run(chromedp.SendKeys("main textarea", "\n"))
	b.until(`!document.querySelector('main .card [role=status]')`)
	b.click("Review it")
	b.until(`document.querySelector('main .card [role=status]')`)
	b.run(evaluate(`document.querySelector('main input[type=number]').select()`), chromedp.SendKeys("main input[type=number]", "2"))
	b.click("Review this game")
	b.until(`document.querySelector('main').innerText.includes('you on 4 × 4')`)
	b.clean()
}

// sixtyThousand is a game of 60,000 moves, in a format without seeds.
func sixtyThousand(t *testing.T) []byte {
	t.Helper()
	packed := must.Get(base64.StdEncoding.DecodeString(longGame))(t)
	const count = 60_000
	g := replayed(t, board.Size{Rows: 6, Cols: 6}, 1, must.Get(record.UnpackMoves(packed[:count/4], count))(t))
	var file bytes.Buffer
	w := formats.NewWriter(&file, formats.Named("rpl1"))
	must.Do(t, w.Write(&formats.AnnotatedRecord{Record: record.Of(g, record.Meta{P4: game.P4, Seed: 1})}))
	return file.Bytes()
}

// A game as long as the longest ones of strong players is reviewed; a record that is longer than a message
// is refused with the limit.
func testLongReview(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#review/open")
	b.until(`document.querySelector('input[type=file]')`)
	b.give("choose", []byte("player,board\n"+strings.Repeat("n", protocol.MaxRecord)+",2 2/0 0\n"), "text/csv")
	b.until(fmt.Sprintf(`document.querySelector('[role=alert]')?.innerText.includes('must be at most %d bytes')`, protocol.MaxRecord))
	b.give("choose", sixtyThousand(t), "text/plain")
	b.until(`document.querySelector('#moves')?.innerText.includes('60,000') && document.querySelector('.strip button')`)
	b.press(kb.Home)
	b.until(`document.querySelector('#moves').innerText === '1 of 60,000' && document.querySelector('.opinion .class')`)
	b.clean()
}

// A move is tried again: the answer is hidden until it is found or shown. The mistakes are drills.
func testTryAgain(t *testing.T, in pages, sc screen) {
	b := lose(t, in, in.site(t), sc)
	b.click("Review")
	b.until(allJudged + ` && ` + bad)
	b.run(evaluate(`document.querySelector('ol.worst button').click()`))
	b.until(`document.querySelector('.arrows .played')`)
	words := `[...document.querySelectorAll('.opinion b')].map(x => x.innerText.split(' ')[1])`
	played, best := js[string](b, words+`[0]`), js[string](b, words+`.at(-1)`)
	key := func(move string) string { return moveKeys[must.Get(board.ParseDirection(move))(t)] }

	b.click("Try again here")
	b.until(`!document.querySelector('.arrows') && ` + opinion + `.startsWith('Which move') && ` + inView)
	b.until(`document.querySelector('ol.worst [aria-current=true]').innerText.includes('?')`)
	b.press(key(played))
	b.until(bad + ` && document.querySelector('.arrows .played') && !document.querySelector('.arrows .best') && ` + opinion + `.includes('Another try?')`)
	b.click("Try again")
	b.until(`!document.querySelector('.arrows')`)
	b.press(key(best))
	b.until(`document.querySelector('.opinion .class[data-class=best]') && document.querySelector('.arrows .best')`)
	b.press("t", kb.Enter)
	b.until(fmt.Sprintf(`!document.querySelector('.opinion .class') && %s.includes(%q) && document.querySelector('.arrows .best')`, opinion, "Best: "))
	b.press(kb.Escape)
	b.until(`document.querySelector('.arrows .played')`)
	b.press("t")
	b.run(evaluate(fmt.Sprintf(`document.querySelector('.edge.%s').click()`, best))) // as keys and screen readers do
	b.until(`document.querySelector('.opinion .class[data-class=best]')`)

	b.until(`Number(document.querySelector('[href="#learn"] .badge')?.firstChild.textContent) > 0`)
	b.click(js[string](b, `[...document.querySelectorAll('button')].find(x => x.innerText.startsWith('Practise now')).innerText.trim()`))
	b.until(`location.hash === '#learn/mistakes' && document.querySelector('#due').innerText === document.querySelector('[href="#learn"] .badge').firstChild.textContent`)
	b.until(`document.body.innerText.includes('of your game with') && !document.querySelector('.arrows')`)
	b.clean()
}
