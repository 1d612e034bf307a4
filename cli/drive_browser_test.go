//go:build browser

package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/exchange/drive/cdp"
	"github.com/afterstate2048/afterstate/internal/must"
)

// pages serves a folder at an address without the host's name.
func pages(t *testing.T, folder string) string {
	t.Helper()
	s := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(s.Close)
	return s.URL
}

// chromium starts a browser for the tabs of a test.
func chromium(t *testing.T) *cdp.Process {
	t.Helper()
	b := must.Get(cdp.Launch(t.Context(), cdp.LaunchOptions{Headless: true, Flags: []string{"--no-sandbox"}}))(t)
	t.Cleanup(b.Close)
	return b
}

// The original page, from the npm package game-2048, is played to a 2048 and beyond. GAME2048 is the
// package's folder.
func TestDriveOriginal(t *testing.T) {
	folder := os.Getenv("GAME2048")
	if folder == "" {
		t.Fatal("GAME2048 is not set: must be the folder of npm's game-2048, which make check downloads")
	}
	const further = 40 // moves after the 2048
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	n := 0
	d := runDrive(t, ctx, func(line string) {
		if strings.Contains(line, "  tile 2048  ") {
			if n++; n > further {
				stop()
			}
		}
	}, pages(t, folder)+"/", "--moves", "--headless", "--browser-flag=--no-sandbox")
	g := d.game(t)
	b := g.Board()
	if d.status != 130 || n <= further || !g.Won() || !strings.Contains(d.errOut, "afterstate: won; the game continues\n") {
		t.Errorf("status %d, %d moves after the 2048, score %d on %v\n%s", d.status, n, g.Score(), &b, d.errOut)
	}
	if _, given := g.StartBoard(); given {
		t.Error("the record does not begin with the first tiles")
	}
}

// page is a tab of a test with the page of testdata.
type testPage struct {
	t       *testing.T
	browser *cdp.Process
	url     string
}

// person is a connection to the same tab.
func (p *testPage) person() *cdp.Conn {
	p.t.Helper()
	var c *cdp.Conn
	clitest.WaitFor(p.t, func() bool {
		tabs, err := p.browser.Tabs(p.t.Context())
		for _, tab := range tabs {
			if tab.URL == p.url && err == nil {
				c, err = p.browser.Attach(p.t.Context(), tab, nil)
				return err == nil
			}
		}
		return false
	})
	p.t.Cleanup(c.Close)
	return c
}

func js(t *testing.T, c *cdp.Conn, expression string) string {
	t.Helper()
	var out struct{ Result struct{ Value any } }
	must.Do(t, c.Call(t.Context(), "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &out))
	return fmt.Sprint(out.Result.Value)
}

func key(t *testing.T, c *cdp.Conn, name string) {
	t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		if err := c.Call(t.Context(), "Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name, "code": name}, nil); err != nil {
			t.Error(err)
		}
	}
}

// legalKey presses a key that moves something, another one than the player's usual ones if possible.
func legalKey(t *testing.T, c *cdp.Conn) {
	t.Helper()
	before := js(t, c, "moves")
	for _, name := range []string{"ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"} {
		key(t, c, name)
		if js(t, c, "moves") != before {
			return
		}
	}
}

func TestDrivePages(t *testing.T) {
	b := chromium(t)
	run := func(t *testing.T, query string, each func(p *testPage, line string), args ...string) driven {
		at := pages(t, filepath.Join("..", "exchange", "drive", "testdata")) // a separate host, since games are saved by host
		p := &testPage{t, b, at + "/page.html?" + query}
		return runDrive(t, t.Context(), func(line string) {
			if each != nil {
				each(p, line)
			}
		}, append([]string{p.url, "--attach", b.Address(), "--player", "snake(depth=0)", "--moves"}, args...)...)
	}
	for name, test := range map[string]struct{ query, want string }{
		"a new 8":                     {"lie=spawn8", "and one new 2 or 4"},
		"two new tiles":               {"lie=two", "and one new 2 or 4"},
		"no new tile":                 {"lie=none", "and one new 2 or 4"},
		"a doubled tile":              {"lie=double", "and one new 2 or 4"},
		"a new 8, without saved game": {"lie=spawn8&save=no", "and one new 2 or 4"},
		"text in place of a number":   {"lie=text&save=no", "and one new 2 or 4"},
		"moves by itself":             {"lie=alone&save=no", "and one new 2 or 4"},
		"another saved game":          {"lie=saved", "and its saved game is 4096,"},
		"thousands of tiles":          {"lie=many", "finds 200"},
		"another site":                {"lie=go", "the page went to another site"},
	} {
		t.Run(name, func(t *testing.T) {
			d := run(t, test.query+"&name="+strings.ReplaceAll(name, " ", "-"), nil)
			if d.status != 1 || !strings.Contains(d.errOut, test.want) {
				if name != "moves by itself" || d.status != 1 || !strings.Contains(d.errOut, "without a key") {
					t.Errorf("status %d: %s\nwant %s", d.status, d.errOut, test.want)
				}
			}
			if g := d.game(t); g.Moves() < 3 {
				t.Errorf("%d moves are recorded", g.Moves())
			}
		})
	}
	for name, query := range map[string]string{"saved": "a", "not saved": "save=no", "saved by another page": "old=yes&save=no", "saved by another page, drawn late": "old=yes&save=no&late=yes", "5x5": "size=5", "a dialog": "ask=yes", "a busy page": "quiet=2"} {
		t.Run(name, func(t *testing.T) {
			d := run(t, query+"&win=32&seed=7", nil, "--until", "64")
			if g := d.game(t); d.status != 0 || g.Won() || !strings.Contains(d.errOut, "won; the game continues") || !strings.Contains(d.out, `"max_tile":64`) {
				t.Errorf("status %d: %s%s", d.status, d.out, d.errOut)
			}
			if name == "a dialog" && !strings.Contains(d.errOut, `closed the page's alert "Do you like\x1b[31m this game?"`) {
				t.Error(d.errOut)
			}
			if ignored := strings.Contains(d.errOut, "is ignored"); ignored != strings.HasPrefix(name, "saved by another page") {
				t.Error(d.errOut)
			}
		})
	}
	t.Run("own keys", func(t *testing.T) {
		var once sync.Once
		d := run(t, "seed=3&name=own", func(p *testPage, line string) {
			if strings.HasPrefix(line, "move 8 ") {
				once.Do(func() { legalKey(t, p.person()) }) // the command waits meanwhile
			}
		}, "--until", "64", "--speed", "20")
		if g := d.game(t); d.status != 1 || g.Moves() < 8 || !strings.Contains(d.errOut, "afterstate: ") {
			t.Errorf("status %d: %s", d.status, d.errOut)
		}
	})
	for name, method := range map[string]string{"closed": "Page.close", "crashed": "Page.crash"} {
		t.Run(name, func(t *testing.T) {
			d := run(t, "name="+name, func(p *testPage, line string) {
				if strings.HasPrefix(line, "move 6 ") {
					c := p.person()
					go func() { _ = c.Call(context.Background(), method, nil, nil) }()
				}
			})
			if g := d.game(t); d.status != 1 || g.Moves() < 6 || !strings.Contains(d.errOut, "the tab is lost: ") || !strings.Contains(d.errOut, name) {
				t.Errorf("status %d after %d moves: %s", d.status, g.Moves(), d.errOut)
			}
		})
	}
}

// A person gets advice on the page, makes moves, and ends by closing the tab. Nothing is pressed.
func TestDriveAdvise(t *testing.T) {
	b := chromium(t)
	p := &testPage{t, b, pages(t, filepath.Join("..", "exchange", "drive", "testdata")) + "/page.html?seed=5"}
	done := make(chan driven)
	go func() {
		done <- runDrive(t, t.Context(), nil, p.url, "--attach", b.Address(), "--player", "random", "--moves", "--advise", "--level", "1000")
	}()
	c := p.person()
	// The text of the advice for the current board, or "" before the player has answered.
	const advised = `(a => a && a.board.replaceAll('/', ',') === game.cells().join() ? a.afterstate : '')(document.querySelector('[data-afterstate]')?.dataset)`
	grades := regexp.MustCompile(`(left|up|right|down) (good|not decided|inaccuracy|mistake|blunder|loses)|the only legal move`)
	moves := 0
	for range 6 {
		clitest.WaitFor(t, func() bool { return js(t, c, advised) != "" })
		// The panel is in a closed shadow tree, which only the accessibility tree shows. The player random values no
		// moves, so the classes are the level's.
		var tree json.RawMessage
		must.Do(t, c.Call(t.Context(), "Accessibility.getFullAXTree", nil, &tree))
		if !grades.MatchString(string(tree)) {
			t.Error("no move has a class")
		}
		if js(t, c, "moves") != strconv.Itoa(moves) {
			t.Fatal("a move was made that nobody pressed")
		}
		move := js(t, c, advised)
		if moves%2 == 1 {
			legalKey(t, c) // another move, perhaps
		} else {
			key(t, c, "Arrow"+strings.ToUpper(move[:1])+move[1:])
		}
		moves++
		clitest.WaitFor(t, func() bool { return js(t, c, "moves") == strconv.Itoa(moves) })
	}
	if text := js(t, c, "document.body.innerText"); strings.Contains(text, "Thinking") {
		t.Error("the advice is within the page's text")
	}
	clitest.WaitFor(t, func() bool { return js(t, c, advised) != "" })
	_ = c.Call(t.Context(), "Page.close", nil, nil)
	d := <-done
	if g := d.game(t); d.status != 0 || g.Moves() != moves {
		t.Errorf("status %d, %d moves of %d: %s", d.status, g.Moves(), moves, d.errOut)
	}
	if !strings.Contains(d.out, `{"player":"human",`) { // the person makes the moves
		t.Error(d.out)
	}
}

// The command names what keeps it from starting.
func TestDriveRefusals(t *testing.T) {
	b := chromium(t)
	closed := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	nobody := closed.Addr().String()
	_ = closed.Close()
	empty := filepath.Join(t.TempDir(), "empty.html")
	must.Do(t, os.WriteFile(empty, []byte("<title>\x1b[31m</title>"), 0o666))
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"http://" + nobody + "/", "--attach", b.Address()}, `cannot be loaded: "net::ERR_CONNECTION_REFUSED"`},
		{[]string{"http://127.0.0.1/", "--attach", nobody}, "no browser answers at " + nobody},
		{[]string{"file://" + empty, "--attach", b.Address()}, "no tiles on file://"},
	} {
		d := runDrive(t, t.Context(), nil, test.args...)
		if d.status != 1 || !strings.Contains(d.errOut, test.want) {
			t.Errorf("%v: %d %s", test.args, d.status, d.errOut)
		}
		if _, err := os.Stat(d.file); err == nil {
			t.Errorf("%v: a record is written", test.args)
		}
	}
}

// When the command ends, the browser that it started has ended, and its profile and temporary files are removed.
func TestDriveCleansUp(t *testing.T) {
	_ = chromium(t)                          // fails without a browser
	folder, err := os.MkdirTemp("", "drive") // shorter than t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	t.Setenv("TMPDIR", folder)
	d := runDrive(t, t.Context(), nil, pages(t, filepath.Join("..", "exchange", "drive", "testdata"))+"/page.html", "--headless", "--browser-flag=--no-sandbox", "--player", "greedy", "--until", "32")
	must.Equal(t, d.status, 0, d.errOut)
	left := must.Get(os.ReadDir(folder))(t)
	for _, f := range left {
		if !strings.HasPrefix(f.Name(), t.Name()) { // the folder of the test's record
			t.Error("left behind:", f.Name())
		}
	}
}
