package serve

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"afterstate/search"
	"afterstate/wire"
)

const peerOrigin = "https://macroxue.github.io"

// asks sends a request to the server as a page of an origin does.
func (c *client) asks(method, path string, headers ...string) (res *http.Response, answer string) {
	c.t.Helper()
	r, err := http.NewRequest(method, c.http.URL+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	res, err = c.http.Client().Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return res, string(body)
}

func TestPeerAPI(t *testing.T) {
	c := start(t, Options{PeerAPI: peerOrigin, Player: parsed(t, "greedy")})
	for _, test := range []struct {
		method, query, headers string
		status                 int
		answer                 string
	}{
		// Boards with one legal move each, and a dead one.
		{"GET", "board=0000000000001212", "Origin: " + peerOrigin, 200, "u"},
		{"GET", "board=1212000000000000", "Origin: " + peerOrigin, 200, "d"},
		{"GET", "board=1000200010002000", "Origin: " + peerOrigin, 200, "r"},
		{"GET", "board=000G000F000G000F", "Origin: " + peerOrigin, 200, "l"},
		{"GET", "board=000g000f000g000f", "", 200, "l"}, // a program
		{"GET", "board=1212212112122121", "Origin: " + peerOrigin, 200, "g"},
		{"GET", "board=EDC1BA918761111", "Origin: " + peerOrigin, 400, `board "EDC1BA918761111": want 16 exponents 0-9A-G`},
		{"GET", "board=EDC1BA918761111Z", "Origin: " + peerOrigin, 400, "want 16 exponents 0-9A-G"},
		{"GET", "board=2,4,8,16,32,64,1", "Origin: " + peerOrigin, 400, "want 16 exponents 0-9A-G"},
		{"GET", "", "Origin: " + peerOrigin, 400, "0 boards: want one"},
		{"GET", "board=1&board=2", "Origin: " + peerOrigin, 400, "2 boards: want one"},
		{"POST", "board=1000000000000001", "Origin: " + peerOrigin, 405, `method "POST": want GET /move?board=...`},
		{"GET", "board=1000000000000001", "Origin: https://evil.example", 403, `origin "https://evil.example" may not ask: want ` + peerOrigin},
		{"GET", "board=1000000000000001", "Origin: null", 403, `origin "null" may not ask`},
		{"GET", "board=1000000000000001", "Sec-Fetch-Site: cross-site", 403, "a request from another site"},
		{"GET", "board=1000000000000001", "Host: evil.example", 421, `host "evil.example" is not known here`},
	} {
		headers := []string{}
		if test.headers != "" {
			headers = append(headers, test.headers)
		}
		res, answer := c.asks(test.method, "/move?"+test.query, headers...)
		if res.StatusCode != test.status || test.status == 200 && answer != test.answer || !strings.Contains(answer, test.answer) {
			t.Errorf("%s %s, %s: %d %q, want %d %q", test.method, test.query, test.headers, res.StatusCode, answer, test.status, test.answer)
		}
		want := ""
		if test.headers == "Origin: "+peerOrigin {
			want = peerOrigin
		}
		if got := res.Header.Get("Access-Control-Allow-Origin"); got != want || res.Header.Get("Vary") != "Origin" {
			t.Errorf("%s %s, %s: allows %q", test.method, test.query, test.headers, got)
		}
	}
	if status, answer := c.post(requestText(1, wire.MethodHello, ""), "Origin: "+peerOrigin); status != http.StatusForbidden {
		t.Errorf("the other site may use the API: %s", answer)
	}
	c.healthy()
}

// Browsers ask first whether a page of the internet may send requests to a private address.
func TestPeerAPIPreflight(t *testing.T) {
	c := start(t, Options{PeerAPI: peerOrigin})
	res, _ := c.asks("OPTIONS", "/move?board=1000000000000001", "Origin: "+peerOrigin, "Access-Control-Request-Method: GET", "Access-Control-Request-Private-Network: true")
	h := res.Header
	if res.StatusCode != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != peerOrigin || h.Get("Access-Control-Allow-Methods") != "GET" ||
		h.Get("Access-Control-Allow-Private-Network") != "true" || h.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("%s %v", res.Status, h)
	}
	res, _ = c.asks("OPTIONS", "/move?board=1000000000000001", "Origin: https://evil.example", "Access-Control-Request-Method: GET", "Access-Control-Request-Private-Network: true")
	if res.StatusCode != http.StatusForbidden || res.Header.Get("Access-Control-Allow-Private-Network") != "" {
		t.Errorf("%s %v", res.Status, res.Header)
	}
}

func TestPeerAPIIsOff(t *testing.T) {
	c := start(t, Options{})
	if res, _ := c.asks("GET", "/move?board=1000000000000001", "Origin: "+peerOrigin); res.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site: %s", res.Status)
	}
	if res, _ := c.asks("GET", "/move?board=1000000000000001"); res.StatusCode != http.StatusNotFound {
		t.Errorf("a program: %s", res.Status)
	}
}

func TestPeerAPIToken(t *testing.T) {
	c := start(t, Options{PeerAPI: peerOrigin, Token: "long-enough", Player: parsed(t, "greedy")})
	if res, answer := c.asks("GET", "/move?board=1000000000000001", "Origin: "+peerOrigin); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the token: %s %s", res.Status, answer)
	}
	if res, answer := c.asks("GET", "/move?board=1000000000000001", "Origin: "+peerOrigin, "Authorization: Bearer long-enough"); res.StatusCode != http.StatusOK {
		t.Errorf("with the token: %s %s", res.Status, answer)
	}
}

// A move takes a place for a search, and waits for one.
func TestPeerAPITakesAPlace(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	c := start(t, Options{PeerAPI: peerOrigin, Searches: 1, Player: fakes(func(context.Context, search.Query) error {
		entered <- struct{}{}
		<-leave
		return nil
	})})
	answers := make(chan string, 2)
	for range 2 {
		go func() {
			_, answer := c.asks("GET", "/move?board=1000000000000001", "Origin: "+peerOrigin)
			answers <- answer
		}()
	}
	<-entered
	if load := c.host.Load(); load.Searches != 1 {
		t.Errorf("%d places are taken, want 1", load.Searches)
	}
	select {
	case <-entered:
		t.Error("two searches at a time, with one place")
	default:
	}
	leave <- struct{}{}
	<-entered
	leave <- struct{}{}
	for range 2 {
		if answer := <-answers; len(answer) != 1 {
			t.Errorf("answer %q", answer)
		}
	}
}

func TestCheckPeerOrigin(t *testing.T) {
	for _, good := range []string{"https://macroxue.github.io", "http://127.0.0.1:8000", "http://localhost"} {
		if err := CheckPeerOrigin(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "*", "null", "macroxue.github.io", "https://macroxue.github.io/", "https://macroxue.github.io/2048-clone", "HTTPS://a.example", "https://A.example", "file:///a", "https://u@a.example", "https://a.example?x"} {
		if err := CheckPeerOrigin(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		} else if _, err := New(Options{PeerAPI: bad, Player: parsed(t, "greedy")}); err == nil && bad != "" {
			t.Errorf("a server accepts %q", bad)
		}
	}
}
