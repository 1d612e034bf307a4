package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

// Methods whose answers depend on files, solved sizes or running experiments answer with a type that
// session.Methods names, to the byte. The sample requests of cli/clitest do the same for the others.
func TestSignatures(t *testing.T) {
	runs := t.TempDir()
	mean := 3.5
	interval := encode(t, protocol.TrainingInterval{Games: 2, MeanScore: &mean, Reached: protocol.ByTile[json.Number]{{Tile: 2048, Value: "5e-05"}}})
	runner := newRunner(t, 2)
	l := start(t, Options{Runner: runner, Runs: runs, Train: true}).dial()
	methods := session.Methods()
	ask := func(method, params string) string {
		t.Helper()
		got := l.ask(method, params)
		i := slices.IndexFunc(methods, func(s session.Method) bool { return s.Name == method })
		for _, result := range methods[i].Results {
			v := reflect.New(reflect.TypeOf(result))
			if json.Unmarshal([]byte(got), v.Interface()) == nil && encode(t, v.Interface()) == got {
				return got
			}
		}
		t.Errorf("%s answers with no type of its signature: %s", method, got)
		return got
	}

	ask("training.start", "") // before there is a run
	must.Do(t, os.Mkdir(filepath.Join(runs, "second"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(runs, "second", "metrics.jsonl"), []byte(interval+"\n"), 0o644))
	ask("training.list", "")
	if got := decode[protocol.Training](t, ask("training.show", `{"run":"second"}`)).Intervals; len(got) != 1 || encode(t, typed[protocol.TrainingInterval](t, string(got[0]))) != interval {
		t.Errorf("intervals %s", got)
	}
	ask(protocol.MethodPicture, pictureParams(t, "board.png"))
	ask("solve.start", `{"size":"2x3"}`)

	name := ask("experiments.start", `{"players":["greedy","random"],"games":2,"size":"2x2","seed":4}`)
	ask("experiments.show", name) // without games, or with some
	runner.Wait()
	ask("experiments.show", name)
	ask("experiments.stop", ask("experiments.start", `{"players":["expectimax(plies=3)"],"games":10000}`))
}
