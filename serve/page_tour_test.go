//go:build browser || pictures

package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
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
	must.Get(runner.Start(t.Context(), &protocol.StartExperiment{Players: []string{"greedy", "random"}, Games: 100, Size: board.Size{Rows: 4, Cols: 4}}))(t)
	folder := runs.Folder{Path: t.TempDir()}
	trained(t, folder, 200)
	workers, _ := withHub(t)
	return tourSites{newSite(t, Options{Runner: runner}), newSite(t, Options{Runs: folder.Path, Runner: workers})}
}

// tour lets every view show what it can, and checks it each time. opened prepares a page that was just loaded.
func (s tourSites) tour(t *testing.T, in pages, sc screen, opened func(*tab), check func(b *tab, view string)) {
	t.Helper()
	b := open(t, in, s.site, sc, "")
	b.until(ready)
	opened(b)
	// shows checks a view when it is as it should be; shown opens it by its address first, and dialog closes it later.
	shows := func(view, until string) {
		t.Helper()
		b.until(until)
		check(b, view)
	}
	shown := func(view, hash, until string) {
		t.Helper()
		b.run(navigate(hash))
		shows(view, until)
	}
	dialog := func(view, until string) {
		t.Helper()
		shows(view, until)
		b.press(kb.Escape)
	}
	do := func(script string) {
		t.Helper()
		b.run(evaluate(script))
	}

	b.until(ready)
	b.play(3)
	b.click("Hint")
	shows("play", `document.querySelector('.edge[data-best]')`)
	b.press("n")
	dialog("new game", `document.querySelector('dialog[open]')`)
	b.menu("Settings")
	dialog("settings", `document.querySelector('dialog[open] .sample')`)
	b.press("?")
	dialog("help", `document.querySelector('dialog[open] .steps')`)
	b.sheet(gradeSwitch)
	dialog("the sheet of Play", `document.querySelector('.sheet')`)
	b.play(1)
	shows("graded moves", `document.querySelector('.opinion .class')`)
	b.sheet(gradeSwitch)
	b.press(kb.Escape)
	for name, hash := range map[string]string{"watch": "#watch", "watch, in the lab": "#watch/settings"} {
		b.visit(hash, moves+` > 3`)
		b.press(" ")
		check(b, name)
	}
	b.visit("#today", ready+` && document.querySelector('#day')`)
	b.play(1)
	shows("today", `document.querySelector('.calendar [data-e]')`)
	b.click("Share result")
	dialog("a day's result", `document.querySelector('dialog[open] textarea')`)
	shown("duels", "#today/duel", `document.querySelector('main .card')`)
	shown("a duel", "#today/duel/2048/4x4/7", `document.querySelector('#verdict')`)
	b.click("Play this board")
	shows("a duel's game", ready+` && location.hash.endsWith('/play')`)
	b.visit("#today/duel/0/2x2/7/play", ready)
	b.playUntil(isOver)
	shows("the end of a game", `document.querySelector('.ending .main')`)

	shown("solve", "#solve", `document.querySelector('.pad [data-best]')`)
	b.more("details")
	b.until(`document.querySelector('.chances')`)
	b.click("Open the search tree")
	shows("solve, its details", `document.querySelectorAll('[role=treeitem]').length > 4`)
	do(`document.querySelector('#chances').click()`)
	shows("chances", `document.querySelectorAll('.chances .gauge').length > 0 || `+b.says("This player is too slow to play games from here."))
	_, doubtful := testPictures(t)
	b.give("choose", doubtful, "image/png")
	shows("solve, a doubtful picture", `document.querySelector('dialog[open] [data-doubt]')`)
	b.click("Cancel")
	b.until(`!document.querySelector('dialog[open]')`)
	do(`document.querySelector('.edge[data-best]').click()`)
	shows("solve, waiting for a tile", awaiting)
	do(`document.querySelector('.spots [data-free]').click()`)
	b.until(`document.querySelector('.spots [data-fresh]') && document.querySelector('.edge[data-best]')`)
	shows("solve, following", `document.querySelector('.chances')`)

	shown("opening a game", "#review/open", `document.querySelector('textarea')`)
	b.click("Show an example")
	b.until(allJudged)
	do(`document.querySelector('ol.worst button').click()`)
	shows("reviewing", `document.querySelector('.arrows .played')`)
	b.click("How moves are judged")
	shows("the rule", `document.querySelector('dialog[open]')`)
	b.click("Close")
	b.click("Try again here")
	shows("trying again", `!document.querySelector('.arrows')`)

	shown("without drills", "#learn/mistakes", b.says("Nothing to practise yet. Play a game, then review it: its worst mistakes come here."))
	do(fmt.Sprintf(`localStorage.setItem('afterstate.drills', %q)`, twoDrills))
	b.run(navigate("#learn/hard"), navigate("#learn/mistakes"))
	b.until(`document.body.innerText.includes('Move 71')`)
	b.press("s")
	shows("a drill", `document.querySelector('.arrows .played')`)
	b.visit("#learn/hard", `document.querySelector('#tried')`)
	b.make(b.legal())
	shows("a hard board", `document.querySelector('.arrows')`)
	shown("endings", "#learn/endings", `document.querySelector('.list.endings') || `+b.says("This site has no solved ending. The program has two. In a terminal:"))
	shown("lessons", "#learn/lessons", `document.querySelector('.choice [aria-current=true]')`)
	b.visit("#learn/lessons/corner.2", `document.querySelectorAll('.choice button')[1].ariaCurrent === 'true'`)
	b.make(b.legal())
	shows("a step of a lesson", `document.querySelectorAll('.buttons:not(.modes) button').length > 0`)
	shown("puzzles", "#learn/puzzles", `document.querySelector('#puzzle')`)
	b.make(b.legal())
	shows("an answered puzzle", `document.querySelector('.arrows')`)
	shown("stages", "#learn/stages", `document.querySelector('.stages tbody tr')`)
	do(`document.querySelector('.stages button').click()`)
	shows("a stage", ready+` && document.querySelector('#sum')`)
	b.click("Give up")
	b.until(`document.querySelector('.stages')`)

	b.run(navigate("#experiments"))
	if in.static != "" {
		b.compare()
	}
	b.until(`document.querySelector('table b')`)
	b.enter(strings.Replace(b.say("Player {n}"), "{n}", "1", 1), "exp")
	b.press(kb.ArrowDown)
	shows("suggestions", options+`.length > 1`)
	b.press(kb.Escape, kb.Escape)
	check(b, "experiments")
	shown("training without runs", "#training", b.says("There are no training runs on this machine.")+` || `+b.says("A browser cannot train networks, but it can show the curves of runs."))
	b.run(navigate("#games"))
	b.restore(backupOf(t, monthOfGames(t)[:60]))
	check(b, "a restored backup")
	b.finishRestore()
	b.until(gameRows + `.length > 0`)
	opened(b)
	check(b, "games")
	b.more("progress")
	b.more("backup")
	b.until(`document.querySelectorAll('.chart canvas').length === 3`)
	check(b, "games, progress")
	do(`document.querySelector('#games .slot .plain').click()`)
	dialog("a played game", `document.querySelector('dialog[open]')`)
	if s.trained == nil {
		b.menu("Engine")
		dialog("engine", `document.querySelector('dialog[open]')`)
		b.clean()
		return
	}
	b.clean()

	b = open(t, in, s.trained, sc, "#training/high,low")
	b.until(`document.querySelector('.options .differs') && document.querySelector('.chart canvas')`)
	opened(b)
	check(b, "several runs")
	shown("workers", "#workers", `document.querySelectorAll('main table').length === 2`)
	b.clean()
}
