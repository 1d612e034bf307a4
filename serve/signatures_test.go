package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"afterstate/session"
	"afterstate/wire"
)

// Methods whose answers depend on files, solved sizes or running experiments answer with a type that
// wire.Methods names, to the byte. The sample requests of internal/clitest do the same for the others.
func TestSignatures(t *testing.T) {
	runs := t.TempDir()
	mean := 3.5
	interval := encode(t, wire.TrainingInterval{Games: 2, MeanScore: &mean, Reached: wire.ByTile[json.Number]{{Tile: 2048, Value: "5e-05"}}})
	runner := newRunner(t, 2)
	l := start(t, Options{Experiments: runner, Runs: runs, Train: true}).dial()
	ask := func(method, params string) string {
		t.Helper()
		got := l.ask(method, params)
		i := slices.IndexFunc(wire.Methods, func(s wire.Method) bool { return s.Name == method })
		for _, result := range wire.Methods[i].Results {
			v := reflect.New(reflect.TypeOf(result))
			if json.Unmarshal([]byte(got), v.Interface()) == nil && encode(t, v.Interface()) == got {
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
	ask(wire.MethodTrainingList, "")
	if got := decode[wire.Training](t, ask(wire.MethodTrainingShow, `{"run":"second"}`)).Intervals; len(got) != 1 || encode(t, typed[wire.TrainingInterval](t, string(got[0]))) != interval {
		t.Errorf("intervals %s", got)
	}
	ask(wire.MethodPicture, pictureParams(t, "board.png"))
	ask(wire.MethodSolveStart, `{"size":"2x3"}`)

	name := ask(wire.MethodExperimentStart, `{"players":["greedy","random"],"games":2,"size":"2x2","seed":4}`)
	ask(wire.MethodExperimentShow, name) // without games, or with some
	runner.Wait()
	ask(wire.MethodExperimentShow, name)
	ask(wire.MethodExperimentStop, ask(wire.MethodExperimentStart, `{"players":["expectimax(plies=3)"],"games":10000}`))

	for _, method := range session.Methods() {
		if !slices.ContainsFunc(wire.Methods, func(s wire.Method) bool { return s.Name == method }) {
			t.Errorf("%s has no signature", method)
		}
	}
}
