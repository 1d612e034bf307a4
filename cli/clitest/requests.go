package clitest

import (
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

// request is a sample request of the protocol. In params, $id and $key stand for the id and the key in the
// latest result that contained one, $RECORD for a game record, and $TIMED for a record with times.
type request struct{ method, params string }

const sampleRecord = `"{\"afterstate_record\":1,\"size\":\"2x2\",\"spawn\":\"random\",\"p4\":0.1,\"seed\":1,\"game\":0,\"player\":\"greedy\",\"move_count\":11,\"moves\":\"EAEB\",\"board\":[[8,16],[2,4]],\"score\":60}"`

// requests covers every method, with params that are accepted and params that are refused.
var requests = []request{
	{"hello", `{}`}, {"hello", `{"name":"test","size":"3x3"}`}, {"hello", `{"size":"9x9"}`}, {"hello", ``},
	{"players.list", `{}`},
	{"rules.inspect", `{"board":[[2,2],[4,8]]}`}, {"rules.inspect", `{"board":"2,2/4,8","motions":true}`}, {"rules.inspect", `{"board":"2,2/4,8","motions":1}`},
	{"rules.inspect", `{}`}, {"rules.inspect", `{"board":[[2,3],[4,8]]}`}, {"rules.inspect", `{"board":"2,2/4,8","board":"2,2/4,8"}`}, {"rules.inspect", `{"board":"2,2/4,8","nothing":1}`},
	{"analyze", `{"board":[[2,2],[4,8]],"score":24,"player":"expectimax(eval=empty,plies=1)"}`}, {"analyze", `{"board":"2,4/4,2","player":"greedy"}`},
	{"analyze", `{"board":"2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2"}`}, {"analyze", `{"board":"2,4/2,0","player":"nobody"}`}, {"analyze", `{"board":"2,4/2,0","time_ms":-1}`},
	{"analyze", `{"board":"2,4/2,0","player":"exec(cmd=\"sh\")"}`},
	{"best_move", `{"board":[[2,2],[0,4]],"player":"greedy"}`}, {"best_move", `{"board":"2,4/4,2"}`}, {"best_move", `{"board":[[1e300,0],[0,0]]}`},
	{"best_move", `{"board":"2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2"}`}, {"best_move", `{"board":"16384,8192,4096,2048/1024,512,0,0/0,2,0,0/0,0,2,0"}`},
	{"explain", `{"board":"2,4/2,0","player":"greedy","games":20,"time_ms":10000,"tiles":[8,16]}`}, {"explain", `{"board":"2,2/0,4","tiles":[0]}`}, {"explain", `{"board":"2,2/0,4","games":-1}`},
	{"explain", `{"board":"2,4/2,0","player":"greedy","time_ms":-1}`}, {"explain", `{"board":"2,4/4,2"}`},
	{"solve", `{"size":"2x2"}`}, {"solve", `{"size":"2x2","goal":16}`}, {"solve", `{"size":"2x2","spawn":"adversary"}`}, {"solve", `{"size":"2x2","p4":0.5}`},
	{"solve", `{"size":"6x6"}`}, {"solve", `{"size":"2x2","p4":-1}`}, {"solve", `{"size":"2x2","spawn":"friendly","p4":0.2}`},

	{"cancel", `{"id":1}`}, {"cancel", `{}`},
	{"board.parse", `{"text":"2 . 4 / . 16 ."}`}, {"board.parse", `{"text":"2,0/0,2"}`}, {"board.parse", `{"text":"0123456789abcdef"}`}, {"board.parse", `{"text":"nothing"}`},
	{"board.parse", `{"text":"{\"grid\":{\"size\":2,\"cells\":[[{\"position\":{\"x\":0,\"y\":0},\"value\":2},null],[null,null]]},\"score\":12}"}`},
	{"tree", `{"board":"2,4/2,0","player":"expectimax(eval=gradient,plies=2)","boards":20}`}, {"tree", `{"board":"2,4/2,0","player":"minimax(depth=3)","boards":20}`},
	{"tree", `{"board":"2,4/2,0","player":"minimax(depth=2)","format":"svg"}`}, {"tree", `{"board":"2,4/2,0","player":"greedy"}`}, {"tree", `{"board":"2,4/2,0","boards":0}`},
	{"picture.read", `{"data":"AAAA"}`}, {"picture.read", `{"data":7}`},
	{"solve.show", `{"size":"3x3"}`}, {"solve.show", `{"size":"2x2","player":"auto"}`}, {"solve.show", `{"size":"4x4"}`}, {"solve.start", `{"size":"6x6"}`}, {"solve.stop", `{"size":"3x3"}`},
	{"endings.list", ``}, {"endings.ask", `{"board":"32768,16384,8192,4096/2048,1024,2,0/0,0,0,2/0,0,0,0"}`}, {"endings.ask", `{"board":"2,4/2,0"}`}, {"endings.ask", `{}`},

	{"game.move", `{"move":"left"}`},
	{"game.open", `{"seed":1,"size":"3x3"}`}, {"game.move", `{"move":"left"}`}, {"game.move", `{"move":"up"}`}, {"game.move", `{"move":"north"}`}, {"game.undo", ``}, {"game.redo", ``},
	{"game.keep", ``}, {"game.record", ``}, {"game.replay", `{"seed":1,"size":"3x3"}`}, {"game.replay", `{"size":7}`}, {"game.open", `{"size":"3x3","seed":7,"moves":"Aw","move_count":1}`}, {"game.open", `{"start":"1024,1024,0/0,0,0/0,0,0"}`},
	{"game.move", `{"move":"left"}`}, {"game.move", `{"move":"down"}`}, {"game.keep", ``}, {"game.move", `{"move":"down"}`}, {"game.undo", `{}`}, {"game.record", ``},
	{"game.open", `{"size":"3x3","seed":7,"moves":"Aw","move_count":1,"times":"rAI"}`}, {"game.move", `{"move":"right","ms":800}`}, {"game.move", `{"move":"down","ms":-1}`}, {"game.record", ``}, {"game.replay", `{"seed":1,"times":"AA"}`},
	{"game.open", `{"spawn":"adversary","size":"2x2","seed":2}`}, {"game.open", `{"moves":"AAAA","move_count":-1}`}, {"game.open", `{"spawn":"nothing"}`},

	{"review.read", `{"data":"YTpiQDB8MDExMSNMMjF8YUAw"}`}, {"review.read", `{"data":"bWU6b3RoZXJAMHwwMTExI0xbNF0oMTI1KTIxfG1lQDEyNQo="}`}, {"review.read", `{"data":"AAAA"}`},
	{"review.footage", `{"frames":[{"from_ms":0,"to_ms":600,"board":[[0,2],[0,2]],"doubts":[]},{"from_ms":700,"to_ms":1500,"board":[[2,4],[0,0]],"doubts":[]}]}`}, {"review.footage", `{"frames":[]}`},
	{"review.footage", `{"frames":[{"from_ms":5,"to_ms":4,"board":[[2,0],[0,2]]}]}`}, {"review.footage", `{"frames":[{"board":[[2,0],[0,2]],"doubts":[4]}]}`}, {"review.footage", `{"frames":[{}]}`}, {"review.footage", `{"frames":7}`},
	{"review.open", `{"record":$RECORD}`}, {"review.open", `{"record":$TIMED}`}, {"review.open", `{"record":$TIMED,"classes":"bbxbxbxbxbx"}`}, {"review.open", `{"record":$RECORD,"classes":"q"}`}, {"review.open", `{"record":"{}"}`}, {"review.show", `{"record":$RECORD,"move":3}`}, {"review.show", `{"record":$RECORD,"move":12}`},
	{"review.scores", `{"record":$RECORD}`}, {"review.scores", `{"record":7}`},
	{"review.values", `{"record":$RECORD,"player":"expectimax(eval=expert,death_value=-400000,plies=1)"}`}, {"review.values", `{"record":$RECORD,"player":"greedy","from":10}`}, {"review.values", `{"record":$RECORD,"player":"greedy","deepen":[2,5]}`},
	{"review.values", `{"record":$RECORD,"deepen":[99]}`},
	{"review.board", `{"board":"2,4/0,2"}`}, {"review.board", `{"board":"2,4/4,2"}`}, {"review.board", `{"board":"2,4/0,2","p4":1}`}, {"review.board", `{"board":"2,4/0,2","p4":2}`},
	{"review.board", `{"board":"2,4/0,2","score":-1}`}, {"review.board", `{}`},
	{"review.chance", `{"record":$RECORD,"at":[0]}`}, {"review.chance", `{"record":$RECORD,"at":[99]}`},
	{"review.luck", `{"record":$RECORD,"from":9}`}, {"review.luck", `{"record":$RECORD,"from":99}`},

	{"watch.start", `{"player":"greedy","size":"3x3","seed":5,"running":false}`}, {"watch.join", `{"id":"$id"}`}, {"watch.list", ``}, {"watch.record", `{"id":"$id"}`}, {"watch.step", `{"id":"$id","key":"$key"}`},
	{"watch.back", `{"id":"$id","key":"$key"}`}, {"watch.move", `{"id":"$id","key":"$key","move":"up"}`}, {"watch.set", `{"id":"$id","key":"$key","moves_per_s":0,"running":false}`},
	{"watch.set", `{"id":"$id","key":"wrong"}`}, {"watch.links", `{"id":"$id"}`}, {"watch.links", `{"id":"$id","origin":7}`}, {"watch.leave", `{"id":"$id"}`}, {"watch.join", `{"id":"nothing"}`}, {"watch.start", `{"moves_per_s":-1}`},

	{"experiments.list", ``}, {"experiments.start", `{"name":"first","players":["greedy","random"],"games":3,"size":"2x2","seed":4}`}, {"experiments.show", `{"name":"first"}`},
	{"experiments.games", `{"name":"first","player":1}`}, {"experiments.games", `{"name":"first","player":2,"worst":true}`}, {"experiments.record", `{"name":"first","player":2,"game":1}`},
	{"experiments.records", `{"name":"first","player":2}`}, {"experiments.report", `{"name":"first"}`},
	{"experiments.evidence", `{"name":"first"}`}, {"experiments.stop", `{"name":"first"}`}, {"experiments.list", ``},
	{"experiments.remove", `{"name":"first"}`}, {"experiments.show", `{"name":"first"}`}, {"experiments.start", `{"players":[]}`}, {"experiments.start", `{"players":["greedy"],"games":0}`},
	{"experiments.workers", ``}, {"experiments.workers", `{"name":"first"}`},
	{"experiments.evidence", `{"name":"none"}`},
	{"training.list", ``}, {"training.show", `{"run":"nothing"}`}, {"training.show", `{"run":"../x"}`}, {"training.start", `{"x":1}`},
	{"nothing", `{}`}, {"bye", ``},
}

// ephemeral lists the keys in results whose values differ from run to run.
var ephemeral = []string{"elapsed_ms", "time_s", "left_s", "version", "commit", "id", "key", "idle_s", "games_per_s", "moves_per_s", "ms_per_move", "nodes_per_s", "html", "svg"}

// Answers sends the sample requests in order and returns two lines for each: the request and its answer. It
// fails the test if a method has no sample request, or if a result is of none of the types that session.Methods
// lists for its method. ask sends a message and returns the response. A transport that lacks a method refuses
// its requests; the refusal counts as the answer.
func Answers(t *testing.T, ask func(message string) (response string)) []string {
	t.Helper()
	for _, m := range session.Methods() {
		if !slices.ContainsFunc(requests, func(r request) bool { return r.method == m.Name }) {
			t.Errorf("%s has no sample request", m.Name)
		}
	}
	known := map[string]string{"$RECORD": sampleRecord, "$TIMED": strings.Replace(sampleRecord, `,\"board\":`, `,\"times\":\"AGRlZmdoaWprbOgH\",\"board\":`, 1)}
	var lines []string
	for i, r := range requests {
		params := r.params
		for name, value := range known {
			params = strings.ReplaceAll(params, name, value)
		}
		send := func() map[string]any {
			message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, i+1, r.method)
			if params != "" {
				message = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, i+1, r.method, params)
			}
			text := ask(message)
			var response map[string]any
			if err := json.Unmarshal([]byte(text), &response); err != nil {
				t.Fatalf("%s %s: %v: %s", r.method, params, err, text)
			}
			delete(response, "id")
			delete(response, "jsonrpc")
			if result, ok := response["result"]; ok {
				checkType(t, r.method, result)
			}
			return response
		}
		began := time.Now()
		response := send()
		// If the answer took long, the time limit may have cut it short. Then ask again.
		for strings.HasPrefix(r.method, "review.") && time.Since(began) > 300*time.Millisecond {
			began = time.Now()
			response = send()
		}
		if r.method == "experiments.show" {
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
		lines = append(lines, strings.TrimSpace(r.method+" "+r.params), "  "+string(text))
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
	t.Errorf("%s: the result is of no type in session.Methods: %s", method, text)
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
