package protocol

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
)

func TestParseRequest(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	for line, want := range map[string]struct{ id, method, params, err string }{
		`{"jsonrpc":"2.0","id":1,"method":"hello"}`:                             {id: "1", method: "hello"},
		` { "id" : "a\"}" , "method":"bye","jsonrpc":"2.0","params" : { } } `:   {id: `"a\"}"`, method: "bye", params: "{ }"},
		`{"jsonrpc":"2.0","id":null,"method":"bye"}`:                            {id: "null", method: "bye"},
		`{"jsonrpc":"2.0","id":-1.5e3,"method":"m","params":{"a":[{"b":"]"}]}}`: {id: "-1.5e3", method: "m", params: `{"a":[{"b":"]"}]}`},
		`{"jsonrpc":"2.0","method":"bye"}`:                                      {method: "bye"},
		`{"jsonrpc":"2.0","id":1,"m\u0065thod":"b\u0079e"}`:                     {id: "1", method: "bye"},
		`{"jsonrpc":"2.0","id":1,"method":"m","extra":{"id":7},"params":{}}`:    {id: "1", method: "m", params: "{}"},
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\r\n":                   {id: "1", method: "m"},
		`{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}`:                    {id: "1", method: "m", params: "[1]", err: "-32602 params is an array: must be an object with named parameters"},
		`{"jsonrpc":"2.0","id":1,"method":"m","params":null}`:                   {id: "1", method: "m", params: "null", err: "-32602 params is null: must be an object with named parameters"},
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`:                          {id: "1", err: "-32600 id is given twice"},
		`{"jsonrpc":"2.0","id":{},"method":"m"}`:                                {err: "-32600 id is an object: must be a number or a string"},
		`{"jsonrpc":"2.0","id":true,"method":"m"}`:                              {err: "-32600 id is a boolean: must be a number or a string"},
		`{"jsonrpc":"2.0","id":1,"method":7}`:                                   {id: "1", err: "-32600 method is a number: must be a string"},
		`{"jsonrpc":"2.0","id":1}`:                                              {id: "1", err: "-32600 method is missing: give a request such as " + exampleRequest},
		`{"jsonrpc":"1.0","id":1,"method":"m"}`:                                 {id: "1", err: `-32600 jsonrpc is "1.0": must be "2.0"`},
		`{"jsonrpc":2.0,"id":1,"method":"m"}`:                                   {id: "1", err: `-32600 jsonrpc is 2.0: must be "2.0"`},
		`{"id":1,"method":"m"}`:                                                 {id: "1", err: `-32600 jsonrpc is missing: give "jsonrpc":"2.0"`},
		`[{"jsonrpc":"2.0","id":1,"method":"m"}]`:                               {err: "-32600 batches are not supported: send each request separately; you need not wait for responses"},
		`"hello"`:            {err: "-32600 a string: must be an object such as " + exampleRequest},
		`{`:                  {err: "-32700 parse error: unexpected end of JSON input"},
		`hello`:              {err: "-32700 parse error: invalid character 'h' looking for beginning of value"},
		`{"a":1}{"b":2}`:     {err: "-32700 parse error: invalid character '{' after top-level value"},
		"{\"a\":\"\xff\"}":   {err: "-32700 parse error: the text is not UTF-8"},
		`{"a":` + deep + `}`: {err: "-32700 parse error: more than 16 nested arrays and objects"},
		`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", MaxLine) + `"`: {err: "-32700 parse error: 65571 bytes: must be at most 65536"},
	} {
		r, err := ParseRequest([]byte(line))
		text := ""
		if err != nil {
			text = strings.TrimSpace(strings.Join([]string{number(err.Code), err.Message}, " "))
		}
		method := r.Method
		if string(r.ID) != want.id || method != want.method && err == nil || string(r.Params) != want.params || text != want.err {
			t.Errorf("%.100s\n gives id %s, method %s, params %s, error %q\n want  %+v", line, r.ID, method, r.Params, text, want)
		}
	}
}

// Only messages with a record of a game may be longer than others, up to a limit of their own.
func TestParsePageRequest(t *testing.T) {
	for _, x := range []struct {
		method string
		bytes  int
		want   string
	}{
		{"review.values", MaxLine + 1, ""},
		{"review.values", MaxReview, ""},
		{"review.values", MaxReview + 1, "parse error: 262145 bytes: must be at most 262144"},
		{MethodBestMove, MaxLine, ""},
		{MethodBestMove, MaxLine + 1, `"best_move": 65537 bytes: must be at most 65536`},
	} {
		line := must.Get(AppendRequest(nil, 1, x.method, nil))(t)
		line = append(bytes.Repeat([]byte(" "), x.bytes-len(line)), line...)
		got := ""
		if r, wrong := ParsePageRequest(line); wrong != nil {
			got = wrong.Message
		} else if r.Method != x.method {
			t.Errorf("%s is %s", x.method, r.Method)
		}
		must.Equal(t, got, x.want, x.method, "of", x.bytes, "bytes")
	}
}

func number(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func TestParseResponse(t *testing.T) {
	for line, want := range map[string]struct{ id, result, failed, err string }{
		`{"jsonrpc":"2.0","id":3,"result":{"move":"up"}}`:                        {id: "3", result: `{"move":"up"}`},
		`{"jsonrpc":"2.0","id":3,"result":null,"error":null}`:                    {id: "3", result: "null"},
		`{"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"no"}}`:            {id: "3", failed: "no"},
		`{"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"no"},"result":1}`: {id: "3", result: "1", err: "there is both a result and an error: give one of them"},
		`{"jsonrpc":"2.0","id":3,"error":"no"}`:                                  {id: "3", err: `error: must be an object such as {"code":-32603,"message":"..."}`},
		`{"jsonrpc":"2.0","id":3}`:                                               {id: "3", err: "result is missing"},
		`{"jsonrpc":"2.0","result":1}`:                                           {result: "1", err: "id is missing: give the request's id"},
		`{"id":3,"result":1}`:                                                    {id: "3", result: "1", err: `jsonrpc is missing: give "jsonrpc":"2.0"`},
		`[]`:                                                                     {err: "an array: must be an object with jsonrpc, id and result"},
		`x`:                                                                      {err: "invalid character 'x' looking for beginning of value"},
		``:                                                                       {err: "unexpected end of JSON input"},
		`{"jsonrpc":"2.0","id":3,"result":1,"result":2}`:                         {id: "3", result: "1", err: "result is given twice"},
		`{"jsonrpc":"2.0","id":{"a":"` + strings.Repeat("x", 9) + `"},"result":true}`: {id: `{"a":"xxxxxxxxx"}`, result: "true"},
	} {
		r, err := ParseResponse([]byte(line))
		text, failed := "", ""
		if err != nil {
			text = err.Error()
		}
		if r.Error != nil && err == nil {
			failed = r.Error.Message
		}
		if string(r.ID) != want.id || string(r.Result) != want.result || failed != want.failed || text != want.err {
			t.Errorf("%s\n gives id %s, result %s, error %q, %q\n want  %+v", line, r.ID, r.Result, failed, text, want)
		}
	}
}

// The codec reads what encoding/json, the reference, reads, and writes one line of JSON.
func FuzzMessage(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":[[2,0],[0,4]],"score":12,"legal":["up"],"turn":3,"time_ms":1.5,"player":"greedy","seed":18446744073709551615,"game":0}}`,
		`{"jsonrpc":"2.0","id":"x\u00e9\n","method":"hello","params":{"name":"a","version":"b","protocol":1,"sizes":["4x4"],"wants_seed":true}}`,
		`{"jsonrpc":"2.0","id":null,"result":{"move":"up"}}`, `{"jsonrpc":"2.0","id":-1e5,"error":{"code":1,"message":"m"}}`,
		`[1]`, `{"a":{"b":["}",{"c":"\\"}]}, "" : [ ] }`, ` `, `{}`, "null",
		`{"jsonrpc":"2.0","id":1,"method":"review.read","params":{"data":[` + strings.Repeat("{},", 4<<20) + `0]}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var r Request
		var wrong *Error
		testenv.Bounded(t, len(line), func() { r, wrong = ParseRequest(line) })
		if wrong == nil {
			var plain map[string]json.RawMessage
			must.Do(t, json.Unmarshal(line, &plain))
			var method string
			_ = json.Unmarshal(plain["method"], &method)
			if !bytes.Equal(plain["id"], r.ID) || !bytes.Equal(plain["params"], r.Params) || method != r.Method {
				t.Fatalf("%q is %q, %q, %q; encoding/json reads %q", line, r.ID, r.Method, r.Params, plain)
			}
		} else if strings.Contains(wrong.Message, "\n") {
			t.Fatalf("error %q", wrong.Message)
		}
		if a, err := ParseResponse(line); err == nil && a.Error == nil {
			_ = ReadResult(MethodBestMove, a.Result, new(BotReply))
			_ = ReadResult(MethodHello, a.Result, new(Hello))
		}
		answer := appendAnswer(nil, r.ID, Bye{}, wrong)
		if bytes.Count(answer, []byte("\n")) != 1 || !json.Valid(answer) {
			t.Fatalf("%q is answered by %q", line, answer)
		}
	})
}
