package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/serve/session"
)

// hostile are messages that once were tried, or could be: sizes, nesting, numbers, keys,
// types and lengths that nobody means. A line is a message.
func hostile() []string {
	const game = `{\"afterstate_record\":1,\"size\":\"2x2\",\"spawn\":\"random\",\"p4\":0.1,\"seed\":1,\"game\":0,\"player\":\"greedy\",\"move_count\":11,\"moves\":\"EAEB\",\"board\":[[8,16],[2,4]],\"score\":60}`
	params := map[string][]string{
		"game.open": {`{}`, `{"size":"6x6","seed":1,"moves":"` + longGame[:4000] + `","move_count":12000}`, openLongGame(),
			`{"moves":"AAAA","move_count":262144}`, `{"moves":"AAAA","move_count":262145}`, `{"moves":"","move_count":-1}`,
			`{"seed":18446744073709551616}`, `{"seed":-0}`, `{"seed":1e1}`, `{"size":"2x2","spawn":"adversary(plies=2,share=0.5)"}`, `{"spawn":"random(p4=NaN)"}`,
			`{"size":"` + strings.Repeat("6x", 9000) + `"}`, `{"moves":"` + strings.Repeat("=", 60_000) + `","move_count":1}`, `{"seed":1,"seed":2}`},
		"game.move":               {`{"move":"up"}`, `{"move":5}`, `{"move":"` + strings.Repeat("u", 60_000) + `"}`, `{"move":null}`, `{"moves":["up"]}`},
		"game.undo":               {`{}`, `{"steps":1e99}`, `[]`},
		"game.redo":               {`{}`},
		"game.keep":               {`{}`},
		"game.record":             {`{}`},
		protocol.MethodReviewRead: {`{"data":"YTpiQDB8MDExMSNMMjF8YUAw"}`, `{"data":"UlBMMQ==","game":-1}`, `{"data":"` + strings.Repeat("AAAA", 15_000) + `"}`, `{"data":7}`},
		protocol.MethodFootage: {`{"frames":[{"from_ms":0,"to_ms":600,"board":[[2,0],[0,2]],"doubts":[]},{"from_ms":700,"to_ms":1500,"board":[[0,2],[2,2]],"doubts":[3]}]}`,
			`{"frames":[{"from_ms":1e99,"board":[[2,0],[0,2]]}]}`, `{"frames":[{"board":[[2,0],[0,2]],"doubts":[-1]}]}`, `{"frames":[{}]}`, `{"frames":[` + strings.Repeat("[", 60_000) + `]}`},
		"review.open": {`{"record":"` + game + `"}`, `{"record":{}}`, `{"record":"` + strings.Repeat("{", 60_000) + `"}`,
			`{"record":"` + strings.Replace(game, `move_count\":11`, `move_count\":99999999999`, 1) + `"}`, `{"record":"` + strings.Replace(game, `seed\":1`, `seed\":1e400`, 1) + `"}`},
		"review.show": {`{"record":"` + game + `","move":11}`, `{"record":"` + game + `","move":1073741824}`, `{"record":"` + game + `","move":-1}`},
		"review.values": {`{"record":"` + game + `","player":"greedy"}`, `{"record":"` + game + `","player":"greedy","from":1000000000}`,
			`{"record":"` + game + `","deepen":[0,10,0]}`, `{"record":"` + game + `","deepen":[11]}`, `{"record":"` + game + `","deepen":[1e9,-1]}`, `{"record":"` + game + `","deepen":null}`},
		"review.chance": {`{"record":"` + game + `","at":[0,11]}`, `{"record":"` + game + `","at":[12]}`, `{"record":"` + game + `","at":[]}`},
		"review.luck":   {`{"record":"` + game + `"}`, `{"record":"` + game + `","from":11}`, `{"record":"` + game + `","from":12}`},
		"watch.start": {`{"player":"random","size":"2x2","seed":1}`, `{"moves_per_s":1e308}`, `{"moves_per_s":-0.0}`, `{"until":9007199254740993}`, `{"until":281474976710656,"running":false}`,
			`{"player":"` + strings.Repeat("sum(", 10_000) + `"}`, `{"player":"expectimax(eval=` + strings.Repeat("sum(empty=", 3000) + `"}`, `{"player":"ntuple"}`, `{"player":"exec(cmd=\"sh\")"}`},
		"watch.join":   {`{"id":"x"}`, `{"id":"` + strings.Repeat("x", 60_000) + `"}`, `{"id":7}`},
		"watch.leave":  {`{"id":"x"}`},
		"watch.set":    {`{"id":"x","key":"y","moves_per_s":0}`, `{"id":"x","key":"y","running":null}`},
		"watch.move":   {`{"id":"x","key":"y","move":"up"}`},
		"watch.record": {`{"id":"x"}`, `{}`},
		"watch.links":  {`{"id":"x"}`, `{"id":"x","origin":"http://[::1"}`},
		"watch.list":   {`{}`, `{"all":true}`},
		"board.parse": {`{"text":"2,0/0,2"}`, `{"text":"` + strings.Repeat("2,", 30_000) + `"}`, `{"text":"` + strings.Repeat("/", 60_000) + `"}`, `{"text":"` + strings.Repeat("[", 60_000) + `"}`,
			`{"text":"{\"grid\":{\"size\":999999999,\"cells\":[]}}"}`, `{"text":"{\"grid\":{\"size\":2,\"cells\":[[{\"value\":-9223372036854775808},null],[null,null]]},\"score\":-1}"}`, `{"text":"\u0000\ud800"}`},
		"experiments.start": {`{"players":["greedy","random"],"games":1,"size":"2x2"}`, `{"players":["greedy","random"],"games":0,"size":"2x2"}`, `{"players":["greedy"],"games":0}`, `{"players":[],"games":1}`, `{"players":["` + strings.Repeat("a", 60_000) + `"]}`, `{"games":1e9,"players":["greedy"]}`,
			`{"name":"../../etc/passwd","players":["greedy"]}`, `{"name":"` + strings.Repeat("n", 60_000) + `"}`, `{"players":["greedy",7]}`},
		"experiments.show":      {`{"name":"x"}`, `{"name":"'; DROP TABLE games; --"}`, `{"name":["x"]}`},
		"experiments.stop":      {`{"name":"x"}`},
		"experiments.remove":    {`{"name":"x"}`, `{"name":""}`, `{"name":"../experiments.db"}`},
		"experiments.list":      {`{}`},
		"experiments.workers":   {`{}`},
		"experiments.evidence":  {`{"name":"x"}`, `{"name":"../x"}`, `{}`},
		"training.start":        {`{}`, `{"games":1}`},
		"training.show":         {`{"run":"../../etc/passwd"}`, `{"run":"x","from":4611686018427387905}`, `{"run":"x","from":-1}`},
		protocol.MethodBestMove: {`{"board":[[2,2],[0,4]],"player":"greedy"}`, `{"board":[[1e300,0],[0,0]]}`, `{"board":` + strings.Repeat("[", 15) + strings.Repeat("]", 15) + `}`},
		"tree":                  {`{"board":"2,2/0,4","player":"minimax(depth=40)","boards":2000,"width":72,"depth":64}`, `{"board":"2,2/0,4","player":"expectimax(eval=empty,plies=1)","format":"svg"}`},
		"explain":               {`{"board":"2,2/0,4","player":"greedy","games":2,"tiles":[8]}`, `{"board":"2,2/0,4","time_ms":1,"tiles":[0]}`, `{"board":"2,2/0,4","time_ms":1e-300}`},
		"solve":                 {`{"size":"2x2","goal":8}`, `{"size":"6x6","p4":-1}`, `{"size":"2x2","spawn":"friendly","p4":1e-300}`},
		"solve.show":            {`{"size":"3x3","player":"auto"}`, `{"size":"3x3","player":"` + strings.Repeat("p", 60_000) + `"}`},
		"solve.start":           {`{"size":"2x4"}`, `{"size":"../.."}`, `{"size":"2x2","player":"auto"}`},
		"solve.stop":            {`{"size":"2x4"}`},
		protocol.MethodPicture:  {`{"data":""}`, `{"data":"AAAA"}`, `{"data":"iVBORw0KGgoAAAANSUhEUgAA////AP///wgGAAAA"}`, `{"data":"` + strings.Repeat("A", 60_000) + `"}`, `{"data":["AAAA"]}`},
		"cancel":                {`{"id":1}`, `{"id":null}`, `{"id":` + strings.Repeat("9", 60_000) + `}`},
		"nothing":               {`{}`}, strings.Repeat("m", 50_000): {`{}`},
	}
	all := []string{"", " ", "null", "[]", `"x"`, "{", strings.Repeat("[", 60_000), strings.Repeat(`{"a":`, 9000), "\x00", "\xff\xfe", strings.Repeat(" ", 65_000),
		`{"jsonrpc":"2.0","id":1,"method":"hello","params":{"x":` + strings.Repeat("9", 50_000) + `}}`, `{"jsonrpc":"2.0","method":"game.open","params":{}}`,
		`{"jsonrpc":"2.0","id":{},"method":"hello"}`, `{"jsonrpc":"2.0","id":1,"id":2,"method":"hello"}`, `{"jsonrpc":"2.0","id":1,"method":"hello","unknown":[[[]]]}`}
	for _, method := range slices.Sorted(maps.Keys(params)) {
		for i, text := range params[method] {
			all = append(all, requestText(i, method, text))
		}
	}
	all = append(all, // a game that continues
		requestText(1, "game.open", `{"seed":1}`)+"\n"+requestText(2, "game.move", `{"move":"up"}`)+"\n"+requestText(3, "game.undo", "")+"\n"+
			requestText(4, "game.redo", "")+"\n"+requestText(5, "game.record", ""))
	return all
}

// maxAnswer bounds an answer; trees as pictures are the largest.
const maxAnswer = 8 << 20

// FuzzMessages sends lines as the messages of a connection. For any lines, each request
// gets one well-formed answer of bounded length, and a panic is none of them.
func FuzzMessages(f *testing.F) {
	for _, text := range hostile() {
		f.Add([]byte(text))
	}
	log := logs(f)
	maker := fakes(func(context.Context, search.Query) error { return nil })
	o := session.Options{
		Name: "afterstate", Player: maker, Capabilities: catalog.Capabilities{Networks: catalog.NoNetworks}, SearchTime: 20 * time.Millisecond, Searches: 1, Games: 2,
		Experiments: newRunner(f, 1), Training: newTraining(runs.Folder{Path: f.TempDir()}, false),
	}
	f.Fuzz(func(t *testing.T, lines []byte) {
		host := must.Get(session.NewHost(o))(t)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		c := host.NewClient(host.NewPeer())
		for message := range bytes.SplitSeq(lines, []byte("\n")) {
			request, wrong := protocol.ParseRequest(message)
			answer := protocol.Refuse(nil, request, wrong)
			if wrong == nil {
				answer, _ = c.Reply(ctx, request)
				if request.ID == nil && len(answer) == 0 {
					continue
				}
			}
			wellFormed(t, message, answer)
		}
		c.Close()
		host.Close()
		if text := log.String(); strings.Contains(text, "panic") {
			t.Fatal(text)
		}
	})
}

func wellFormed(t *testing.T, message, answer []byte) {
	t.Helper()
	var r struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result"`
		Error   *protocol.Error `json:"error"`
	}
	problem := ""
	switch err := json.Unmarshal(answer, &r); {
	case err != nil:
		problem = err.Error()
	case r.Version != "2.0" || r.ID == nil || (r.Result == nil) == (r.Error == nil):
		problem = "no answer of JSON-RPC"
	case r.Error != nil && (r.Error.Message == "" || len(r.Error.Message) > 4096 || r.Error.Code == protocol.CodeInternal):
		problem = fmt.Sprintf("error %d with %d bytes", r.Error.Code, len(r.Error.Message))
	case len(answer) > maxAnswer || bytes.Count(answer, []byte("\n")) != 1:
		problem = fmt.Sprintf("%d bytes", len(answer))
	}
	if problem != "" {
		t.Fatalf("%.300q is answered by %.300q: %s", message, answer, problem)
	}
}
