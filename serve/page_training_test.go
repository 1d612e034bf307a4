//go:build browser || pictures

package serve

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/serve/session"
)

// trained makes finished runs of a small network that differ in lambda.
func trained(t *testing.T, folder runs.Folder, games uint64) {
	t.Helper()
	for name, lambda := range map[string]float64{"high": 0.5, "low": 0} {
		r := begun(t, folder, name, lambda, games)
		if finished, err := r.Train(t.Context(), nil); !finished || err != nil {
			t.Fatal(finished, err)
		}
		r.Close()
	}
}

// begun begins a run, which is running until it is closed.
func begun(t *testing.T, folder runs.Folder, name string, lambda float64, games uint64) *runs.Run {
	t.Helper()
	layout := must.Get(ntuple.Named(bitboard.Size, "2x4"))(t)
	r := must.Get(folder.Begin(name, runs.Options{Layout: layout, Options: learn.Options{Coherent: true, Seed: 1, Games: games, ReportEvery: games / 10, Lambda: lambda}}, nil))(t)
	return r
}

// Runs say what they are doing by their locks; several are shown in one plot with the options in
// which they differ, and a network is watched playing.
func testTraining(t *testing.T, in pages, sc screen) {
	folder := runs.Folder{Path: t.TempDir()}
	trained(t, folder, 200)
	third := begun(t, folder, "third", 0.5, 200)
	end := sync.OnceFunc(third.Close)
	defer end()
	s := newSite(t, Options{Options: session.Options{Capabilities: catalog.Capabilities{Networks: (&models.Library{Run: folder.Checkpoint}).Find}}, Runs: folder.Path})
	tick := func(b *tab, run string) {
		t.Helper()
		b.until(fmt.Sprintf(`(e => e && !e.disabled && (e.click(), true))(document.querySelector('input[aria-label="Compare %s"]'))`, run))
	}
	said := func(run, state string) string {
		return fmt.Sprintf(`[...document.querySelectorAll('.choices button')].some(e => e.innerText.startsWith('%s\n') && e.innerText.includes('%s'))`, run, state)
	}
	b := open(t, in, s, sc, "#training/high")
	b.until(said("high", "finished"))
	b.until(said("low", "finished"))
	b.until(said("third", "running"))
	b.until(`document.querySelector('h2').innerText && [...document.querySelectorAll('.figure')].some(e => e.innerText === 'State\nfinished')`)
	b.until(`document.querySelectorAll('.chart canvas').length >= 1 && [...document.querySelectorAll('.options tr')].some(e => e.innerText === 'lambda\t0.5')`)
	b.shot("training-one")
	end() // as a killed process: its lock is free, whatever its files say
	b.until(said("third", "stopped"))
	tick(b, "low")
	b.until(`location.hash === '#training/high,low' && [...document.querySelectorAll('.u-series')].some(e => e.innerText.trim() === 'low')`)
	b.until(`[...document.querySelectorAll('.options .differs')].map(e => e.innerText).join() === 'lambda\t0.5\t0,horizon\t5\t–'`)
	b.until(`document.querySelector('.chart').getAttribute('aria-label').startsWith('Mean score of each interval by games; now high ')`)
	b.click("minutes")
	b.until(`document.querySelector('.chart').getAttribute('aria-label').startsWith('Mean score of each interval by minutes')`)
	b.click("games")
	b.shot("training-two")
	b.run(evaluate(`document.querySelector(".options").scrollIntoView({block: "center"})`))
	b.shot("training-options")
	b.narrow()
	tick(b, "high")
	b.until(`location.hash === '#training/low' && document.querySelector('input[aria-label="Compare low"]').disabled`)
	b.click("Watch it play")
	b.until(`Number(document.querySelector('#moves')?.innerText) > 2`)
	if player := js[string](b, `[...document.querySelectorAll('input')].map(e => e.value).join()`); !strings.Contains(player, "ntuple(model=low)") {
		t.Errorf("the player is %s", player)
	}
	b.visit("#training/nobody", `document.querySelector('[role=alert]')?.innerText === 'No run is called nobody.'`)
	b.clean()
}

// Without runs the page starts the first one where it may, and says how elsewhere.
func testQuickStart(t *testing.T, in pages, sc screen) {
	folder := runs.Folder{Path: t.TempDir()}
	s := newSite(t, Options{Options: session.Options{Capabilities: catalog.Capabilities{Networks: (&models.Library{Run: folder.Checkpoint}).Find}}, Runs: folder.Path, Train: true})
	b := open(t, in, s, sc, "#training")
	b.click("Start the training")
	b.until(`document.querySelector('.choices button')?.innerText.includes('running') && document.querySelector('.chart canvas')`)
	b.click("Watch it play")
	b.until(moves + ` > 2 && document.body.innerText.includes('ntuple is playing')`)
	b.visit("#training", `document.querySelector('.choices button')?.innerText.startsWith('first') && !document.body.innerText.includes('Train your first network')`)
	if list := s.server.host.NewClient(nil); list != nil {
		if _, err := list.Call(t.Context(), "training.start", nil); err == nil || !strings.Contains(err.Error(), "afterstate train") {
			t.Errorf("a second run: %v", err)
		}
	}
	b.clean()

	elsewhere := open(t, in, newSite(t, Options{Runs: t.TempDir()}), deskDark, "#training")
	elsewhere.until(`document.body.innerText.includes('afterstate train 2x4') && !` + named("Start the training"))
	elsewhere.clean()
}
