package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
)

// The timer that looks at the mapped network may be copying it, which takes seconds under load.
func TestMain(m *testing.M) {
	testenv.Main(m, goleak.IgnoreAnyFunction("github.com/afterstate2048/afterstate/eval/models/cache.(*mapping).look"))
}

// client talks to a server under test.
type client struct {
	t    testing.TB
	http *httptest.Server
	*Server
}

func start(t testing.TB, o Options) *client {
	t.Helper()
	if o.Player.New == nil {
		o.Player = parsed(t, "auto")
	}
	if o.Capabilities.Networks == nil { // loading the champion takes seconds
		o.Capabilities.Networks = catalog.NoNetworks
	}
	o.Name, o.Version = "afterstate", "1.2.3"
	s := must.Get(New(o))(t)
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.Client().CloseIdleConnections()
		s.Close()
		h.Close()
	})
	return &client{t, h, s}
}

func parsed(t testing.TB, spec string) catalog.Maker {
	t.Helper()
	m := must.Get(catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	return m
}

// request sends a request with headers as "Name: value" and returns the response with its body. It follows no redirect.
func (c *client) request(method, path, body string, headers ...string) (*http.Response, string) {
	c.t.Helper()
	r := must.Get(http.NewRequest(method, c.http.URL+path, strings.NewReader(body)))(c.t)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	res := must.Get(c.http.Client().Transport.RoundTrip(r))(c.t)
	defer res.Body.Close()
	return res, string(must.Get(io.ReadAll(res.Body))(c.t))
}

// get asks for a path.
func (c *client) get(path string, headers ...string) (*http.Response, string) {
	c.t.Helper()
	return c.request(http.MethodGet, path, "", headers...)
}

// postTo posts JSON to a path, unless the headers say that it is something else.
func (c *client) postTo(path, body string, headers ...string) (status int, answer string) {
	c.t.Helper()
	res, answer := c.request(http.MethodPost, path, body, append([]string{"Content-Type: application/json"}, headers...)...)
	return res.StatusCode, answer
}

// post posts JSON to /api.
func (c *client) post(body string, headers ...string) (status int, answer string) {
	c.t.Helper()
	return c.postTo("/api", body, headers...)
}

// ask posts a request and is its result, or "code message" of its error.
func (c *client) ask(method, params string) string {
	c.t.Helper()
	_, answer := c.post(requestText(1, method, params))
	return outcome(c.t, []byte(answer))
}

func requestText(id int, method, params string) string {
	if params == "" {
		params = "{}"
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

func outcome(t testing.TB, answer []byte) string {
	t.Helper()
	r, err := protocol.ParseResponse(answer)
	if err != nil {
		// Trees are nested deeper than requests may be.
		var deep struct{ Result json.RawMessage }
		if json.Unmarshal(answer, &deep) == nil && deep.Result != nil {
			return string(deep.Result)
		}
		t.Fatalf("%v: %s", err, answer)
	}
	if r.Error != nil {
		return fmt.Sprintf("%d %s", r.Error.Code, r.Error.Message)
	}
	return string(r.Result)
}

// line is a WebSocket under test.
type line struct {
	t    testing.TB
	conn *websocket.Conn
	id   int
	// frames are those that came while an answer was awaited.
	frames []protocol.Frame
}

func (c *client) dial() *line {
	c.t.Helper()
	conn, _, err := websocket.Dial(c.t.Context(), c.http.URL+"/ws", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 22)
	c.t.Cleanup(func() { _ = conn.CloseNow() })
	return &line{t: c.t, conn: conn}
}

// testTime is how long a test waits for an event before it fails. It ends a hang, and is far longer than the
// event takes on a slow and busy machine.
const testTime = time.Minute

func (l *line) read() []byte {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), testTime)
	defer cancel()
	_, data, err := l.conn.Read(ctx)
	if ctx.Err() != nil {
		l.t.Fatalf("no answer: %v\n%s", err, testenv.Stacks())
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return data
}

func (l *line) send(method, params string) (id int) {
	l.t.Helper()
	l.id++
	must.Do(l.t, l.conn.Write(l.t.Context(), websocket.MessageText, []byte(requestText(l.id, method, params))))
	return l.id
}

// ask sends a request and is its outcome. Frames that come before it are kept.
func (l *line) ask(method, params string) string {
	l.t.Helper()
	id := l.send(method, params)
	for {
		data := l.read()
		if f, ok := frame(l.t, data); ok {
			l.frames = append(l.frames, f)
			continue
		}
		if !strings.HasPrefix(string(data), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,`, id)) {
			l.t.Fatalf("answer to request %d: %s", id, data)
		}
		return outcome(l.t, data)
	}
}

func frame(t testing.TB, data []byte) (f protocol.Frame, ok bool) {
	t.Helper()
	var n struct {
		Method string
		Params json.RawMessage
	}
	if err := json.Unmarshal(data, &n); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	if n.Method != protocol.MethodFrame {
		return f, false
	}
	return typed[protocol.Frame](t, string(n.Params)), true
}

// await reads frames until one is as wanted.
func (l *line) await(what string, wanted func(f *protocol.Frame) bool) protocol.Frame {
	l.t.Helper()
	for deadline := time.Now().Add(testTime); time.Now().Before(deadline); {
		var f protocol.Frame
		if len(l.frames) > 0 {
			f, l.frames = l.frames[0], l.frames[1:]
		} else {
			f, _ = frame(l.t, l.read())
		}
		if wanted(&f) {
			return f
		}
	}
	l.t.Fatalf("%s did not come\n%s", what, testenv.Stacks())
	return protocol.Frame{}
}

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testTime); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out waiting for %s\n%s", what, testenv.Stacks())
		}
	}
}

// typed decodes a value that must have the members of its type and no others.
func typed[T any](t testing.TB, text string) T {
	t.Helper()
	v := decode[T](t, text)
	if again := encode(t, v); again != text {
		t.Errorf("%T differs from\n%s\nencoded it is\n%s", v, text, again)
	}
	return v
}

func encode(t testing.TB, v any) string {
	t.Helper()
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	must.Do(t, e.Encode(v))
	return strings.TrimSuffix(out.String(), "\n")
}

func decode[T any](t testing.TB, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}
