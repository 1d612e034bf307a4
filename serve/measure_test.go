package serve

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// newRunner is a runner of experiments on a store in a folder of its own.
func newRunner(t testing.TB, workers int) *experiment.Runner {
	t.Helper()
	return runnerWith(t, workers, catalog.Capabilities{Networks: catalog.NoNetworks})
}

func runnerWith(t testing.TB, workers int, caps catalog.Capabilities) *experiment.Runner {
	t.Helper()
	runner := runnerOf(filepath.Join(t.TempDir(), "experiments.db"), "1.2.3", workers, caps)
	t.Cleanup(runner.Close)
	return runner
}

func runnerAt(path, version string, workers int) *experiment.Runner {
	return runnerOf(path, version, workers, catalog.Capabilities{Networks: catalog.NoNetworks})
}

func runnerOf(path, version string, workers int, caps catalog.Capabilities) *experiment.Runner {
	return NewRunner(experiment.RunnerOptions{
		Open: func(create bool) (experiment.Store, error) {
			if _, err := os.Stat(path); err != nil && !create {
				return nil, nil
			}
			return store.Open(path)
		},
		Config: experiment.Config{
			Identity: func(spec string) (string, error) { return spec, nil }, // they name no files
			Program:  experiment.Program{Version: version}, Capabilities: caps,
		},
		Workers: workers,
	})
}

// An experiment of the server has the arena's own games and statistics.
func TestExperiments(t *testing.T) {
	c := start(t, Options{Runner: newRunner(t, 2)})
	name := decode[protocol.ExperimentRef](t, c.ask("experiments.start", `{"players":["greedy","random"],"games":30,"size":"3x3","seed":4}`)).Name
	show := func() protocol.ExperimentResults {
		return decode[protocol.ExperimentResults](t, c.ask("experiments.show", fmt.Sprintf(`{"name":%q}`, name)))
	}
	x := show()
	eventually(t, "the end of the experiment", func() bool { x = show(); return !x.Running })
	if x.Finished != 60 || x.Running || x.Error != "" || x.Name != "experiment-1" {
		t.Fatalf("%+v", x.ExperimentInfo)
	}
	var entrants []catalog.Maker
	for _, spec := range []string{"greedy", "random"} {
		m := must.Get(catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
		entrants = append(entrants, m)
	}
	want := must.Get(arena.Run(t.Context(), arena.RunOptions{Players: entrants, Size: board.Size{Rows: 3, Cols: 3}, Seed: 4, Games: 30}, nil))(t)
	for i, p := range want.Statistics().Players {
		if got := x.Report.Players[i].MeanScore; fmt.Sprintf("%.3f", got) != fmt.Sprintf("%.3f", p.MeanScore) {
			t.Errorf("%s: mean %v, the arena has %v", p.Player, got, p.MeanScore)
		}
		games, counted := 0, 0
		for _, tile := range x.Highest[i].Tiles {
			games += tile.Games
		}
		for _, n := range x.Scores.Counts[i] {
			counted += n
		}
		if games != 30 || counted != 30 {
			t.Errorf("%s: %d games by highest tile, %d by score", p.Player, games, counted)
		}
	}
	compared := arena.Compare(want.Players[1].Games, want.Players[0].Games)
	if got := x.Comparisons[0]; got.Difference == nil || *got.Difference != float64(compared.Difference) || got.Higher != compared.Higher {
		t.Errorf("compared %+v, want %+v", got, compared)
	}
}

func TestExperimentErrors(t *testing.T) {
	c := start(t, Options{Runner: newRunner(t, 1)})
	for params, want := range map[string]string{
		`{}`:                                 "-32602 experiments.start: players is missing: give it, or the name of an experiment to resume",
		`{"players":[]}`:                     "-32602 experiments.start: players []: must be an array of 1 to 8 values, each a string",
		`{"players":["greeedy"]}`:            `-32602 experiments.start: no player is called "greeedy": did you mean greedy?`,
		`{"players":["exec(cmd=\"true\")"]}`: `-32602 experiments.start: exec: starting programs is not allowed here: use a built-in player`,
		`{"players":["greedy","greedy"]}`:    "-32602 experiments.start: greedy is given twice: the players must differ",
		`{"name":"z"}`:                       "-32602 experiments.start: no experiment has this name",
		`{"players":["greedy"],"name":"/"}`:  `-32602 experiments.start: experiment "/": must be up to 100 letters, digits, '.', '_' and '-', a letter or digit first`,
		`{"players":["greedy"],"games":0}`:   "-32602 experiments.start: games: 0: playing until a verdict requires a server and at least two players",
	} {
		if got := c.ask("experiments.start", params); got != want {
			t.Errorf("%s\n gives %s\n want  %s", params, got, want)
		}
	}
	const long = `{"players":["expectimax(plies=4)"],"games":5000,"name":%q}`
	for _, name := range []string{"a", "b"} {
		if got := c.ask("experiments.start", fmt.Sprintf(long, name)); got != `{"name":"`+name+`"}` {
			t.Fatal(got)
		}
	}
	if got := c.ask("experiments.start", fmt.Sprintf(long, "c")); !strings.Contains(got, "2 experiments are running") {
		t.Error(got)
	}
	if got := c.ask("experiments.stop", `{"name":"z"}`); got != "-32602 experiments.stop: no experiment has this name" {
		t.Error(got)
	}
	if got := c.ask("experiments.stop", `{"name":"a"}`); got != "{}" {
		t.Error(got)
	}
	eventually(t, "a is stopped and b continues", func() bool {
		list := decode[protocol.ExperimentList](t, c.ask("experiments.list", "")).Experiments
		return len(list) == 2 && list[1].Error == "stopped" && list[0].Running
	})
}

// Another server continues an unfinished experiment, and its games equal those of an
// experiment that was played in one go; not by another version of the program.
func TestExperimentGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "experiments.db")
	const games = 20
	runner := runnerAt(path, "1.2.3", 1)
	if all, err := runner.List(t.Context()); err != nil || len(all) != 0 {
		t.Fatal(all, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("reading created a store")
	}
	begun := protocol.StartExperiment{Name: "first", Players: []string{"expectimax(eval=gradient,plies=2)"}, Games: games / 2, Size: board.Size{Rows: 3, Cols: 3}, Seed: 6}
	must.Get(runner.Start(t.Context(), &begun))(t)
	if _, err := runner.Start(t.Context(), &begun); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("begun twice: %v", err)
	}
	finished := func(runner *experiment.Runner) (int, bool) {
		t.Helper()
		all, err := runner.List(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0].Finished, all[0].Running
	}
	wait := func(runner *experiment.Runner, until func(int, bool) bool) {
		t.Helper()
		eventually(t, "the games of the experiment", func() bool { return until(finished(runner)) })
	}
	wait(runner, func(n int, running bool) bool { return n == games/2 && !running })
	again := protocol.StartExperiment{Name: "first"}
	if _, err := runner.Start(t.Context(), &again); err == nil || !strings.Contains(err.Error(), "are finished") {
		t.Errorf("continued when all games were finished: %v", err)
	}
	runner.Close()
	wantMore(t, path, "first", games)

	other := runnerAt(path, "2.0.0", 1)
	if _, err := other.Start(t.Context(), &again); err == nil || !strings.Contains(err.Error(), "are from version 1.2.3") {
		t.Errorf("continued by another version: %v", err)
	}
	other.Close()

	runner = runnerAt(path, "1.2.3", 2)
	defer runner.Close()
	must.Get(runner.Start(t.Context(), &again))(t)
	wait(runner, func(n int, running bool) bool { return n == games && !running })
	x := must.Get(runner.Show(t.Context(), "first"))(t)
	m := must.Get(catalog.Parse(begun.Players[0], catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	want := must.Get(arena.Run(t.Context(), arena.RunOptions{
		Players: []catalog.Maker{m},
		Size:    begun.Size, Seed: begun.Seed, Games: games,
	}, nil))(t)
	timeless := func(s protocol.PlayerStatistics) string {
		s.MovesPerSecond, s.MSPerMove = 0, 0
		return encode(t, s)
	}
	if got, want := timeless(x.Report.Players[0]), timeless(want.Statistics().Players[0]); got != want {
		t.Errorf("stopped and gone on %s, in one go %s", got, want)
	}
}

// wantMore asks for more games of an experiment, as arena run --games does.
func wantMore(t *testing.T, path, name string, games int) {
	t.Helper()
	s := must.Get(store.Open(path))(t)
	defer s.Close()
	e := must.Get(s.Experiment(t.Context(), name))(t)
	must.Do(t, s.Extend(t.Context(), e, games, nil))
}

// A run's metrics are read as they grow: whole lines, from where the last answer ended;
// after a run was cut back, all of them.
func TestTraining(t *testing.T) {
	runs := t.TempDir()
	c := start(t, Options{Runs: runs})
	folder := filepath.Join(runs, "first")
	path := filepath.Join(folder, "metrics.jsonl")
	write := func(text string) {
		t.Helper()
		f := must.Get(os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644))(t)
		must.Get(f.WriteString(text))(t)
		must.Do(t, f.Close())
	}
	must.Do(t, os.Mkdir(folder, 0o755))
	options := `{"network":{"size":"4x4","name":"4x6","patterns":["0123"]}}`
	must.Do(t, os.WriteFile(filepath.Join(folder, "options.json"), []byte(options), 0o644))
	write("{\"games\":1}\n{\"games\":2}\n{\"ga")
	list := decode[protocol.TrainingList](t, c.ask("training.list", ""))
	if len(list.Runs) != 1 || list.Runs[0].Run != "first" || list.Runs[0].Network != "4x6 on 4x4" {
		t.Errorf("%+v", list)
	}
	show := func(from int64) (lines string, next int64, again bool) {
		t.Helper()
		r := decode[protocol.Training](t, c.ask("training.show", fmt.Sprintf(`{"run":"first","from":%d}`, from)))
		text, _ := json.Marshal(r.Intervals)
		return string(text), r.Next, r.Restarted
	}
	lines, next, _ := show(0)
	if lines != `[{"games":1},{"games":2}]` || next != 24 {
		t.Errorf("%s, %d", lines, next)
	}
	write("mes\":3}\n")
	if lines, next, _ = show(next); lines != `[{"games":3}]` || next != 36 {
		t.Errorf("%s, %d", lines, next)
	}
	must.Do(t, os.Truncate(path, 12))
	if lines, next, again := show(next); lines != `[{"games":1}]` || next != 12 || !again {
		t.Errorf("%s, %d, %v", lines, next, again)
	}
	for _, run := range []string{"..", "../first", "second", "", "first/../first", "/etc"} {
		if got := c.ask("training.show", fmt.Sprintf(`{"run":%q}`, run)); !strings.HasPrefix(got, "-32602 training.show: run: no run is called") {
			t.Errorf("%s: %s", run, got)
		}
	}
	// Long runs are thinned.
	const maxIntervals = 4000
	write(strings.Repeat("{\"games\":7}\n", 3*maxIntervals))
	r := decode[protocol.Training](t, c.ask("training.show", `{"run":"first"}`))
	if n := len(r.Intervals); n > maxIntervals || n < maxIntervals/2 {
		t.Errorf("%d of %d lines", n, 3*maxIntervals)
	}
}

// The account of a game on a solved size is exact and has parts.
func TestLuck(t *testing.T) {
	c := start(t, Options{})
	l := c.dial()
	at, _ := l.watch(`{"player":"greedy","size":"2x3","seed":2}`)
	l.await("the end", func(f *protocol.Frame) bool { return f.Over })
	line := decode[protocol.GameRecord](t, l.ask("watch.record", "{"+at+"}")).Record
	about := func(more string) string {
		text, _ := json.Marshal(line)
		return fmt.Sprintf(`{"record":%s%s}`, text, more)
	}
	opened := decode[protocol.ReviewSummary](t, c.ask("review.open", about("")))
	account := decode[protocol.LuckAccount](t, c.ask("review.luck", about("")))
	if account.Next != opened.Moves || len(account.Luck) != opened.Moves || len(account.Expected) != opened.Moves+1 || !account.Exact {
		t.Errorf("%+v", account)
	}
	rest := decode[protocol.LuckAccount](t, c.ask("review.luck", about(fmt.Sprintf(`,"from":%d`, opened.Moves-1))))
	if len(rest.Luck) != 1 || rest.Luck[0] != account.Luck[opened.Moves-1] || rest.Variance <= 0 {
		t.Errorf("%+v", rest)
	}
}

// A record is looked at from its beginning to its end, its moves valued in parts.
func TestReview(t *testing.T) {
	c := start(t, Options{})
	l := c.dial()
	at, _ := l.watch(`{"player":"random","size":"3x3","seed":2}`)
	end := l.await("the end", func(f *protocol.Frame) bool { return f.Over })
	line := decode[protocol.GameRecord](t, l.ask("watch.record", "{"+at+"}")).Record
	about := func(more string) string {
		text, _ := json.Marshal(line)
		return fmt.Sprintf(`{"record":%s%s}`, text, more)
	}
	opened := decode[protocol.ReviewSummary](t, c.ask("review.open", about("")))
	if opened.Moves != end.Moves || opened.Board != end.Board || opened.Player != "random" {
		t.Errorf("%+v", opened)
	}
	shown := decode[protocol.ReviewPosition](t, c.ask("review.show", about(`,"move":0`)))
	if shown.Score != 0 || shown.Step != nil || shown.Next == nil {
		t.Errorf("the beginning is %+v", shown)
	}
	var values []protocol.MoveReview
	for len(values) < opened.Moves {
		part := decode[protocol.ReviewValues](t, c.ask("review.values", about(fmt.Sprintf(`,"from":%d`, len(values)))))
		if part.Next != part.From+len(part.Moves) || len(part.Moves) == 0 {
			t.Fatalf("%+v", part)
		}
		values = append(values, part.Moves...)
	}
	worse := 0
	for i, v := range values {
		shown := decode[protocol.ReviewPosition](t, c.ask("review.show", about(fmt.Sprintf(`,"move":%d`, i))))
		if shown.Next.Move != v.Played {
			t.Errorf("move %d is %v, valued as %v", i, shown.Next.Move, v.Played)
		}
		if v.Loss > 0 {
			worse++
		}
	}
	if worse == 0 {
		t.Error("random play has no fault")
	}
	deepened := decode[protocol.ReviewValues](t, c.ask("review.values", about(`,"deepen":[5,2]`)))
	if len(deepened.Moves) != 2 || deepened.Next != 2 || deepened.Moves[0].Move != 5 || deepened.Moves[1].Move != 2 {
		t.Errorf("%+v", deepened)
	}
	// The chance to go on fits the beginning of a game, then its end.
	chance := decode[protocol.ReviewChance](t, c.ask("review.chance", about(fmt.Sprintf(`,"at":[0,%d]`, opened.Moves))))
	if len(chance.Chances) != 2 || chance.Chances[0] < 0.5 || chance.Chances[1] != 0 || chance.Horizon != 17 {
		t.Errorf("%+v", chance)
	}
	for _, wrong := range []struct{ method, more, want string }{
		{"review.luck", "", "skill and luck need values in points"},
		{"review.luck", fmt.Sprintf(`,"from":%d`, opened.Moves+1), "the record has"},
		{"review.chance", fmt.Sprintf(`,"at":[%d]`, opened.Moves+1), "the record has"},
		{"review.chance", "", "at is missing"},
		{"review.show", fmt.Sprintf(`,"move":%d`, opened.Moves+1), "the record has"},
		{"review.values", fmt.Sprintf(`,"from":%d`, opened.Moves+1), "the record has"},
		{"review.values", fmt.Sprintf(`,"deepen":[0,%d]`, opened.Moves), "the record has"},
		{"review.values", `,"deepen":[-1]`, "each a whole number"},
		{"review.values", `,"player":"foresight"`, "knows the coming spawns"},
		{"review.values", `,"player":"random"`, "random has values on a scale without a zero: use a judge"},
		{"review.values", `,"player":"snake"`, "snake has values on a scale without a zero: use a judge"},
	} {
		if got := c.ask(wrong.method, about(wrong.more)); !strings.HasPrefix(got, "-32602") || !strings.Contains(got, wrong.want) {
			t.Errorf("%s%s: %s", wrong.method, wrong.more, got)
		}
	}
}
