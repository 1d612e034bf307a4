package serve

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/protocol"
)

// healthy sends a request after an attack.
func (c *client) healthy() {
	c.t.Helper()
	if got := c.ask(protocol.MethodBestMove, `{"board":"2,2/0,4","player":"greedy"}`); got != `{"move":"right"}` {
		c.t.Errorf("afterwards the server answers %s", got)
	}
}

// refused requires an error in JSON with the words that say what is accepted.
func refused(t *testing.T, what string, status, wantStatus int, answer, words string) {
	t.Helper()
	var e struct {
		Error *protocol.Error
	}
	if err := json.Unmarshal([]byte(answer), &e); err != nil || e.Error == nil || status != wantStatus || !strings.Contains(e.Error.Message, words) {
		t.Errorf("%.100s: %d %.300s\n want %d with %q", what, status, answer, wantStatus, words)
	}
}

func TestHugeBoards(t *testing.T) {
	c := start(t, Options{})
	row := "[" + strings.Repeat("0,", 999) + "0]"
	for i, board := range []string{
		`[` + strings.Repeat(`[0,0,0,0,0,0,0],`, 6) + `[0,0,0,0,0,0,0]]`,
		`[` + row + `]`,
		`[` + strings.Repeat(`[0],`, 9999) + `[0]]`,
		`[[` + strings.Repeat(`9`, 400) + `,0],[0,0]]`,
		`[[562949953421312,0],[0,0]]`,
		`[[1e300,0],[0,0]]`,
		`"` + strings.Repeat("2,", 10_000) + `2"`,
		`"` + strings.Repeat("2/", 10_000) + `2"`,
		strings.Repeat("[", 15) + strings.Repeat("]", 15),
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
	} {
		for _, method := range []string{protocol.MethodBestMove, "tree", "explain"} {
			status, answer := c.post(requestText(i, method, `{"board":`+board+`}`))
			refused(t, board, status, 200, answer, "")
		}
	}
	status, answer := c.post(requestText(1, "board.parse", `{"text":"`+strings.Repeat("2", 1<<20)+`"}`))
	refused(t, "a megabyte", status, http.StatusRequestEntityTooLarge, answer, "must be at most 262144 bytes")
	c.healthy()
}

func TestWrongTypes(t *testing.T) {
	c := start(t, Options{})
	for _, x := range []struct{ method, params, words string }{
		{protocol.MethodBestMove, `{"board":5}`, "must be rows of whole tile values"},
		{protocol.MethodBestMove, `{"board":{"rows":4}}`, "must be rows of whole tile values"},
		{protocol.MethodBestMove, `{"board":[[2,0],[0,2]],"score":"1"}`, "must be a whole number"},
		{"analyze", `{"board":[[2,0],[0,2]],"player":["greedy"]}`, "must be a string"},
		{"tree", `{"board":"2,0/0,2","depth":-1}`, "must be a whole number from 0 to 64"},
		{"tree", `{"board":"2,0/0,2","boards":1000000000}`, "must be a whole number from 1 to 2000"},
		{"tree", `{"board":"2,0/0,2","format":"exe"}`, "must be json or svg"},
		{"explain", `{"board":"2,0/0,2","time_ms":1e9}`, "must be a number from 1 to 10000"},
		{"explain", `{"board":"2,0/0,2","tiles":[1e9]}`, "must be an array of up to 16 values, each a tile"},
		{"explain", `{"board":"2,0/0,2","games":1e9}`, "must be a whole number from 1 to 1000000"},
		{"watch.start", `{"size":"100x100"}`, "must be RxC"},
		{"watch.start", `{"seed":-1}`, "must be a whole number from 0 to 2^64-1"},
		{protocol.MethodReviewRead, `{"data":"aGVsbG8="}`, "unknown format: must be one of records, gamestate"},
		{protocol.MethodReviewRead, `{"data":"YTpiQDB8MDExMSNVMjF8YUAw"}`, "line 1: move 1: up changes nothing, on board 2,2,0,0/"},
		{protocol.MethodReviewRead, `{"data":"YTpiQDB8MDExMSNMMjF8YUAw","game":1}`, "1: the file has 1 games, counted from 0"},
		{"review.open", `{"record":{"moves":1}}`, "must be a string"},
		{"review.open", `{"record":"{\"afterstate_record\":1}"}`, "size is missing"},
		{"review.show", `{"record":"x","move":1.5}`, "must be a whole number"},
	} {
		status, answer := c.post(requestText(1, x.method, x.params))
		refused(t, x.params, status, 200, answer, x.words)
	}
	for _, body := range []string{`null`, `1`, `"hello"`, `[]`, `{}`, `{"jsonrpc":2,"id":1,"method":"hello"}`, `{"jsonrpc":"2.0","id":{},"method":"hello"}`,
		`{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":1,"method":"hello","params":[1]}`, "\xff\xfe", `{"jsonrpc":"2.0","id":1,"method":"hello","params":{}} {}`} {
		status, answer := c.post(body)
		refused(t, body, status, 200, answer, "")
	}
	if status, answer := c.post(`{"jsonrpc":"2.0","method":"hello"}`); status != http.StatusNoContent || answer != "" {
		t.Errorf("a notification is answered by %d %s", status, answer)
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/jsonp", "image/png", "text/html", "json", "application/", ";"} {
		status, answer := c.post(requestText(1, protocol.MethodHello, ""), "Content-Type: "+kind)
		refused(t, kind, status, http.StatusUnsupportedMediaType, answer, "must be application/json")
	}
	for _, method := range []string{"GET", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "LINK", "QUERY"} {
		if res, _ := c.request(method, "/api", ""); res.StatusCode != http.StatusMethodNotAllowed || res.Header.Get("Allow") != "POST" {
			t.Errorf("%s: %s", method, res.Status)
		}
	}
	c.healthy()
}

func TestForeignOrigins(t *testing.T) {
	c := start(t, Options{Hosts: []string{"play.example"}})
	own := c.http.Listener.Addr().String()
	for _, origin := range []string{"https://evil.example", "http://localhost:1", "http://127.0.0.1", "null", "http://127.0.0.1.evil.example", "file://",
		"http://" + own + ".evil.example", "chrome-extension://abc", "http://evil@" + own + "x", "//" + own[1:]} {
		status, answer := c.post(requestText(1, protocol.MethodHello, ""), "Origin: "+origin)
		refused(t, origin, status, http.StatusForbidden, answer, "must be the origin of this page, or absent")
		_, res, err := websocket.Dial(t.Context(), c.http.URL+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {origin}}})
		if err == nil || res.StatusCode != http.StatusForbidden {
			t.Errorf("%s may open a WebSocket: %v", origin, err)
		}
	}
	status, answer := c.post(requestText(1, protocol.MethodHello, ""), "Sec-Fetch-Site: cross-site")
	refused(t, "cross-site", status, http.StatusForbidden, answer, "another site")
	// Another port of this machine is another origin on the same site.
	status, answer = c.post(requestText(1, protocol.MethodHello, ""), "Sec-Fetch-Site: same-site")
	refused(t, "same-site", status, http.StatusForbidden, answer, "another site")
	for path, want := range map[string]int{"/": http.StatusOK, "/api": http.StatusForbidden, "/ws": http.StatusForbidden} {
		if res, _ := c.get(path, "Sec-Fetch-Site: cross-site"); res.StatusCode != want {
			t.Errorf("GET %s from another site: %d, want %d", path, res.StatusCode, want)
		}
	}
	if status, _ := c.post(requestText(1, protocol.MethodHello, ""), "Origin: http://"+own); status != 200 {
		t.Errorf("the page's own origin: %d", status)
	}
	if status, _ := c.post(requestText(1, protocol.MethodHello, ""), "Origin: https://play.example", "Host: play.example"); status != 200 {
		t.Errorf("the page behind a name and TLS: %d", status)
	}
	c.healthy()
}

func TestForeignHosts(t *testing.T) {
	c := start(t, Options{Hosts: []string{"play.example"}})
	for _, host := range []string{"evil.example", "evil.example:2048", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1.nip.io:80",
		"play.example.evil.example", "evil", "[evil]", "local host", "0x7f000001.example",
		"[::1", "::1]", "::1", "[::1]]", "[::1]:2048]", "[127.0.0.1]", "[localhost]", "[localhost]:2048", "localhost]", "[play.example]:80", "play.example]",
		"localhost:x", "localhost:80:80", "localhost:-1", "evil@localhost", "127.0.0.1@evil"} {
		status, answer := c.post(requestText(1, protocol.MethodHello, ""), "Host: "+host)
		if status != http.StatusBadRequest { // else net/http has refused it
			refused(t, host, status, http.StatusMisdirectedRequest, answer, "use localhost, an IP address, or a name given by --host")
		}
	}
	for _, host := range []string{"localhost:2048", "127.0.0.1:9", "[::1]:2048", "192.168.1.7", "play.example", "PLAY.example:443", "[::1]", "[2001:DB8::7]:80", "LOCALHOST"} {
		if status, answer := c.post(requestText(1, protocol.MethodHello, ""), "Host: "+host); status != 200 {
			t.Errorf("%s: %d %s", host, status, answer)
		}
	}
	c.healthy()
}

func TestForbiddenSpecs(t *testing.T) {
	c := start(t, Options{})
	l := c.dial()
	for _, spec := range []string{
		`exec(cmd=\"touch /tmp/owned\")`, `exec`, `exec(cmd=\"sh -c id\",time=1s)`,
		`remote`, `remote(url=\"http://127.0.0.1:1/\")`, `remote(url=\"ws://169.254.169.254\")`,
		`expectimax(eval=sum(file=\"/etc/passwd\"))`, `minimax(eval=sum(file=\"weights.json\"))`,
		`ntuple(model=\"/etc/passwd\")`, `ntuple(model=\"../../x\")`, `ntuple(model=\"\")`, `ntuple(model=run)`, `ntuple`,
		`expectimax(tt=1TB)`, `expectimax(threads=64)`, `foresight(depth=10)`,
	} {
		for _, x := range []struct{ method, params string }{
			{protocol.MethodBestMove, `"board":"2,2/0,4",`}, {"analyze", `"board":"2,2/0,4",`},
			{"explain", `"board":"2,2/0,4",`}, {"tree", `"board":"2,2/0,4",`}, {"watch.start", ``},
		} {
			request := `{` + x.params + `"player":"` + spec + `"}`
			for door, got := range map[string]string{"HTTP": c.ask(x.method, request), "WebSocket": l.ask(x.method, request)} {
				if !strings.HasPrefix(got, "-32602 "+x.method+": player: ") {
					t.Errorf("%s over %s: %s", request, door, got)
				}
			}
		}
	}
	c.healthy()
}
