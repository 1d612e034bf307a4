//go:build browser

package serve

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A page of another origin asks for a move as macroxue's clone of the game does: with XMLHttpRequest,
// without headers of its own.
func TestPeerAPIInABrowser(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>A game</title>")
	}))
	t.Cleanup(elsewhere.Close)
	other := strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1) // the same page under another origin
	s := newSite(t, Options{PeerAPI: elsewhere.URL})
	in := browser(t)
	for origin, want := range map[string]string{elsewhere.URL: "200 d", other: "refused"} {
		ctx, end := chromedp.NewContext(in, chromedp.WithNewBrowserContext())
		t.Cleanup(end)
		limited, cancel := context.WithTimeout(ctx, testTime)
		t.Cleanup(cancel)
		if err := chromedp.Do(limited, chromedp.Navigate(origin+"/2048-clone/")); err != nil {
			t.Fatal(err)
		}
		got, err := chromedp.Run(limited, chromedp.Evaluate[string](`new Promise((answer) => {
			const request = new XMLHttpRequest()
			request.open('GET', 'http://`+s.address+`/move?board=1212000000000000')
			request.onload = () => answer(request.status + ' ' + request.responseText)
			request.onerror = () => answer('refused')
			request.send(null)
		})`, chromedp.EvalAwaitPromise))
		if err != nil || got != want {
			t.Errorf("from %s: %q %v, want %q", origin, got, err, want)
		}
	}
}
