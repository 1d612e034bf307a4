package protocol

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// echo answers with what it was asked; "slow" only after release is closed.
type echo struct {
	requests []string
	release  chan struct{}
}

func (e *echo) Call(_ context.Context, method string, params []byte) (any, error) {
	e.requests = append(e.requests, method)
	switch method {
	case "fail":
		return nil, errors.New("lost its mind")
	case "refuse":
		return nil, Errorf(CodeTime, "not so fast <%s>", params)
	case "odd":
		return func() {}, nil
	case "slow":
		<-e.release
	}
	return method, nil
}

func request(id, method string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"}` + "\n"
}

func TestServe(t *testing.T) {
	long := strings.Repeat("x", 3*MaxLine)
	in := request("1", "a") + "\n \r\n" + request(`"b"`, "fail") + request("3", "refuse") + request("4", "odd") +
		`{"jsonrpc":"2.0","method":"note"}` + "\n" + long + "\n" + "{\n" + request("null", "c") + strings.TrimSpace(request("5", "last"))
	want := `{"jsonrpc":"2.0","id":1,"result":"a"}
{"jsonrpc":"2.0","id":"b","error":{"code":-32603,"message":"lost its mind"}}
{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"not so fast <>"}}
{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"json: unsupported type: func()"}}
{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the line has more than 65536 bytes"}}
{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error: unexpected end of JSON input"}}
{"jsonrpc":"2.0","id":null,"result":"c"}
{"jsonrpc":"2.0","id":5,"result":"last"}
`
	for name, r := range map[string]io.Reader{"at once": strings.NewReader(in), "byte by byte": &trickle{in}} {
		var out bytes.Buffer
		e := &echo{}
		must.Do(t, Serve(t.Context(), e, r, &out))
		must.Equal(t, out.String(), want, name)
		must.Equal(t, strings.Join(e.requests, " "), "a fail refuse odd note c last", name, "asked")
	}
}

type trickle struct{ rest string }

func (r *trickle) Read(p []byte) (int, error) {
	if r.rest == "" {
		return 0, io.EOF
	}
	p[0] = r.rest[0]
	r.rest = r.rest[1:]
	return 1, nil
}

// Nothing is read after a bye, whether it expects an answer or not.
func TestServeEndsAtBye(t *testing.T) {
	for in, want := range map[string]string{
		request("1", "bye") + request("2", "a"):                            `{"jsonrpc":"2.0","id":1,"result":"bye"}` + "\n",
		`{"jsonrpc":"2.0","method":"bye"}` + "\n" + request("2", "a"):      "",
		`{"jsonrpc":"2.0","id":1,"method":"bye"}` + strings.Repeat(" ", 9): `{"jsonrpc":"2.0","id":1,"result":"bye"}` + "\n",
	} {
		var out bytes.Buffer
		if err := Serve(t.Context(), &echo{}, strings.NewReader(in), &out); err != nil || out.String() != want {
			t.Errorf("%q: %v, %q", in, err, &out)
		}
	}
}

// An answer arrives before the next request is sent, before the rest of a line is,
// and while the request after it is worked on.
func TestServeDoesNotHoldAnswersBack(t *testing.T) {
	theirIn, in := io.Pipe()
	out, theirOut := io.Pipe()
	done := make(chan error)
	slow := make(chan struct{})
	go func() {
		err := Serve(t.Context(), &echo{release: slow}, theirIn, theirOut)
		theirOut.Close()
		done <- err
	}()
	lines := bufio.NewReader(out)
	read := func(want string) {
		t.Helper()
		if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, want) {
			t.Fatalf("%q, %v", line, err)
		}
	}
	send := func(text string) {
		if _, err := io.WriteString(in, text); err != nil {
			t.Error(err)
		}
	}
	send(request("1", "a"))
	read(`"id":1`)
	send(request("2", "a") + `{"jsonrpc":"2.0",`)
	read(`"id":2`)
	send(`"id":3,"method":"a"}` + "\n" + request("4", "slow"))
	read(`"id":3`) // or for ever, if it waits for the next one
	close(slow)
	read(`"id":4`)
	in.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// An answer that need not leave at once is kept for a millisecond and no longer.
func TestServeGathersBriefly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, out := io.Pipe()
		w := &batchWriter{out: out}
		start := time.Now()
		must.Do(t, w.write([]byte("early\n"), false))
		if line, err := bufio.NewReader(r).ReadString('\n'); err != nil || line != "early\n" || time.Since(start) != maxDelay {
			t.Errorf("%q, %v after %v, want it after %v", line, err, time.Since(start), maxDelay)
		}
	})
}

func TestServeTellsWhenWritingFails(t *testing.T) {
	r, w := io.Pipe()
	r.CloseWithError(errors.New("gone"))
	in := strings.NewReader(strings.Repeat(request("1", "a"), 100_000))
	must.Equal(t, fmt.Sprint(Serve(t.Context(), &echo{}, in, w)), "gone", "error")
	if in.Len() == 0 {
		t.Error("all was read for nobody")
	}
	broken := io.MultiReader(strings.NewReader(request("1", "a")), &broken{})
	must.Equal(t, fmt.Sprint(Serve(t.Context(), &echo{}, broken, io.Discard)), "disk on fire", "error")
}

type broken struct{}

func (*broken) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestParams(t *testing.T) {
	for params, want := range map[string]string{
		`{"board":[[2,0],[0,4]],"score":12,"legal":["up"],"turn":3,"time_ms":1.5,"player":"greedy","seed":18446744073709551615,"game":0}`: "",
		`{"board":"2,0/0,4"}`:          "",
		`{"board":"0123456789abcdef"}`: "",
		``:                             "best_move: board is missing (required: board; optional: score, legal, turn, time_ms, player, seed, game)",
		`{"board":[[2,0],[0,3]]}`:      "best_move: board: board row 2, cell 2: 3 is not a tile: must be 0 or a power of two from 2 to 2^48",
		`{"board":"2,0/0"}`:            "best_move: board: board row 2 has 1 cell, row 1 has 2: must be rows of equal length\nread as 2,0 / 0",
		`{"board":null}`:               "best_move: board: board has 0 rows and 0 cells in the first: must be 2 to 6 of each",
		`{"board":[[2,0],[0,4]],"board":[[2,0],[0,4]]}`: "best_move: board is given twice",
		`{"board":[[2,0],[0,4]],"score":"12"}`:          `best_move: score "12": must be a whole number from 0 to 2^62`,
		`{"board":[[2,0],[0,4]],"score":-1}`:            `best_move: score -1: must be a whole number from 0 to 2^62`,
		`{"board":[[2,0],[0,4]],"score":1.5}`:           `best_move: score 1.5: must be a whole number from 0 to 2^62`,
		`{"board":[[2,0],[0,4]],"scroe":1}`:             `best_move: there is no param "scroe": must be board, score, legal, turn, time_ms, player, seed, game`,
		`{"board":[[2,0],[0,4]],"time_ms":0}`:           `best_move: time_ms 0: must be a number from 0.001 to 3600000`,
		`{"board":[[2,0],[0,4]],"turn":0}`:              `best_move: turn 0: must be a whole number from 1 to 2^31-1`,
		`{"board":[[2,0],[0,4]],"player":7}`:            `best_move: player 7: must be a string`,
		`{"board":[[2,0],[0,4]],"seed":-1}`:             `best_move: seed -1: must be a whole number from 0 to 2^64-1`,
		`{"board":[[2,0],[0,4]],"legal":["hup"]}`:       `best_move: legal ["hup"]: must be an array of directions such as ["up","left"]`,
		`{"board":[[2,0],[0,4]],"legal":null}`:          `best_move: legal null: must be an array of directions such as ["up","left"]`,
	} {
		var p BestMove
		var raw []byte
		if params != "" {
			raw = []byte(params)
		}
		text := ""
		if err := ReadParams(MethodBestMove, raw, &p); err != nil {
			text = err.Error()
			must.Equal(t, err.(*Error).Code, CodeInvalidParams, params, "code")
		}
		must.Equal(t, text, want, params, "gives")
	}
	seed, game := uint64(1<<63), uint64(7)
	want := BestMove{Board: board.New(board.Size{Rows: 3, Cols: 4}), Score: 8, Legal: []board.Direction{1, 3}, Turn: 2, TimeMS: 0.25, Player: "snake", Seed: &seed, Game: &game}
	line := must.Get(AppendRequest(nil, 1, MethodBestMove, want))(t)
	r, wrong := ParseRequest(line)
	var got BestMove
	if wrong != nil || ReadParams(MethodBestMove, r.Params, &got) != nil {
		t.Fatalf("%s: %v", line, wrong)
	}
	again, _ := AppendRequest(nil, 1, MethodBestMove, got)
	if !bytes.Equal(line, again) {
		t.Errorf("%s\nis read as\n%s", line, again)
	}
}

func TestHello(t *testing.T) {
	for result, want := range map[string]string{
		`{"name":"n","protocol":1,"sizes":["4x4"],"wants_seed":false,"more":1}`: "",
		`{}`:                          "the result of hello: name is missing (required: name, protocol; optional: version, sizes, wants_seed)",
		`{"name":"n"}`:                "the result of hello: protocol is missing (required: name, protocol; optional: version, sizes, wants_seed)",
		`{"name":"n","protocol":"1"}`: `the result of hello: protocol "1": must be a whole number from 0 to 2^31-1`,
		`{"name":"n","protocol":1,"sizes":["9x9"]}`: `the result of hello: sizes ["9x9"]: must be an array of sizes such as ["4x4","5x5"]`,
		`{"name":"n","protocol":1,"wants_seed":1}`:  "the result of hello: wants_seed 1: must be true or false",
		`[]`: "the result of hello is an array: must be an object",
	} {
		var h Hello
		text := ""
		if err := ReadResult(MethodHello, []byte(result), &h); err != nil {
			text = err.Error()
		}
		must.Equal(t, text, want, result, "gives")
	}
}

func BenchmarkBestMove(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":[[2,0,0,16],[0,4,32,8],[2,64,128,2],[2,4,8,256]],"score":1204}}` + "\n")
	b.ReportAllocs()
	for b.Loop() {
		r, _ := ParseRequest(line)
		var p BestMove
		must.Do(b, ReadParams(MethodBestMove, r.Params, &p))
	}
}
