package clitest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/serve/session"
)

const sampleRecord = `"{\"afterstate_record\":1,\"size\":\"2x2\",\"spawn\":\"random\",\"p4\":0.1,\"seed\":1,\"game\":0,\"player\":\"greedy\",\"move_count\":11,\"moves\":\"EAEB\",\"board\":[[8,16],[2,4]],\"score\":60}"`

// requests has one sample request per line: a method and, after a space, its params. They cover
// every method, with params that are accepted and params that are refused. $id and $key stand for
// the id and the key in the latest result that contained one, $RECORD for a game record, and $TIMED
// for a record with times.
//
//go:embed requests.txt
var requests string

// ephemeral lists the keys in results whose values differ from run to run.
var ephemeral = []string{"elapsed_ms", "time_s", "left_s", "version", "commit", "id", "key", "idle_s", "games_per_s", "moves_per_s", "ms_per_move", "nodes_per_s", "html", "svg"}

// Answers sends the sample requests in order and returns two lines for each: the request and its answer. It
// fails the test if a method has no sample request, or if a result has none of the types that session.Methods
// lists for its method. ask sends a message and returns the response. A transport that lacks a method refuses
// its requests; the refusal counts as the answer.
func Answers(t *testing.T, ask func(message string) (response string)) []string {
	t.Helper()
	all := strings.Split(strings.TrimSpace(requests), "\n")
	for _, m := range session.Methods() {
		if !slices.ContainsFunc(all, func(request string) bool { return strings.HasPrefix(request+" ", m.Name+" ") }) {
			t.Errorf("%s has no sample request", m.Name)
		}
	}
	known := map[string]string{"$RECORD": sampleRecord, "$TIMED": strings.Replace(sampleRecord, `,\"board\":`, `,\"times\":\"AGRlZmdoaWprbOgH\",\"board\":`, 1)}
	var lines []string
	for i, request := range all {
		method, params, _ := strings.Cut(request, " ")
		for name, value := range known {
			params = strings.ReplaceAll(params, name, value)
		}
		send := func() map[string]any {
			message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, i+1, method)
			if params != "" {
				message = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, i+1, method, params)
			}
			text := ask(message)
			var response map[string]any
			if err := json.Unmarshal([]byte(text), &response); err != nil {
				t.Fatalf("%s %s: %v: %s", method, params, err, text)
			}
			delete(response, "id")
			delete(response, "jsonrpc")
			if result, ok := response["result"]; ok {
				checkType(t, method, result)
			}
			return response
		}
		began := time.Now()
		response := send()
		// If the answer took long, the time limit may have cut it short. Then ask again.
		for strings.HasPrefix(method, "review.") && time.Since(began) > 300*time.Millisecond {
			began = time.Now()
			response = send()
		}
		if method == "experiments.show" {
			WaitFor(t, func() bool {
				result, _ := response["result"].(map[string]any)
				if result["running"] == true {
					response = send()
				}
				return result["running"] != true
			})
		}
		if result, ok := response["result"].(map[string]any); ok {
			for _, name := range []string{"id", "key"} {
				if value, ok := result[name].(string); ok {
					known["$"+name] = value
				}
			}
		}
		text := must.Get(json.Marshal(stable(response)))(t)
		lines = append(lines, request, "  "+string(text))
	}
	return lines
}

// checkType fails the test unless the result has the members of a type that session.Methods lists for the
// method.
func checkType(t *testing.T, method string, result any) {
	t.Helper()
	methods := session.Methods()
	i := slices.IndexFunc(methods, func(m session.Method) bool { return m.Name == method })
	if i < 0 {
		t.Errorf("%s has a result and is not in session.Methods", method)
		return
	}
	text := must.Get(json.Marshal(result))(t)
	for _, known := range methods[i].Results {
		typed, again := reflect.New(reflect.TypeOf(known)).Interface(), any(nil)
		if json.Unmarshal(text, typed) != nil {
			continue
		}
		if data, err := json.Marshal(typed); err == nil && json.Unmarshal(data, &again) == nil && reflect.DeepEqual(again, result) {
			return
		}
	}
	t.Errorf("%s: the result has none of the types in session.Methods: %s", method, text)
}

// stable replaces the values that differ from run to run by "*".
func stable(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if slices.Contains(ephemeral, key) && value != nil {
				v[key] = "*"
			} else {
				v[key] = stable(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = stable(v[i])
		}
	}
	return v
}
