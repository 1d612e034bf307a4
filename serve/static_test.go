//go:build browser

package serve

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	browserpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// onStatic is what only a static site does: it works offline, is installed, updates itself and loads
// its network.
var onStatic = map[string]story{
	"Offline": anywhere(testOffline, phoneLight), "Installable": only(testInstallable, phoneLight), "Update": only(testUpdate, phoneLight), "Network": only(testNetwork, phoneLight),
	"IdleWorker": only(testIdleWorker, deskDark), "Samples": anywhere(testSamples, deskLight), "Given": only(testGiven, phoneLight),
	"ExperimentsOfOneTab": only(testExperimentsOfOneTab, phoneLight),
	// Its engine is WebAssembly, in workers.
	"Play": everywhere["Play"], "Review": everywhere["Review"], "Grade": everywhere["Grade"],
}

// TestStaticSite uses the static site as a person does, at a host that has nothing but its files.
func TestStaticSite(t *testing.T) {
	in := pages{Context: browser(t), static: build(t)}
	all := maps.Clone(onStatic)
	if soak.Count(0, 1) > 0 {
		maps.Copy(all, everywhere)
	}
	in.test(t, all)
}

// build builds the site, without networks: the same players answer as on the servers of these tests.
func build(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if out, err := exec.Command("go", "run", "../cmd/site", "-champion=false", folder).CombinedOutput(); err != nil {
		t.Fatalf("the site cannot be built: %v\n%s", err, out)
	}
	return folder
}

// With the host gone the page opens again and does all that it does.
func testOffline(t *testing.T, in pages, sc screen) {
	s := in.site(t)
	b := open(t, in, s, sc, "")
	b.until(ready)
	const made = 3
	b.play(made)
	text1 := js[string](b, text)
	b.kept()
	s.down()
	b.reload()
	b.until(fmt.Sprintf(`%s && %s === %d && %s === %q`, ready, moves, made, text, text1))
	b.click("Hint")
	b.until(`document.querySelector('.edge[data-best] em')`)
	b.visit("#watch", ready+` && `+moves+` > 2`)
	b.visit("#solve", `document.querySelector('td.best')`)
	certain, _ := testPictures(t)
	b.give("paste", certain, "image/png")
	b.until(fmt.Sprintf(`document.querySelector('textarea')?.value === %q`, pictured))
	b.run(navigate("#review/open"))
	b.click("Show an example")
	b.until(allJudged)

	// Another tab, at a link to a view.
	other := openIn(t, b.ctx, s, sc, "#solve/2,2,4,8/0,0,4,16/8,0,0,2/2,4,8,16/0")
	other.until(`document.querySelector('td.best')`)
	other.clean()
	b.clean()
}

// Samples of solved endings are loaded by themselves: Solve has their chances, and Learn their endings.
func testSamples(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#solve/32768,16384,8192,2/1024,2048,4096,2/0,0,0,0/0,0,0,0/0")
	b.more("details")
	b.until(`/^Chance of the 512 \(walls fixed, rounded to 0.001\s%\): \d+\.\d\s%, best move/.test(document.querySelector('.ending')?.innerText)`)
	b.visit("#learn/endings", `document.querySelectorAll('.endings button').length === 2 && document.querySelector('#chance').innerText.endsWith('%')`)
	b.clean()
}

// The browser offers to install the site, and finds no fault in its manifest. The app starts at the
// folder of the site, wherever that is.
func testInstallable(t *testing.T, in pages, sc screen) {
	s := in.site(t)
	b := openIn(t, in, s, sc, "") // private windows install nothing
	b.until(ready)
	b.kept()
	manifest := must.Get(chromedp.Call(b.ctx, browserpage.GetAppManifest, browserpage.GetAppManifestParams{}))(t)
	if len(manifest.Errors) > 0 || manifest.URL != s.url("manifest.webmanifest") {
		t.Errorf("%s: %v", manifest.URL, manifest.Errors)
	}
	faults := must.Get(chromedp.Call(b.ctx, browserpage.GetInstallabilityErrors, cdp.Empty{}))(t)
	for _, f := range faults.InstallabilityErrors {
		t.Errorf("not installable: %s %v", f.ErrorID, f.ErrorArguments)
	}
	id := must.Get(chromedp.Call(b.ctx, browserpage.GetAppID, cdp.Empty{}))(t)
	if id.AppID != s.url("") {
		t.Errorf("the app is %s", id.AppID)
	}
	b.clean()
}

// What another app shares with the installed page opens in Solve: a picture, or a text with a link to a position.
func testGiven(t *testing.T, in pages, sc screen) {
	certain, _ := testPictures(t)
	s := in.site(t)
	b := open(t, in, s, sc, "")
	b.until(ready)
	b.kept()
	share := func(text string, picture []byte) { // as the browser does: it posts a form
		t.Helper()
		b.run(evaluate(fmt.Sprintf(`(() => {
			const form = Object.assign(document.createElement('form'), {action: 'share', method: 'POST', enctype: 'multipart/form-data'})
			form.append(Object.assign(document.createElement('input'), {name: 'text', value: %q}), Object.assign(document.createElement('input'), {name: 'picture', type: 'file'}))
			const d = new DataTransfer(), data = Uint8Array.from(atob(%q), c => c.charCodeAt(0))
			if (data.length) d.items.add(new File([data], 'board.png', {type: 'image/png'}))
			form.lastChild.files = d.files
			document.body.append(form)
			form.submit()
		})()`, text, base64.StdEncoding.EncodeToString(picture))))
	}
	share("", certain)
	b.until(fmt.Sprintf(`location.hash === '#solve' && document.querySelector('textarea')?.value === %q`, pictured))
	share("Look at this position: https://2048verse.com/p/0123000000000001", nil)
	b.until(`location.hash === '#solve' && document.querySelector('textarea')?.value === '0,2,4,8/0,0,0,0/0,0,0,0/0,0,0,2'`)
	share("16k 8k/_ 2", nil)
	b.until(`document.querySelector('textarea')?.value === '16384,8192/0,2'`)
	b.reload()
	b.until(`document.querySelector('textarea')?.value === '16384,8192/0,2'`)
	b.clean()
}

// copy is a host of the static site whose files a test may change.
func (in pages) copy(t *testing.T) *site {
	t.Helper()
	folder := t.TempDir()
	must.Do(t, os.CopyFS(folder, os.DirFS(in.static)))
	return staticSite(t, folder)
}

// replace replaces a text in files of the site.
func (s *site) replace(old, new string, files ...string) {
	s.t.Helper()
	for _, name := range files {
		path := filepath.Join(s.static, name)
		data := must.Get(os.ReadFile(path))(s.t)
		if !bytes.Contains(data, []byte(old)) {
			s.t.Fatalf("%s does not have %s", name, old)
		}
		must.Do(s.t, os.WriteFile(path, bytes.ReplaceAll(data, []byte(old), []byte(new)), 0o666))
	}
}

// A browser with an old version in its cache updates to the new one, and the current game continues.
func testUpdate(t *testing.T, in pages, sc screen) {
	s := in.copy(t)
	b := open(t, in, s, sc, "")
	b.until(ready)
	b.kept()
	const made = 3
	b.play(made)
	before := js[string](b, text)
	version := `JSON.parse(document.getElementById('site').textContent).version`
	old := js[string](b, version)

	// The next version has other bytes in a file of the page and the names that follow from it.
	next := strings.Repeat("0", len(old))
	s.replace(old, next, "index.html", "sw.js")
	b.reload() // shows the old version, and looks for another one
	b.until(fmt.Sprintf(`%s && %s === %d`, ready, moves, made))
	use := `[...document.querySelectorAll('button')].find(e => e.innerText === 'Use it')`
	// A browser that looked for it early may show the new version already.
	b.until(fmt.Sprintf(`document.getElementById('site') && (%s === %q || (%s.click(), true))`, version, next, use))
	b.until(fmt.Sprintf(`document.getElementById('site') && %s === %q && %s && %s === %d && %s === %q`, version, next, ready, moves, made, text, before))
	s.down()
	b.reload()
	b.until(fmt.Sprintf(`%s === %q && %s && %s === %d && %s === %q`, version, next, ready, moves, made, text, before))
	b.clean()
}

// The worker of experiments ends a minute after the last request if nothing is played, and starts again
// when Compare is opened; no game is lost.
func testIdleWorker(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#experiments")
	b.timers(60_000)
	b.run(evaluate(`(() => {
		window.ended = 0
		const end = Worker.prototype.terminate
		Worker.prototype.terminate = function () { ended++; end.call(this) }
	})()`))
	const question = `sent.filter(m => String(m.id).startsWith('idle')).length`
	b.run(evaluate(recording))
	b.compare()
	b.until(`document.querySelectorAll('table b').length === 2 && !document.querySelector('[role=progressbar]')`)
	const figures = `[...document.querySelectorAll('table b')].map(e => e.innerText).join()`
	before := js[string](b, figures)

	// While an experiment is played the worker stays.
	b.click("Remove player 1")
	b.enter("Player 1", "expectimax(plies=3)", kb.Enter)
	b.set(`document.querySelector('input[type=number]')`, 9999)
	b.click("Start the experiment")
	b.until(`document.querySelector('[role=progressbar]')`)
	b.visit("#training", `!document.querySelector('table b')`)
	b.elapse()
	b.until(question + ` === 1 && due.size > 0`) // it is answered: the next minute begins
	if n := js[int](b, `ended`); n != 0 {
		t.Error("a worker that plays an experiment was ended")
	}
	b.run(navigate("#experiments"))
	b.click("Stop")
	b.until(`document.body.innerText.includes('stopped early')`)
	b.visit("#training", `!document.querySelector('table b')`)
	b.elapse()
	b.until(`ended === 1`)

	b.run(navigate("#experiments"))
	b.click("experiment-1 80 games")
	b.until(figures + fmt.Sprintf(` === %q`, before))
	b.click("experiment-2 stopped")
	b.click("Resume")
	b.until(`document.querySelector('[role=progressbar]')`)
	b.clean()
}

// A heuristic player answers until the network is there; then the network does, also offline. The log
// has the times of the first hint.
func testNetwork(t *testing.T, in pages, sc screen) {
	network := must.Get(os.ReadFile("../cmd/wasm/network.model"))(t)
	if len(network) > 5_000_000 {
		t.Fatal("the network of the site is larger than 5 MB")
	}
	s := in.copy(t)
	s.held = make(chan struct{})
	s.down()
	s.up()
	must.Do(t, os.WriteFile(filepath.Join(s.static, "network-small.model"), network, 0o666))
	s.replace(`"networks":[]`, fmt.Sprintf(`"networks":[{"name":"small","file":"network-small.model","bytes":%d}]`, len(network)), "index.html")
	b := open(t, in, s, sc, "")
	hint := func(page string) {
		t.Helper()
		b.until(ready)
		b.click("Hint")
		b.until(`document.querySelector('.edge[data-best] em')`)
		t.Logf("%s: the first hint came after %v", page, time.Duration(js[float64](b, `performance.now()`))*time.Millisecond)
	}
	plays := func() {
		t.Helper()
		b.menu("Engine")
		b.until(`document.querySelector('dialog[open] [role=status]')?.innerText === 'The network plays.'`)
		b.click("Close")
		b.visit("#solve", `document.querySelector('td.best')`)
		b.run(navigate("#play"))
	}
	// Until then a simpler player answers, in the same classes, and says so.
	simpler := `[...document.querySelectorAll('[role=status]')].map(e => e.innerText).find(x => x.startsWith('A simpler player'))`
	hint("new")
	b.until(simpler + ` === 'A simpler player answers until the network is loaded.'`)
	b.visit("#solve/2,4,8,16/64,32,16,8/2,8,0,0/4,0,0,0/0", simpler+` && `+graded+`.test([...document.querySelectorAll('.edge:not([data-best]) em')].map(x => x.innerText).join())`)
	b.visit("#play", ready)
	b.play(3)
	b.run(evaluate(`localStorage.setItem('afterstate.level', '"strong"')`))
	b.sheet("Review")
	b.until(`document.querySelector('main').innerText.includes('Loading the network…')`) // the judge of the strongest waits for it
	close(s.held)
	b.until(allJudged)
	plays()
	b.kept()
	s.down()
	b.reload()
	hint("kept, offline")
	plays()
	b.clean()
}
