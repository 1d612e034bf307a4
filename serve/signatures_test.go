package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"afterstate/session"
	"afterstate/wire"
)

// Every method answers with the JSON of a type that session.Methods names, to the byte.
// The page's types are generated from these.
func TestSignatures(t *testing.T) {
	runs := t.TempDir()
	mean := 3.5
	interval := encode(t, wire.TrainingInterval{Games: 2, MeanScore: &mean, Reached: wire.ByTile[json.Number]{{Tile: 2048, Value: "5e-05"}}})
	runner := newRunner(t, 2)
	l := start(t, Options{Experiments: runner, Runs: runs, Train: true}).dial()
	methods, untested := session.Methods(), map[string]bool{}
	for _, s := range methods {
		untested[s.Name] = true
	}
	ask := func(method, params string) string {
		t.Helper()
		got := l.ask(method, params)
		i := slices.IndexFunc(methods, func(s session.Method) bool { return s.Name == method })
		if i < 0 {
			t.Fatalf("%s has no signature", method)
		}
		for _, result := range methods[i].Results {
			v := reflect.New(reflect.TypeOf(result))
			if json.Unmarshal([]byte(got), v.Interface()) == nil && encode(t, v.Interface()) == got {
				delete(untested, method)
				return got
			}
		}
		t.Errorf("%s answers with no type of its signature: %s", method, got)
		return got
	}

	ask("training.start", "") // before there is a run
	if err := os.Mkdir(filepath.Join(runs, "second"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(runs, "second", "metrics.jsonl"), []byte(interval+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, r := range [][2]string{
		{wire.MethodHello, ""},
		{"players.list", ""},
		{"rules.inspect", `{"board":[[2,2],[4,8]]}`},
		{"rules.inspect", `{"board":[[2,2],[4,8]],"motions":true}`},
		{"analyze", `{"board":"2,4/2,0","player":"greedy"}`},
		{wire.MethodBestMove, `{"board":"2,4/2,0"}`},
		{wire.MethodBestMove, `{"board":"2,4/4,2"}`},
		{"cancel", `{"id":1}`},
		{"board.parse", `{"text":"2,4/2,0"}`},
		{"explain", `{"board":"2,4/2,0","player":"expectimax(eval=sum(empty=1),plies=1)","time_ms":20}`},
		{"explain", `{"board":"2,4/2,0","player":"greedy","time_ms":20}`},
		{"odds", `{"board":"2,4/2,0","player":"greedy","games":20,"tiles":[8]}`},
		{"solve", `{"size":"2x2","goal":16}`},
		{"solve", `{"size":"2x2","spawn":"adversary"}`},
		{"solve.show", `{"size":"3x3"}`},
		{"solve.start", `{"size":"2x3"}`},
		{"solve.stop", `{"size":"3x3"}`},
		{"tree", `{"board":"2,4/2,0","player":"expectimax(eval=gradient,plies=2)","boards":20}`},
		{"tree", `{"board":"2,4/2,0","player":"minimax(depth=3)","boards":20}`},
		{"tree", `{"board":"2,4/2,0","player":"minimax(depth=2)","format":"svg"}`},
		{wire.MethodPicture, pictureParams(t, "board.png")},
		{"game.open", `{"seed":1,"size":"3x3"}`},
		{"game.replay", `{"seed":1,"size":"3x3"}`},
		{"game.move", `{"move":"left"}`},
		{"game.move", `{"move":"up"}`},
		{"game.undo", ""},
		{"game.redo", ""},
		{"game.keep", ""},
		{"experiments.list", ""},
		{"training.list", ""},
		{"training.show", `{"run":"second"}`},
	} {
		ask(r[0], r[1])
	}
	if got := decode[wire.Training](t, ask("training.show", `{"run":"second"}`)).Intervals; len(got) != 1 || encode(t, typed[wire.TrainingInterval](t, string(got[0]))) != interval {
		t.Errorf("intervals %s", got)
	}
	ask(wire.MethodReviewRead, `{"data":"YTpiQDB8MDExMSNMMjF8YUAw"}`) // a line of 2048-Framework
	record := encode(t, decode[wire.GameRecord](t, ask("game.record", "")).Record)
	for method, more := range map[string]string{
		"review.open": "", "review.show": `,"move":1`, "review.values": `,"player":"greedy"`, "review.report": `,"player":"greedy"`, "review.chance": `,"at":[0]`,
	} {
		ask(method, fmt.Sprintf(`{"record":%s%s}`, record, more))
	}

	key := decode[wire.WatchKey](t, ask("watch.start", `{"player":"greedy","running":false}`))
	steer := fmt.Sprintf(`{"id":%q,"key":%q`, key.ID, key.Key)
	for _, r := range [][2]string{
		{"watch.join", fmt.Sprintf(`{"id":%q}`, key.ID)},
		{"watch.list", ""},
		{"watch.step", steer + "}"},
		{"watch.back", steer + "}"},
		{"watch.move", steer + `,"move":"up"}`},
		{"watch.set", steer + `,"running":false}`},
		{"watch.record", fmt.Sprintf(`{"id":%q}`, key.ID)},
		{"watch.links", fmt.Sprintf(`{"id":%q,"origin":"http://192.0.2.7:2048"}`, key.ID)},
		{"watch.leave", fmt.Sprintf(`{"id":%q}`, key.ID)},
	} {
		ask(r[0], r[1])
	}

	name := ask("experiments.start", `{"players":["greedy","random"],"games":2,"size":"2x2","seed":4}`)
	ask("experiments.show", name) // without games, or with some
	runner.Wait()
	ask("experiments.list", "")
	ask("experiments.show", name)
	ask("experiments.games", strings.TrimSuffix(name, "}")+`,"player":1}`)
	ask("experiments.record", strings.TrimSuffix(name, "}")+`,"player":2,"game":1}`)
	ask("experiments.records", strings.TrimSuffix(name, "}")+`,"player":2}`)
	ask("experiments.report", name)
	ask("experiments.remove", name)
	ask("experiments.stop", ask("experiments.start", `{"players":["expectimax(plies=3)"],"games":10000}`))
	ask(wire.MethodBye, "")

	if left := slices.Collect(maps.Keys(untested)); len(left) > 0 {
		t.Errorf("methods without a sample request: %q", left)
	}
}
