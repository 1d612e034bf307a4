package serve

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/exchange/picture"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

// pictureParams are the params of picture.read for a file of package picture.
func pictureParams(t testing.TB, name string) string {
	t.Helper()
	data := must.Get(os.ReadFile("../exchange/picture/testdata/" + name))(t)
	return fmt.Sprintf(`{"data":%q}`, base64.StdEncoding.EncodeToString(data))
}

// A picture is read over every transport; large ones have an address of their own.
func TestPictureTransports(t *testing.T) {
	const want = `{"board":[[16,4,64,32],[0,0,32,4],[2,64,4,65536],[4,32,4,16]],"text":"16,4,64,32/0,0,32,4/2,64,4,65536/4,32,4,16","doubts":[],"grid":"","frame":{"left":0.07589743589743586,"top":0.08996259351620944,"width":0.8482051282051283,"height":0.8244389027431422}}`
	c := start(t, Options{})
	params := pictureParams(t, "board.png")
	if got := c.dial().ask(protocol.MethodPicture, params); got != want {
		t.Error(got)
	}
	padded := params[:len(params)-1] + strings.Repeat(" ", 5<<20) + "}"
	for path, body := range map[string]string{"/api": params, "/api/picture": padded} {
		status, answer := c.postTo(path, requestText(1, protocol.MethodPicture, body))
		if got := outcome(t, []byte(answer)); status != http.StatusOK || got != want {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
	if !session.IsSearch(protocol.MethodPicture) {
		t.Error("a picture does not hold a search slot")
	}
	if protocol.MaxPictureFile != picture.MaxBytes || base64.StdEncoding.EncodedLen(picture.MaxBytes) > protocol.MaxPicture-1000 {
		t.Error("the limits of a file and of its message do not fit")
	}
}

// What is no picture, too large or another request is refused.
func TestHostilePictures(t *testing.T) {
	c := start(t, Options{})
	text := base64.StdEncoding.EncodeToString([]byte("no picture"))
	for _, x := range []struct {
		path, body string
		status     int
		words      string
	}{
		{"/api/picture", requestText(1, protocol.MethodPicture, `{"data":"`+text+`"}`), 200, "must be a PNG, JPEG or WebP file"},
		{"/api/picture", requestText(1, protocol.MethodPicture, `{"data":"§"}`), 200, "must be a string in base64"},
		{"/api/picture", requestText(1, protocol.MethodPicture, `{"data":7}`), 200, "must be a string"},
		{"/api/picture", requestText(1, protocol.MethodPicture, `{}`), 200, "data is missing"},
		{"/api/picture", requestText(1, protocol.MethodPicture, `{"data":"","grid":"4x4"}`), 200, "there is no param"},
		{"/api/picture", requestText(1, protocol.MethodHello, ""), 200, "must be picture.read, review.read or review.footage, which take a file"},
		{"/api/picture", strings.Repeat("[", 1<<20), 200, "parse error"},
		{"/api/picture", strings.Repeat(" ", protocol.MaxPicture+1), http.StatusRequestEntityTooLarge, "the body is too long"},
		{"/api", requestText(1, protocol.MethodPicture, `{"data":"`+strings.Repeat("A", 1<<17)+`"}`), 200, "must be at most 65536"},
		{"/api", strings.Repeat(" ", protocol.MaxReview+1), http.StatusRequestEntityTooLarge, "the body is too long"},
	} {
		status, answer := c.postTo(x.path, x.body)
		refused(t, x.path+" "+x.body[:min(60, len(x.body))], status, x.status, answer, x.words)
	}
	c.healthy()
}

// Small files that ask for much memory or time, or made the decoder panic, are refused before they are decoded.
func TestCostlyPictures(t *testing.T) {
	c := start(t, Options{})
	for name, words := range map[string]string{
		"interlaced.png": "(interlaced PNG of 16 bits, 8000 x 5000 pixels) takes up to 624 MB: must be at most 256 MB", "canvas.webp": "on a canvas of 100 x 100",
		"progressive.jpg": "takes up to 933 MB: must be at most 256 MB", "scans.jpg": "8000 x 5000 pixels with too many scans: at this size there must be at most 26",
	} {
		testenv.Bounded(t, 0, func() {
			status, answer := c.postTo("/api/picture", requestText(1, protocol.MethodPicture, pictureParams(t, name)))
			refused(t, name, status, 200, answer, words)
		})
	}
	c.healthy()
}

// Lists are counted before they are decoded: a few bytes of text are many in memory.
func TestCostlyFootage(t *testing.T) {
	c := start(t, Options{})
	frame := func(board, doubts string) string {
		return `[{"from_ms":0,"to_ms":1,"board":` + board + `,"doubts":` + doubts + `}]`
	}
	many := soak.Pick(1<<20, 6<<20)
	for name, x := range map[string]struct{ frames, words string }{
		"frames":  {"[" + strings.Repeat("{},", many) + "{}]", "must be an array of up to 50000 frames"},
		"doubts":  {frame("[[2,0],[0,4]]", "["+strings.Repeat("0,", many)+"0]"), "must be an array of up to 50000 frames"},
		"rows":    {frame("["+strings.Repeat("[],", many)+"[]]", "[]"), "must be an array of up to 50000 frames"},
		"strings": {`["` + strings.Repeat(`\",`, many) + `"]`, "must be an array of up to 50000 frames"},
	} {
		t.Run(name, func(t *testing.T) {
			body := requestText(1, protocol.MethodFootage, `{"frames":`+x.frames+`}`)
			testenv.Bounded(t, len(body), func() {
				status, answer := c.postTo("/api/picture", body)
				refused(t, name, status, 200, answer, x.words)
			})
		})
	}
	c.healthy()
}

// The server takes a few pictures at a time, each within a minute. A further one waits, but not for as long as slow clients take.
func TestSlowPictures(t *testing.T) { synctest.Test(t, slowPictures) }

func slowPictures(t *testing.T) {
	p := served(t, Options{})
	const head = "POST /api/picture HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
	begin := time.Now()
	var slow [maxPictures]net.Conn
	for i := range slow {
		slow[i] = p.dial()
		defer slow[i].Close()
		_, _ = io.WriteString(slow[i], head+"{")
	}
	synctest.Wait()
	conn := p.dial()
	defer conn.Close()
	_, _ = io.WriteString(conn, "POST /api/picture HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
	if res, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || res.StatusCode != http.StatusServiceUnavailable || time.Since(begin) != bodyTime {
		t.Errorf("a further picture: %+v, %v after %v", res, err, time.Since(begin))
	}
	answer, err := io.ReadAll(slow[0])
	if took := time.Since(begin); err != nil || !strings.Contains(string(answer), "the body did not arrive within 60 s") || took < pictureTime || took > pictureTime+10*time.Second {
		t.Errorf("after %v: %v, %s", took, err, answer)
	}
}

// A picture that waits is answered as soon as one before it is.
func TestWaitingPicture(t *testing.T) { synctest.Test(t, waitingPicture) }

func waitingPicture(t *testing.T) {
	p := served(t, Options{})
	const head = "POST /api/picture HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n"
	var all [maxPictures + 1]net.Conn
	for i := range all {
		all[i] = p.dial()
		defer all[i].Close()
		_, _ = io.WriteString(all[i], head)
		synctest.Wait()
	}
	begin, last := time.Now(), all[maxPictures]
	go func() {
		time.Sleep(time.Second)
		_, _ = io.WriteString(all[0], "{") // no JSON, which ends the request
		_, _ = io.WriteString(last, "{")
	}()
	res, err := http.ReadResponse(bufio.NewReader(last), nil)
	if took := time.Since(begin); err != nil || res.StatusCode != http.StatusOK || took != time.Second {
		t.Errorf("%+v, %v after %v: must be the answer after 1s", res, err, took)
	}
}
