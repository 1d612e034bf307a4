package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// client connects only to the host that the user named: it uses no proxy and follows no redirects.
var client = &http.Client{
	Transport: &http.Transport{
		DialContext:           (&net.Dialer{Timeout: connectTime}).DialContext,
		ResponseHeaderTimeout: 20 * time.Second,
		MaxIdleConns:          2,
		DisableKeepAlives:     true,
	},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

const connectTime = 5 * time.Second

// Browser is a running browser with a DevTools port.
type Browser struct{ address string }

// Tab is a tab of a browser. The page chooses URL, so escape it before showing it.
type Tab struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	URL  string `json:"url"`
}

// At returns the browser whose DevTools port is at host:port. It does not connect yet.
func At(address string) (*Browser, error) {
	host, port, err := net.SplitHostPort(address)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || host == "" || bad != nil || n == 0 || strings.ContainsAny(host, "/?#@%\\ ") {
		return nil, fmt.Errorf("%q: must be HOST:PORT, such as 127.0.0.1:9222", address)
	}
	return &Browser{address: address}, nil
}

// Address returns the host and port of the DevTools port.
func (b *Browser) Address() string { return b.address }

// Tabs returns the open tabs that show pages.
func (b *Browser) Tabs(ctx context.Context) (all []Tab, err error) {
	err = b.ask(ctx, http.MethodGet, "/json/list", &all)
	return slices.DeleteFunc(all, func(t Tab) bool { return t.Type != "page" }), err
}

// Open opens an address in a new tab.
func (b *Browser) Open(ctx context.Context, address string) (t Tab, err error) {
	err = b.ask(ctx, http.MethodPut, "/json/new?"+url.QueryEscape(address), &t)
	return t, err
}

var tabID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// Attach connects to a tab. events, if not nil, is called for each event, in order, from the
// goroutine that reads from the connection: events must not block or use the connection. Attach
// ignores the WebSocket addresses in the browser's answers, and connects to the address of b.
func (b *Browser) Attach(ctx context.Context, t Tab, events func(method string, params json.RawMessage)) (*Conn, error) {
	if !tabID.MatchString(t.ID) {
		return nil, fmt.Errorf("%s: the tab has the invalid id %.200q", b.address, t.ID)
	}
	ws, _, err := websocket.Dial(ctx, "ws://"+b.address+"/devtools/page/"+t.ID, &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		return nil, fmt.Errorf("%s: connecting to the tab failed: %w", b.address, err)
	}
	ws.SetReadLimit(maxMessage)
	c := &Conn{ws: ws, events: events, waiting: map[int64]chan<- reply{}}
	c.life, c.end = context.WithCancelCause(context.Background())
	go c.read()
	return c, nil
}

// ask sends an HTTP request and decodes the answer.
func (b *Browser) ask(ctx context.Context, method, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+b.address+path, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("no browser answers at %s: %w", b.address, errors.Unwrap(err)) // without the URL
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxMessage+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", b.address, err)
	case len(body) > maxMessage:
		return fmt.Errorf("%s: the answer has more than %d bytes: must be the DevTools port of a browser", b.address, maxMessage)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("%s answers %d, %.200q: must be the DevTools port of a browser", b.address, response.StatusCode, strings.TrimSpace(string(body)))
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%s does not answer in JSON: must be the DevTools port of a browser", b.address)
	}
	return nil
}

const (
	// maxMessage limits the messages of a browser, in bytes. A page can make a browser send long messages,
	// such as the text of a dialog.
	maxMessage = 1 << 20
	writeTime  = 10 * time.Second
)

// ErrLost means that the connection to a tab ended: the tab was closed, it crashed, or the browser exited.
// The wrapping error says which.
var ErrLost = errors.New("the tab is lost")

// ErrTabClosed means that the tab was closed. It wraps [ErrLost].
var ErrTabClosed = fmt.Errorf("%w: it was closed", ErrLost)

// An Error is the browser's answer to a failed call.
type Error struct {
	Method  string
	Message string // text from the browser, which may quote the page
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %.200q", e.Method, e.Message) }

// Conn is a connection to one tab. Its methods may be called from several goroutines.
type Conn struct {
	ws     *websocket.Conn
	events func(method string, params json.RawMessage)

	life context.Context // cancelled when the connection ends, with the reason as its cause
	end  context.CancelCauseFunc

	mu      sync.Mutex
	last    int64
	waiting map[int64]chan<- reply
}

type reply struct {
	Result json.RawMessage
	Error  *Error
}

// Done returns a channel that is closed when the connection has ended; Err then returns the reason.
func (c *Conn) Done() <-chan struct{} { return c.life.Done() }

// Err returns the reason why the connection ended, or nil while it is open. The error wraps [ErrLost].
func (c *Conn) Err() error { return context.Cause(c.life) }

// Close ends the connection. The tab stays open.
func (c *Conn) Close() {
	c.fail(fmt.Errorf("%w: the connection was ended", ErrLost))
}

// fail ends the connection. If it is called again, the first reason is kept.
func (c *Conn) fail(err error) {
	c.end(err)
	_ = c.ws.CloseNow()
}

// Call calls a method and decodes its result into result, unless result is nil. It returns an
// [Error] from the browser, ctx.Err(), or an error that wraps [ErrLost].
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	answer := make(chan reply, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	message, err := json.Marshal(struct {
		ID     int64  `json:"id"`
		Method string `json:"method"`
		Params any    `json:"params,omitempty"`
	}{id, method, params})
	if err != nil {
		return err
	}
	// A write whose context ends closes the connection, so the write must not use ctx.
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	err = c.ws.Write(writing, websocket.MessageText, message)
	cancel()
	if err != nil {
		select {
		case <-c.Done(): // the reading goroutine has ended the connection and stored the reason
		case <-time.After(time.Second):
			c.fail(fmt.Errorf("%w: %w", ErrLost, err))
		}
	}
	select {
	case r := <-answer:
		switch {
		case r.Error != nil:
			r.Error.Method = method
			return r.Error
		case result == nil:
			return nil
		}
		if err := json.Unmarshal(r.Result, result); err != nil {
			return fmt.Errorf("%s: the browser's answer: %w", method, err)
		}
		return nil
	case <-c.Done():
		return c.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// read passes answers to the calls that wait for them, and events to the function events, until the
// connection ends.
func (c *Conn) read() {
	for {
		_, data, err := c.ws.Read(context.Background())
		switch {
		case errors.Is(err, websocket.ErrMessageTooBig):
			c.fail(fmt.Errorf("%w: the browser sent a message of more than %d bytes", ErrLost, maxMessage))
			return
		case websocket.CloseStatus(err) >= 0:
			c.fail(ErrTabClosed)
			return
		case err != nil:
			c.fail(fmt.Errorf("%w: the browser ended the connection", ErrLost))
			return
		}
		var m struct {
			ID     int64
			Method string
			Params json.RawMessage
			reply
		}
		if err := json.Unmarshal(data, &m); err != nil {
			c.fail(fmt.Errorf("%w: the browser sent an invalid DevTools message: %w", ErrLost, err))
			return
		}
		if m.Method != "" {
			c.event(m.Method, m.Params)
			continue
		}
		c.mu.Lock()
		answer := c.waiting[m.ID]
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		if answer != nil { // nil: the caller has stopped waiting
			answer <- m.reply
		}
	}
}

// event ends the connection if the event says that the tab was closed or has crashed. It passes
// every event to c.events.
func (c *Conn) event(method string, params json.RawMessage) {
	switch method {
	case "Inspector.targetCrashed":
		c.fail(fmt.Errorf("%w: its page crashed", ErrLost))
	case "Inspector.detached":
		c.fail(ErrTabClosed)
	}
	if c.events != nil {
		c.events(method, params)
	}
}
