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
	"time"
)

// client reaches no other host than the one that the user named: it has no proxy and follows no
// redirects.
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

// Browser is a browser with a DevTools port.
type Browser struct{ address string }

// Tab is a page of a browser. Its texts come from the page: escape them before they are shown.
type Tab struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

// At returns the browser whose DevTools port is at host:port. It does not connect yet.
func At(address string) (*Browser, error) {
	host, port, err := net.SplitHostPort(address)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || host == "" || bad != nil || n == 0 || strings.ContainsAny(host, "/?#@%\\ ") {
		return nil, fmt.Errorf("%q: want HOST:PORT, such as 127.0.0.1:9222", address)
	}
	return &Browser{address: address}, nil
}

// Address returns the host and port.
func (b *Browser) Address() string { return b.address }

// Tabs returns the open pages.
func (b *Browser) Tabs(ctx context.Context) ([]Tab, error) {
	var all []Tab
	err := b.ask(ctx, http.MethodGet, "/json/list", &all)
	return slices.DeleteFunc(all, func(t Tab) bool { return t.Type != "page" }), err
}

// Open opens an address in a new tab.
func (b *Browser) Open(ctx context.Context, address string) (Tab, error) {
	var t Tab
	err := b.ask(ctx, http.MethodPut, "/json/new?"+url.QueryEscape(address), &t)
	return t, err
}

var tabID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// Attach connects to a tab. events is called for each event, in order, from the goroutine that
// reads: it must not wait, nor call the connection. The answers of a browser name WebSockets, but
// none is used: the connection goes to the host that the browser was named with.
func (b *Browser) Attach(ctx context.Context, t Tab, events func(method string, params json.RawMessage)) (*Conn, error) {
	if !tabID.MatchString(t.ID) {
		return nil, fmt.Errorf("%s: the tab has the id %.200q, which no browser gives", b.address, t.ID)
	}
	c, err := dial(ctx, "ws://"+b.address+"/devtools/page/"+t.ID, events)
	if err != nil {
		return nil, fmt.Errorf("%s: the tab cannot be attached to: %w", b.address, err)
	}
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
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return fmt.Errorf("no browser answers at %s: %w", b.address, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxMessage+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", b.address, err)
	case len(body) > maxMessage:
		return fmt.Errorf("%s: an answer of more than %d bytes: want the DevTools port of a browser", b.address, maxMessage)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("%s answers %d, %.200q: want the DevTools port of a browser", b.address, response.StatusCode, strings.TrimSpace(string(body)))
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%s answers no JSON: want the DevTools port of a browser", b.address)
	}
	return nil
}
