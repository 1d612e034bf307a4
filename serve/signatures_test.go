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

// Every method answers with the JSON of a type that wire.Methods names, to the byte.
// The page's types are generated from these.
func TestSignatures(t *testing.T) {
	runs := t.TempDir()
	mean := 3.5
	interval := encode(t, wire.TrainingInterval{Games: 2, MeanScore: &mean, Reached: wire.ByTile[json.Number]{{Tile: 2048, Value: "5e-05"}}})
	runner := newRunner(t, 2)
	l := start(t, Options{Experiments: runner, Runs: runs, Train: true}).dial()
	untested := map[string]bool{}
	for _, s := range wire.Methods {
		untested[s.Name] = true
	}
	ask := func(method, params string) string {
		t.Helper()
		got := l.ask(method, params)
		i := slices.IndexFunc(wire.Methods, func(s wire.Method) bool { return s.Name == method })
		if i < 0 {
			t.Fatalf("%s has no signature", method)
		}
		for _, result := range wire.Methods[i].Results {
			v := reflect.New(reflect.TypeOf(result))
			if json.Unmarshal([]byte(got), v.Interface()) == nil && encode(t, v.Interface()) == got {
				delete(untested, method)
				return got
			}
		}
		t.Errorf("%s answers with no type of its signature: %s", method, got)
		return got
	}

	ask(wire.MethodTrainingStart, "") // before there is a run
	if err := os.Mkdir(filepath.Join(runs, "second"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(runs, "second", "metrics.jsonl"), []byte(interval+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, r := range [][2]string{
		{wire.MethodHello, ""},
		{wire.MethodPlayers, ""},
		{wire.MethodInspect, `{"board":[[2,2],[4,8]]}`},
		{wire.MethodInspect, `{"board":[[2,2],[4,8]],"motions":true}`},
		{wire.MethodAnalyze, `{"board":"2,4/2,0","player":"greedy"}`},
		{wire.MethodBestMove, `{"board":"2,4/2,0"}`},
		{wire.MethodBestMove, `{"board":"2,4/4,2"}`},
		{wire.MethodCancel, `{"id":1}`},
		{wire.MethodParse, `{"text":"2,4/2,0"}`},
		{wire.MethodExplain, `{"board":"2,4/2,0","player":"expectimax(eval=sum(empty=1),plies=1)","time_ms":20}`},
		{wire.MethodExplain, `{"board":"2,4/2,0","player":"greedy","time_ms":20}`},
		{wire.MethodOdds, `{"board":"2,4/2,0","player":"greedy","games":20,"tiles":[8]}`},
		{wire.MethodSolve, `{"size":"2x2","goal":16}`},
		{wire.MethodSolve, `{"size":"2x2","spawn":"adversary"}`},
		{wire.MethodSolveShow, `{"size":"3x3"}`},
		{wire.MethodSolveStart, `{"size":"2x3"}`},
		{wire.MethodSolveStop, `{"size":"3x3"}`},
		{wire.MethodTree, `{"board":"2,4/2,0","player":"expectimax(eval=gradient,plies=2)","boards":20}`},
		{wire.MethodTree, `{"board":"2,4/2,0","player":"minimax(depth=3)","boards":20}`},
		{wire.MethodTree, `{"board":"2,4/2,0","player":"minimax(depth=2)","format":"svg"}`},
		{wire.MethodPicture, pictureParams(t, "board.png")},
		{wire.MethodGameOpen, `{"seed":1,"size":"3x3"}`},
		{wire.MethodGameReplay, `{"seed":1,"size":"3x3"}`},
		{wire.MethodGameMove, `{"move":"left"}`},
		{wire.MethodGameMove, `{"move":"up"}`},
		{wire.MethodGameUndo, ""},
		{wire.MethodGameRedo, ""},
		{wire.MethodGameKeep, ""},
		{wire.MethodExperimentList, ""},
		{wire.MethodTrainingList, ""},
		{wire.MethodTrainingShow, `{"run":"second"}`},
	} {
		ask(r[0], r[1])
	}
	if got := decode[wire.Training](t, ask(wire.MethodTrainingShow, `{"run":"second"}`)).Intervals; len(got) != 1 || encode(t, typed[wire.TrainingInterval](t, string(got[0]))) != interval {
		t.Errorf("intervals %s", got)
	}
	ask(wire.MethodReviewRead, `{"data":"YTpiQDB8MDExMSNMMjF8YUAw"}`) // a line of 2048-Framework
	record := encode(t, decode[wire.GameRecord](t, ask(wire.MethodGameRecord, "")).Record)
	for method, more := range map[string]string{
		wire.MethodReviewOpen: "", wire.MethodReviewShow: `,"move":1`, wire.MethodReviewValues: `,"player":"greedy"`, wire.MethodReviewReport: `,"player":"greedy"`, wire.MethodReviewChance: `,"at":[0]`,
	} {
		ask(method, fmt.Sprintf(`{"record":%s%s}`, record, more))
	}

	key := decode[wire.WatchKey](t, ask(wire.MethodWatchStart, `{"player":"greedy","running":false}`))
	steer := fmt.Sprintf(`{"id":%q,"key":%q`, key.ID, key.Key)
	for _, r := range [][2]string{
		{wire.MethodWatchJoin, fmt.Sprintf(`{"id":%q}`, key.ID)},
		{wire.MethodWatchList, ""},
		{wire.MethodWatchStep, steer + "}"},
		{wire.MethodWatchBack, steer + "}"},
		{wire.MethodWatchMove, steer + `,"move":"up"}`},
		{wire.MethodWatchSet, steer + `,"running":false}`},
		{wire.MethodWatchRecord, fmt.Sprintf(`{"id":%q}`, key.ID)},
		{wire.MethodWatchLinks, fmt.Sprintf(`{"id":%q,"origin":"http://192.0.2.7:2048"}`, key.ID)},
		{wire.MethodWatchLeave, fmt.Sprintf(`{"id":%q}`, key.ID)},
	} {
		ask(r[0], r[1])
	}

	name := ask(wire.MethodExperimentStart, `{"players":["greedy","random"],"games":2,"size":"2x2","seed":4}`)
	ask(wire.MethodExperimentShow, name) // without games, or with some
	runner.Wait()
	ask(wire.MethodExperimentList, "")
	ask(wire.MethodExperimentShow, name)
	ask(wire.MethodExperimentGames, strings.TrimSuffix(name, "}")+`,"player":1}`)
	ask(wire.MethodExperimentRecord, strings.TrimSuffix(name, "}")+`,"player":2,"game":1}`)
	ask(wire.MethodExperimentRecords, strings.TrimSuffix(name, "}")+`,"player":2}`)
	ask(wire.MethodExperimentReport, name)
	ask(wire.MethodExperimentRemove, name)
	ask(wire.MethodExperimentStop, ask(wire.MethodExperimentStart, `{"players":["expectimax(plies=3)"],"games":10000}`))
	ask(wire.MethodBye, "")

	if left := slices.Collect(maps.Keys(untested)); len(left) > 0 {
		t.Errorf("methods without a sample request: %q", left)
	}
	for _, method := range session.Methods() {
		if !slices.ContainsFunc(wire.Methods, func(s wire.Method) bool { return s.Name == method }) {
			t.Errorf("%s has no signature", method)
		}
	}
}
