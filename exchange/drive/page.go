package drive

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/afterstate2048/afterstate/exchange/drive/cdp"
	"github.com/afterstate2048/afterstate/rules/board"
)

//go:embed reader.js
var readerScript string

// Page is a tab with a game.
type Page struct {
	conn   *cdp.Conn
	dialog func(kind, text string) // see Open
	// Unsaved means that the saved game does not belong to the board on the page, and is therefore ignored.
	Unsaved bool

	origin string // scheme, host and port of the page, which must not change
	first  View

	world   atomic.Int64 // execution context ID of the scripts' isolated world; 0 if it does not exist
	blocked atomic.Bool  // a dialog is open
}

// Open opens an address in a tab: a tab that already shows the address, or else an empty or a new tab.
// It returns when the page shows a board.
//
// dialog is called when the page opens a dialog: an alert, confirm or prompt, which blocks the page. text is
// already quoted. After the call, an alert is accepted, and any other dialog is dismissed. If dialog is nil, the person
// has to close dialogs.
func Open(ctx context.Context, b *cdp.Browser, address string, dialog func(kind, text string)) (*Page, error) {
	target, err := CheckAddress(address)
	if err != nil {
		return nil, err
	}
	p := &Page{dialog: dialog}
	tab, existing, err := tabOf(ctx, b, target)
	if err != nil {
		return nil, err
	}
	if p.conn, err = b.Attach(ctx, tab, p.event); err != nil {
		return nil, err
	}
	if err = p.load(ctx, target, existing); err == nil {
		err = p.awaitBoard(ctx, target)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// CheckAddress parses the address of a page. It must be an http, https or file URL.
func CheckAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "file" || u.Scheme != "file" && u.Host == "" {
		return nil, fmt.Errorf("%q: must be the address of a page, such as https://example.com/2048/", address)
	}
	return u, nil
}

// tabOf returns a tab for an address, and whether the tab already shows the address. If not, the tab is
// empty: an existing or a new one.
func tabOf(ctx context.Context, b *cdp.Browser, target *url.URL) (t cdp.Tab, existing bool, err error) {
	tabs, err := b.Tabs(ctx)
	if err != nil {
		return t, false, err
	}
	for _, t := range tabs {
		u, err := url.Parse(t.URL)
		if err == nil && u.Scheme == target.Scheme && u.Host == target.Host && u.RawQuery == target.RawQuery &&
			strings.TrimSuffix(u.Path, "/") == strings.TrimSuffix(target.Path, "/") {
			return t, true, nil
		}
	}
	for _, t := range tabs {
		if t.URL == "about:blank" {
			return t, false, nil
		}
	}
	t, err = b.Open(ctx, "about:blank")
	return t, false, err
}

// load prepares the tab, and loads the page unless the tab already shows it.
func (p *Page) load(ctx context.Context, target *url.URL, existing bool) error {
	for _, method := range []string{"Page.enable", "Inspector.enable", "Page.bringToFront"} {
		if err := p.conn.Call(ctx, method, nil, nil); err != nil {
			return err
		}
	}
	// Without this method a page in a hidden tab draws nothing. Browsers that lack the method fail, so the error is
	// ignored: their tab has to be visible.
	_ = p.conn.Call(ctx, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	if existing {
		return nil
	}
	var loaded struct{ ErrorText string }
	if err := p.conn.Call(ctx, "Page.navigate", map[string]any{"url": target.String()}, &loaded); err != nil {
		return err
	}
	if loaded.ErrorText != "" {
		return fmt.Errorf("%s cannot be loaded: %q", target.Redacted(), loaded.ErrorText)
	}
	return nil
}

// event handles an event of the browser.
func (p *Page) event(method string, params json.RawMessage) {
	switch method {
	case "Page.javascriptDialogClosed":
		p.blocked.Store(false)
	case "Page.javascriptDialogOpening":
		p.blocked.Store(true)
		var d struct{ Type, Message string }
		if p.dialog != nil && json.Unmarshal(params, &d) == nil {
			go func() {
				p.dialog(d.Type, fmt.Sprintf("%.200q", d.Message))
				_ = p.conn.Call(context.Background(), "Page.handleJavaScriptDialog", map[string]any{"accept": d.Type == "alert"}, nil)
			}()
		}
	case "Page.frameNavigated":
		p.world.Store(0)
	}
}

// savedTime is how long the saved game may differ from the board while a page is loading.
const savedTime = 4 * time.Second

// loadTime limits the time until a page shows a board.
const loadTime = 10 * time.Second

// awaitBoard waits for the first board.
func (p *Page) awaitBoard(ctx context.Context, target *url.URL) error {
	last, begin := "", time.Now()
	for {
		a, err := p.read(ctx, last, savedTime)
		took := time.Since(begin)
		switch {
		case err != nil:
			return err
		case a.Settled:
			p.origin = a.Origin
			p.first, err = a.view()
			if err != nil || p.first.Board.Largest() > 0 {
				return err
			}
			last = a.Key // an empty board: the game has not started yet
		case a.Saved != nil && !a.Agreed && a.Begun && took > savedTime:
			p.Unsaved = true // the saved game is from another page of the same host
			begin = time.Now()
		case took < loadTime:
		case a.Error != "":
			return fmt.Errorf("no board on %s: %q", target.Redacted(), a.Error)
		case last != "":
			return fmt.Errorf("no tiles on %s: must be the page of the original game or one derived from it", target.Redacted())
		default:
			return fmt.Errorf("the board on %s never stops moving", target.Redacted())
		}
	}
}

// First returns the first view after the page was opened.
func (p *Page) First() View { return p.first }

// Next waits until the page shows a view that differs from last, but at most for the duration within.
// changed is false if the view stays the same.
func (p *Page) Next(ctx context.Context, last *View, within time.Duration) (v View, changed bool, err error) {
	a, err := p.read(ctx, last.key, within)
	switch {
	case err != nil:
		return v, false, err
	case a.Origin != p.origin:
		return v, false, fmt.Errorf("the page went to another site: %q", a.Origin)
	case a.Error != "":
		return v, false, fmt.Errorf("the page no longer shows a board that can be read: %q", a.Error)
	case !a.Settled && a.Saved != nil && !a.Agreed:
		return v, false, a.disagreement()
	case !a.Settled:
		return *last, false, nil
	}
	v, err = a.view()
	return v, err == nil, err
}

// read runs the reading script, and runs it again if the page is replaced meanwhile. last is the
// key of the last view.
func (p *Page) read(ctx context.Context, last string, within time.Duration) (a answer, err error) {
	key, _ := json.Marshal(last) // cannot fail for a string
	expression := fmt.Sprintf("(%s)(%t,%s,%d)", readerScript, !p.Unsaved, key, within.Milliseconds())
	var text string
	err = answered(ctx, within, func(ctx context.Context) (err error) {
		text, err = p.evaluate(ctx, expression)
		return err
	})
	switch {
	case errors.Is(err, errNoAnswer) && p.blocked.Load(): // a dialog blocks the page
		return answer{Origin: p.origin}, nil
	case err != nil:
		return a, err
	}
	return parseAnswer(text)
}

// evaluate runs an expression in the scripts' isolated world.
func (p *Page) evaluate(ctx context.Context, expression string) (string, error) {
	const tries = 5
	for try := 1; ; try++ {
		text, err := p.evaluateOnce(ctx, expression)
		var refused *cdp.Error
		if !errors.As(err, &refused) || try == tries {
			return text, err
		}
		// The page was replaced, and with it the isolated world.
		p.world.Store(0)
	}
}

func (p *Page) evaluateOnce(ctx context.Context, expression string) (string, error) {
	world, err := p.ownWorld(ctx)
	if err != nil {
		return "", err
	}
	params := map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true, "contextId": world}
	var out struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := p.conn.Call(ctx, "Runtime.evaluate", params, &out); err != nil {
		return "", err
	}
	if e := out.ExceptionDetails; e != nil {
		return "", fmt.Errorf("a script of afterstate failed on the page: %.200q", e.Text+" "+e.Exception.Description)
	}
	var text string
	if len(out.Result.Value) > 0 && json.Unmarshal(out.Result.Value, &text) != nil {
		return "", errors.New("the page's answer is not text")
	}
	return text, nil
}

// ownWorld returns the execution context ID of the scripts' isolated world, and creates the world if needed.
func (p *Page) ownWorld(ctx context.Context) (int64, error) {
	if world := p.world.Load(); world != 0 {
		return world, nil
	}
	var tree struct {
		FrameTree struct{ Frame struct{ ID string } }
	}
	if err := p.conn.Call(ctx, "Page.getFrameTree", nil, &tree); err != nil {
		return 0, err
	}
	var made struct{ ExecutionContextID int64 }
	err := p.conn.Call(ctx, "Page.createIsolatedWorld", map[string]any{"frameId": tree.FrameTree.Frame.ID, "worldName": "afterstate"}, &made)
	if err == nil {
		p.world.Store(made.ExecutionContextID)
	}
	return made.ExecutionContextID, err
}

// Lost returns a channel that is closed when the connection to the tab ends.
func (p *Page) Lost() <-chan struct{} { return p.conn.Done() }

// Close removes advice from the page and ends the connection. The tab stays open.
func (p *Page) Close() {
	if p.conn.Err() == nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = p.Show(ctx, nil)
	}
	p.conn.Close()
}

//go:embed overlay.js
var overlayScript string

// answerTime is the time limit of a page for its answer to a call, in addition to the time that the
// call itself waits.
const answerTime = 15 * time.Second

var errNoAnswer = errors.New("the page does not answer")

// answered calls do, and returns errNoAnswer if the page does not answer in time. within is the
// time that do itself may wait.
func answered(ctx context.Context, within time.Duration, do func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, within+answerTime)
	defer cancel()
	err := do(limited)
	if limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("%w within %v", errNoAnswer, within+answerTime)
	}
	return err
}

// Press presses the arrow key of a move.
func (p *Page) Press(ctx context.Context, d board.Direction) error {
	name := [...]string{"ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"}[d]
	code := [...]int{38, 39, 40, 37}[d] // as KeyboardEvent.keyCode
	return answered(ctx, 0, func(ctx context.Context) (err error) {
		for _, event := range []string{"rawKeyDown", "keyUp"} {
			if err == nil {
				err = p.conn.Call(ctx, "Input.dispatchKeyEvent", map[string]any{"type": event, "key": name, "code": name, "windowsVirtualKeyCode": code}, nil)
			}
		}
		return err
	})
}

// KeepPlaying clicks the element that lets the game continue after a win.
func (p *Page) KeepPlaying(ctx context.Context) error {
	const selector = ".keep-playing-button"
	return answered(ctx, 0, func(ctx context.Context) error {
		found, err := p.evaluate(ctx, "(e=>{e?.click();return e?'found':''})(document.querySelector('"+selector+"'))")
		if err == nil && found == "" {
			err = fmt.Errorf("the game is won, and the page has no element %s to keep playing", selector)
		}
		return err
	})
}

// Show shows advice on the page; nil removes it.
func (p *Page) Show(ctx context.Context, a *Advice) error {
	advice, err := json.Marshal(a)
	if err == nil {
		_, err = p.evaluate(ctx, fmt.Sprintf("(%s)(%s)", overlayScript, advice))
	}
	return err
}
