package serve

import (
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/protocol"
)

const horse = "correct-horse_1"

// cookieOf is the header with which a browser sends a token's cookie.
func (c *client) cookieOf(token string) string {
	_, port, _ := net.SplitHostPort(c.http.Listener.Addr().String())
	return "Cookie: afterstate-token-" + port + "=" + token
}

// Without the token nothing is served, with it everything is.
func TestToken(t *testing.T) {
	c := start(t, Options{Token: horse})
	paths := []string{"/", "/index.html", "/app.js", "/favicon.svg", "/icon-192.png", "/manifest.webmanifest", "/metrics", "/nothing"}
	wrong := [][]string{nil, {c.cookieOf("wrong-horse_1")}, {"Cookie: afterstate-token=" + horse}, {"Authorization: Bearer " + horse + "x"}, {"Authorization: Bearer "},
		{"Authorization: Basic " + horse}, {c.cookieOf("")}}
	for _, headers := range wrong {
		for _, path := range append(paths, "/?token=", "/?token=wrong", "/?again", "/app.js?token="+horse, "/?Token="+horse) {
			res, body := c.get(path, headers...)
			if res.StatusCode != http.StatusUnauthorized || !strings.Contains(body, "<code>?token=</code>") || strings.Contains(body, horse) ||
				res.Header.Get("WWW-Authenticate") == "" || res.Header.Get("Set-Cookie") != "" || res.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s with %q: %s %v %.300s", path, headers, res.Status, res.Header, body)
			}
		}
		status, answer := c.post(requestText(1, protocol.MethodHello, ""), headers...)
		refused(t, "/api", status, http.StatusUnauthorized, answer, "Authorization: Bearer TOKEN")
		if _, res, err := websocket.Dial(t.Context(), c.http.URL+"/ws", dialOptions(headers)); err == nil || res.StatusCode != http.StatusUnauthorized {
			t.Errorf("WebSocket with %q: %v", headers, err)
		}
	}
	right := [][]string{{c.cookieOf(horse)}, {"Authorization: Bearer " + horse}, {"Authorization: bearer  " + horse}, {c.cookieOf("stale-horse_1") + "; " + c.cookieOf(horse)[len("Cookie: "):]}}
	for _, headers := range right {
		for _, path := range paths[:len(paths)-2] {
			if res, _ := c.get(path, headers...); res.StatusCode != http.StatusOK {
				t.Errorf("%s with %q: %s", path, headers, res.Status)
			}
		}
		if status, answer := c.post(requestText(1, protocol.MethodBye, ""), headers...); status != http.StatusOK {
			t.Errorf("/api with %q: %d %s", headers, status, answer)
		}
		conn, _, err := websocket.Dial(t.Context(), c.http.URL+"/ws", dialOptions(headers))
		if err != nil {
			t.Fatalf("WebSocket with %q: %v", headers, err)
		}
		_ = conn.CloseNow()
	}
	if status, _ := c.post(requestText(1, protocol.MethodBye, ""), "Authorization: Bearer "+horse, "Host: evil.example"); status != http.StatusMisdirectedRequest {
		t.Errorf("another name of this address (DNS rebinding): %d", status)
	}
	if status, _ := c.post(requestText(1, protocol.MethodBye, ""), c.cookieOf(horse), "Origin: https://evil.example"); status != http.StatusForbidden {
		t.Errorf("another site: %d", status)
	}
}

func dialOptions(headers []string) *websocket.DialOptions {
	o := &websocket.DialOptions{HTTPHeader: http.Header{}}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		o.HTTPHeader.Set(name, value)
	}
	return o
}

// The address with the token gives the cookie and leads to the address without it.
func TestTokenBecomesCookie(t *testing.T) {
	c := start(t, Options{Token: horse})
	res, _ := c.get("/?token=" + horse)
	cookies := res.Cookies()
	if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/" || len(cookies) != 1 {
		t.Fatalf("%s %v", res.Status, res.Header)
	}
	k := cookies[0]
	if "Cookie: "+k.Name+"="+k.Value != c.cookieOf(horse) || !k.HttpOnly || k.SameSite != http.SameSiteStrictMode || k.Path != "/" || k.Domain != "" || k.MaxAge != cookieAge {
		t.Errorf("the cookie is %v", k)
	}
	// Who has the cookie loses it to no stale address.
	for _, path := range []string{"/?token=wrong", "/?again", "/?token="} {
		if res, _ := c.get(path, c.cookieOf(horse)); res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/" || len(res.Cookies()) > 0 {
			t.Errorf("%s: %s %v", path, res.Status, res.Header)
		}
	}
	// A browser without a cookie is made to reload once, not again and again.
	const refresh = `<meta http-equiv="refresh" content="0; url=/?again">`
	for path, want := range map[string]bool{"/": true, "/?again": false, "/?token=wrong": false, "/app.js": false} {
		if _, body := c.get(path); strings.Contains(body, refresh) != want {
			t.Errorf("%s: reloads %v, want %v", path, !want, want)
		}
	}
	if _, body := c.get("/", c.cookieOf("stale-horse_1")); strings.Contains(body, refresh) || !strings.Contains(body, "not the token of this server") {
		t.Errorf("with a stale cookie: %s", body)
	}
	if res, _ := c.request(http.MethodPost, "/?token="+horse, ""); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("POST: %s", res.Status)
	}
}

func TestCheckToken(t *testing.T) {
	for token, ok := range map[string]bool{
		NewToken(): true, "12345678": true, "a-b_c.d~": true, strings.Repeat("x", 128): true,
		"": false, "1234567": false, "with space": false, "semi;colon": false, "per%41cent": false, "amper&sand": false, strings.Repeat("x", 129): false, "äöüäöüäöü": false,
	} {
		if err := CheckToken(token); (err == nil) != ok {
			t.Errorf("%q: %v", token, err)
		}
	}
	if a, b := NewToken(), NewToken(); a == b || len(a) != 16 {
		t.Errorf("%s, %s", a, b)
	}
}

func TestAddresses(t *testing.T) {
	tcp := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 2048} }
	for ip, want := range map[string][]string{
		"127.0.0.1": {"http://127.0.0.1:2048/"}, "::1": {"http://[::1]:2048/"},
		"192.0.2.7": {"http://192.0.2.7:2048/", "http://192.0.2.7:2048/"}, "2001:db8::1": {"http://[2001:db8::1]:2048/", "http://[2001:db8::1]:2048/"},
	} {
		own, others := Addresses(tcp(ip))
		if got := append([]string{own}, others...); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", ip, got, want)
		}
		if BeyondLoopback(tcp(ip)) != (len(want) > 1) {
			t.Errorf("%s is beyond loopback: %v", ip, len(want) < 2)
		}
	}
	for _, ip := range []string{"0.0.0.0", "::"} {
		own, others := Addresses(tcp(ip))
		if own != "http://localhost:2048/" || !BeyondLoopback(tcp(ip)) {
			t.Errorf("%s: %s", ip, own)
		}
		for _, url := range others { // as many as this machine has
			if !strings.HasSuffix(url, ":2048/") || strings.Contains(url, "127.0.0.1") || ip == "0.0.0.0" && strings.Contains(url, "[") {
				t.Errorf("%s: %s", ip, url)
			}
		}
	}
}

func TestManifest(t *testing.T) {
	for token, startURL := range map[string]string{"": "/", horse: "/?token=" + horse} {
		c := start(t, Options{Token: token})
		res, body := c.get("/manifest.webmanifest", c.cookieOf(token))
		var m struct {
			ID, Name, Display string
			ShortName         string `json:"short_name"`
			StartURL          string `json:"start_url"`
			Icons             []struct{ Src, Sizes, Type, Purpose string }
		}
		if err := json.Unmarshal([]byte(body), &m); err != nil || res.Header.Get("Content-Type") != "application/manifest+json" {
			t.Fatalf("%v: %v %s", err, res.Header, body)
		}
		if m.StartURL != startURL || m.ID != "/" || m.Display != "standalone" || m.Name == "" || m.ShortName == "" {
			t.Errorf("%+v", m)
		}
		var sizes []string
		for _, i := range m.Icons {
			sizes = append(sizes, i.Sizes+" "+i.Purpose)
			if res, _ := c.get(i.Src, c.cookieOf(token)); res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != i.Type {
				t.Errorf("%s: %s %v", i.Src, res.Status, res.Header)
			}
		}
		if want := "192x192 any,512x512 any,512x512 maskable"; strings.Join(sizes, ",") != want {
			t.Errorf("icons %v, want %s", sizes, want)
		}
	}
}
