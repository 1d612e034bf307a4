//go:build browser || pictures

package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// tourSites are what a tour visits.
type tourSites struct {
	*site
	trained *site // with training runs and workers, which need a server; nil without one
}

func (in pages) toured(t *testing.T) tourSites {
	t.Helper()
	if in.static != "" {
		return tourSites{in.site(t), nil}
	}
	runner := newRunner(t, 1)
	if _, err := runner.Start(t.Context(), &protocol.StartExperiment{Players: []string{"greedy", "random"}, Games: 20, Size: board.Size{Rows: 4, Cols: 4}}); err != nil {
		t.Fatal(err)
	}
	folder := runs.Folder{Path: t.TempDir()}
	trained(t, folder, 200)
	workers, _ := withHub(t)
	return tourSites{newSite(t, Options{Runner: runner}), newSite(t, Options{Runs: folder.Path, Runner: workers})}
}

// tour lets every view show what it can, and checks it each time. opened prepares a page that was just loaded.
func (s tourSites) tour(t *testing.T, in pages, sc screen, opened func(*tab), check func(b *tab, view string)) {
	t.Helper()
	b := open(t, in, s.site, sc, "")
	opened(b)
	b.until(ready)
	b.click("Hint")
	b.why()
	b.until(`document.querySelector('.edge[data-best]')`)
	b.press("a", "s", "d")
	b.until(moves + ` > 0`)
	b.steady()
	b.until(`document.querySelector('.reveal table')`)
	check(b, "play")
	b.press("n")
	b.until(`document.querySelector('dialog[open]')`)
	check(b, "new game")
	b.press(kb.Escape)
	b.click("Settings")
	b.until(`document.querySelector('dialog[open] .sample')`)
	check(b, "settings")
	b.press(kb.Escape)
	b.press("?")
	b.until(`document.querySelector('dialog[open] .steps')`)
	check(b, "help")
	b.press(kb.Escape)
	b.run(evaluate(`document.querySelector('.grades input').click()`))
	b.press("w", "d", "a", "s") // two of them may be illegal
	b.until(`document.querySelector('.opinion .class')`)
	check(b, "graded moves")
	b.run(evaluate(`document.querySelector('.grades input').click()`))
	b.run(navigate("#watch"))
	b.until(moves + ` > 1`)
	b.press(" ")
	check(b, "watch")
	b.run(navigate("#watch/two"))
	b.until(`document.querySelectorAll('.beside .tile').length > 4`)
	b.press(" ")
	check(b, "two players")
	b.run(navigate("#play/duel"))
	b.until(`document.querySelector('#day')`)
	check(b, "duels")
	b.run(navigate("#play/duel/2048/4x4/7"))
	b.until(`document.querySelector('#verdict')`)
	check(b, "a duel")
	b.click("Play this board")
	b.until(ready + ` && location.hash === '#play'`)
	check(b, "a duel's game")
	b.click("Your own game")
	b.until(`document.querySelector('.grades')`)
	b.run(navigate("#ask"))
	b.until(`document.querySelector('.reveal table')`)
	b.click("Open the search tree")
	b.until(`document.querySelectorAll('[role=treeitem]').length > 4`)
	check(b, "ask")
	b.run(evaluate(`document.querySelector('#chances').click()`))
	b.until(`document.querySelectorAll('.chances .gauge').length > 0 || ` + b.says("No game ended in time: the player is too slow for that."))
	check(b, "chances")
	_, doubtful := testPictures(t)
	b.give("choose", doubtful, "image/png")
	b.until(`document.querySelector('dialog[open] [data-doubt]')`)
	check(b, "ask, a doubtful picture")
	b.click("Cancel")
	b.until(`!document.querySelector('dialog[open]')`)
	b.run(evaluate(`document.querySelector('.edge[data-best]').click()`))
	b.until(awaiting)
	check(b, "ask, waiting for a tile")
	b.run(evaluate(`document.querySelector('.spots [data-free]').click()`))
	b.until(`document.querySelector('.spots [data-fresh]') && document.querySelector('.edge[data-best]')`)
	b.click("Why")
	b.until(`document.querySelector('.reveal table')`)
	check(b, "ask, following")
	b.run(navigate("#review"))
	b.until(`document.querySelector('textarea')`)
	check(b, "review")
	b.click("Show an example")
	b.until(allJudged)
	b.run(evaluate(`document.querySelector('ol.worst button').click()`))
	b.until(`document.querySelector('.arrows .played')`)
	check(b, "reviewing")
	b.click("How moves are judged")
	b.until(`document.querySelector('dialog[open]')`)
	check(b, "the rule")
	b.click("Close")
	b.click("Try again here")
	b.until(`!document.querySelector('.arrows')`)
	check(b, "trying again")
	b.run(navigate("#practice/mistakes"))
	b.until(b.says("Nothing to practise yet. Play a game, then review it: its worst mistakes come here."))
	check(b, "without drills")
	b.run(evaluate(fmt.Sprintf(`localStorage.setItem('afterstate.drills', %q)`, twoDrills)))
	b.run(navigate("#practice/hard"))
	b.run(navigate("#practice/mistakes"))
	b.until(`document.body.innerText.includes('Move 71')`)
	b.press("s")
	b.until(`document.querySelector('.arrows .played')`)
	check(b, "a drill")
	b.run(navigate("#practice/hard"))
	b.until(`document.querySelector('#tried')`)
	b.press("w", "a", "s", "d")
	b.until(`document.querySelector('.arrows')`)
	check(b, "a hard board")
	for view, there := range map[string]string{"lessons": `.steps [aria-current=true]`, "puzzles": `#puzzle`, "stages": `.stages tbody tr`} {
		b.run(navigate("#practice/" + view))
		b.until(fmt.Sprintf(`document.querySelector(%q)`, there))
		check(b, view)
	}
	b.run(navigate("#practice/endings"))
	b.until(`document.querySelector('.list.endings') || ` + b.says("This site has no solved ending. The program has two; there:"))
	check(b, "endings")
	b.run(navigate("#practice/lessons"))
	b.until(`document.querySelector('#steps')`)
	check(b, "lessons")
	b.run(navigate("#practice/lessons/corner.2"))
	b.until(`document.querySelectorAll('.steps button')[1].ariaCurrent === 'true'`)
	b.press("w", "a", "s", "d")
	b.until(`document.querySelectorAll('.buttons:not(.modes) button').length > 0`)
	check(b, "a step of a lesson")
	b.run(navigate("#practice/puzzles"))
	b.until(`document.querySelector('#solved')`)
	check(b, "puzzles")
	b.press("a", "w", "s", "d")
	b.until(`document.querySelector('.arrows')`)
	check(b, "an answered puzzle")
	b.run(navigate("#practice/stages"))
	b.until(`document.querySelector('.stages')`)
	check(b, "stages")
	b.run(evaluate(`document.querySelector('.stages button').click()`))
	b.until(ready + ` && document.querySelector('#sum')`)
	check(b, "a stage")
	b.click("Give up")
	b.until(`document.querySelector('.stages')`)
	b.run(navigate("#play"))
	b.until(ready)
	b.click("Your own game")
	b.until(`!document.querySelector('#sum')`)
	b.run(navigate("#experiments"))
	if in.static != "" {
		b.compare()
	}
	b.until(`document.querySelector('table b')`)
	b.enter(strings.Replace(b.say("Player {n}"), "{n}", "1", 1), "exp")
	b.press(kb.ArrowDown)
	b.until(options + `.length > 1`)
	check(b, "suggestions")
	b.press(kb.Escape, kb.Escape)
	check(b, "experiments")
	b.run(navigate("#training"))
	b.until(b.says("There are none on this machine.") + ` || ` + b.says("A browser trains no networks, but shows the curves of runs."))
	check(b, "training without runs")
	b.run(navigate("#games"))
	b.restore(backupOf(t, monthOfGames(t)[:60]))
	check(b, "a restored backup")
	b.finishRestore()
	b.until(`document.querySelectorAll('.chart canvas').length === 3`)
	opened(b)
	b.run(evaluate(`document.querySelector('#games button').click()`))
	b.until(`document.querySelector('dialog[open]')`)
	check(b, "a played game")
	b.press(kb.Escape)
	for _, view := range b.views() {
		b.run(navigate(view))
		b.until(fmt.Sprintf(`document.querySelector('.tabs a[aria-current]').hash === %q`, view))
		check(b, view)
	}
	if s.trained == nil {
		b.click("Engine")
		b.until(`document.querySelector('dialog[open]')`)
		check(b, "engine")
		b.clean()
		return
	}
	b.clean()

	b = open(t, in, s.trained, sc, "#training/high,low")
	b.until(`document.querySelector('.options .differs') && document.querySelector('.chart canvas')`)
	opened(b)
	check(b, "several runs")
	b.run(navigate("#experiments/workers"))
	b.until(`document.querySelectorAll('main table').length === 2`)
	check(b, "workers")
	b.clean()
}
