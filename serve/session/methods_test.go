package session_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

// Every struct of params can be read, all its fields are params, and its slot and name are its own.
func TestMethods(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range session.Methods() {
		if seen[m.Name] || len(m.Results) == 0 {
			t.Errorf("%s is there twice, or without a result", m.Name)
		}
		seen[m.Name] = true
		if m.Params == nil {
			continue
		}
		of := reflect.TypeOf(m.Params)
		err := protocol.ReadParams(m.Name, []byte(`{"?":0}`), reflect.New(of).Interface())
		if err == nil {
			t.Errorf("%s takes a param ?", m.Name)
			continue
		}
		_, list, _ := strings.Cut(err.Error(), `there is no param "?": must be `)
		for _, f := range reflect.VisibleFields(of) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous && !slices.Contains(strings.Split(list, ", "), name) {
				t.Errorf("%s does not take %s of %v", m.Name, name, of)
			}
		}
	}
}

// The cost of reading a param is proportional to its size, whatever it contains.
func TestCostlyParams(t *testing.T) {
	const size = 1 << 18
	for _, m := range session.Methods() {
		if m.Params == nil {
			continue
		}
		of := reflect.TypeOf(m.Params)
		for _, f := range reflect.VisibleFields(of) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || f.Anonymous {
				continue
			}
			for _, part := range []string{"{},", "[],", "0,"} {
				params := []byte(`{"` + name + `":[` + strings.Repeat(part, size/len(part)) + part[:len(part)-1] + "]}")
				took := testenv.Allocated(func() { _ = protocol.ReadParams(m.Name, params, reflect.New(of).Interface()) })
				if took > 10*int64(len(params))+1<<20 {
					t.Errorf("%s: %d bytes of %q in %s allocate %d", m.Name, len(params), part, name, took)
				}
			}
		}
	}
}

// Errors about params are one line, whatever they are.
func FuzzParams(f *testing.F) {
	for _, params := range []string{
		`{"board":[[2,0],[0,4]],"score":12,"legal":["up"],"turn":3,"time_ms":1.5,"player":"greedy","seed":18446744073709551615,"game":0}`,
		`{"name":"a","version":"b","protocol":1,"sizes":["4x4"],"wants_seed":true}`, `{"a":{"b":["}",{"c":"\\"}]}, "" : [ ] }`, `{}`,
	} {
		f.Add([]byte(params))
	}
	methods := session.Methods()
	f.Fuzz(func(t *testing.T, params []byte) {
		r, wrong := protocol.ParseRequest(slices.Concat([]byte(`{"jsonrpc":"2.0","method":"m","params":`), params, []byte("}")))
		if wrong != nil {
			return
		}
		for _, m := range methods {
			if m.Params == nil || m.Name == "board.parse" {
				continue
			}
			if err := protocol.ReadParams(m.Name, r.Params, reflect.New(reflect.TypeOf(m.Params)).Interface()); err != nil && strings.Contains(err.Error(), "\n") {
				t.Fatalf("%s: %q", m.Name, err)
			}
		}
	})
}
