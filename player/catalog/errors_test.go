package catalog_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// everyName lists the players that specs from a network may use.
var everyName = func() string {
	var all []string
	for _, p := range catalog.Players(false) {
		if p.Name != "exec" && p.Name != "remote" {
			all = append(all, p.Name)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}()

// everyEvaluator lists the evaluators and other words that a key takes.
func everyEvaluator(more ...string) string {
	all := append(more, eval.Names()...)
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// Typical typing errors, and their messages: one line that names the culprit
// and what is accepted.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		// names
		"snaek":      `no player is called "snaek": did you mean snake?`,
		"alpha-beta": `no player is called "alpha-beta": did you mean alphabeta?`,
		"strongest":  `no player is called "strongest": must be ` + everyName,

		// keys
		"snake(dept=1)":          `snake has no key "dept": did you mean depth?`,
		"expectimax(ply=2)":      `expectimax has no key "ply": must be clear_margin, death_value, depth_by_tiles, eval, impl, leaf, min_prob, nodes, p4, plies, prune, prune_margin, soft_limit, time, tt, tt_exact, tt_lifetime`,
		"greedy(speed=1)":        `greedy has no key "speed": it takes no keys`,
		"snake(depth=1,depth=2)": `snake: key "depth" is given twice`,
		"snake(depth=2,plies=2)": `snake: depth and plies both set the depth: give one`,

		// whole numbers
		"snake(depth=-1)":           `snake: depth=-1: must be a whole number from 0 to 63`,
		"snake(depth=two)":          `snake: depth=two: must be a whole number from 0 to 63`,
		`snake(depth="2")`:          `snake: depth="2": must be a whole number from 0 to 63`,
		"snake(depth=sum(empty=1))": `snake: depth=sum(empty=1): must be a whole number from 0 to 63`,
		"expectimax(nodes=0)":       `expectimax: nodes=0: must be a whole number from 1 to 2^40`,
		"foresight(beam=-1)":        `foresight: beam=-1: must be a whole number from 0 to 4096`,
		"foresight(depth=13)":       `foresight: depth=13 without a beam grows like 4^depth: use a depth up to 8, or beam=N such as beam=64`,

		// other kinds of values
		"expectimax(p4=2)":            `expectimax: p4=2: must be a number from 0 to 1`,
		"expectimax(death_value=inf)": `expectimax: death_value=inf: must be a number from -inf to 1e100`,
		"deepening(time=5)":           `deepening: time=5: must be 0 for no limit, or a time from 1us to 1h such as 200ms`,
		"expectimax(prune=star)":      `expectimax: prune=star: must be none or star1`,

		"expectimax(tt=1MB)": `expectimax: tt=1MB: must be 0 for none, or memory from 2MB to 64MB such as 16MB`,

		// evaluators
		"expectimax(eval=lines(emty=1))":           `expectimax: eval=lines(emty=1): lines has no key "emty": did you mean empty?`,
		"expectimax(eval=lines(empty=1e10))":       `expectimax: eval=lines(empty=1e10): lines: empty=1e10: must be a number from -1e9 to 1e9`,
		"minimax(eval=gradent)":                    `minimax: eval=gradent: no evaluator is called "gradent": did you mean gradient?`,
		"minimax(eval=ntuple)":                     `minimax: eval=ntuple: no evaluator is called "ntuple": must be ` + everyEvaluator("sum"),
		`minimax(eval="snake")`:                    `minimax: eval="snake": must be an evaluator's name or sum(...), without quotes`,
		"minimax(eval=snake(x=1))":                 `minimax: eval=snake(x=1): evaluator snake takes no keys; weights go into a sum: sum(snake=2)`,
		"minimax(eval=sum)":                        `minimax: eval=sum: sum has no terms: must be evaluators with weights, such as sum(empty=2,smoothness=1)`,
		"minimax(eval=sum(emty=1))":                `minimax: eval=sum(emty=1): sum: no evaluator is called "emty": did you mean empty?`,
		"minimax(eval=sum(empty=a))":               `minimax: eval=sum(empty=a): sum: empty=a: must be a number, the term's weight`,
		`minimax(eval=sum(empty="1"))`:             `minimax: eval=sum(empty="1"): sum: empty="1": must be a number, the term's weight`,
		"minimax(eval=sum(empty=nan))":             `minimax: eval=sum(empty=nan): weight of empty is NaN: must be a number from -1e+100 to 1e+100`,
		"minimax(eval=sum(empty=sum(largest=1)))":  `minimax: eval=sum(empty=sum(largest=1)): sum: empty=sum(largest=1): must be a number, the term's weight`,
		`minimax(eval=sum(file="w.json"))`:         `minimax: eval=sum(file="w.json"): sum: files are not allowed here`,
		`minimax(eval=sum(file="w.json",empty=1))`: `minimax: eval=sum(file="w.json",empty=1): sum: file cannot be combined with other keys`,

		// the notation
		"": `spec "", column 1: found the end, expected a name such as auto or snake(depth=2)`,
	} {
		_, err := catalog.Parse(text, catalog.Capabilities{})
		must.Equal(t, fmt.Sprint(err), want, text, "gives")
	}
}

// Files of weights, where they may be named.
func TestWeightsFiles(t *testing.T) {
	files := map[string]string{
		"good.json":    `{"empty": 2, "smoothness": 1}`,
		"unknown.json": `{"emty": 2}`,
		"text.json":    `empty = 2`,
	}
	caps := catalog.Capabilities{ReadFile: func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, errors.New(path + " is not there")
	}}
	for file, want := range map[string]string{
		"good.json":    "",
		"missing.json": `missing.json is not there`,
		"unknown.json": `unknown.json: no evaluator is called "emty": must be ` + strings.Join(eval.Names(), ", "),
		"text.json":    `text.json: weights: invalid character 'e' looking for beginning of value: must be a JSON object of numbers such as {"empty": 2, "smoothness": 1}`,
	} {
		value := `sum(file="` + file + `")`
		m, err := catalog.Parse("minimax(depth=1,eval="+value+")", caps)
		if want == "" {
			must.Do(t, err)
			_, e := m.Evaluator(bitboard.Size)
			must.Equal(t, e.Value(&eval.Position{Board: parse(t, "2,8/0,0")}), 2*2-2, file, "value")
			continue
		}
		if want = "minimax: eval=" + value + ": " + want; err == nil || err.Error() != want {
			t.Errorf("%s\n gives %v\n want  %s", file, err, want)
		}
	}
}

// What is right parses, and is called by its shortest notation.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"snake":                                     "snake",
		" snake ( depth = 2 ) ":                     "snake(depth=2)",
		"snake(depth=63)":                           "snake(depth=63)",
		"expectimax(death_value=-inf)":              "expectimax(death_value=-inf)",
		"expectimax(death_value=-1e9,p4=0.25)":      "expectimax(death_value=-1e9,p4=0.25)",
		"expectimax(time=1m30s,nodes=1000000)":      "expectimax(time=1m30s,nodes=1000000)",
		"minimax(eval=sum(empty=-2,smoothness=.5))": "minimax(eval=sum(empty=-2,smoothness=.5))",
		"minimax(eval=gradient())":                  "minimax(eval=gradient())",
		"foresight(depth=10000,beam=1)":             "foresight(depth=10000,beam=1)",
		"deepening(time=0,nodes=500)":               "deepening(time=0,nodes=500)",
	} {
		if m := maker(t, text); m.Spec != want {
			t.Errorf("%q is called %s, want %s", text, m.Spec, want)
		}
	}
}

// Nothing panics, errors are one line, and what parses is called by a spec that
// parses to the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"auto", "snake(depth=2)", "deepening(time=5ms)", "expectimax(eval=sum(empty=2,smoothness=-1e3),plies=2,death_value=-inf,p4=0.5)",
		`minimax(eval=sum(file="w"),depth=4)`, "foresight(depth=40,beam=8)", "snake(depth=-1)", "snake(depth=1,plies=1)",
		`greedy(a="b")`, "random", "expectimax(nodes=1099511627777)", "minimax(eval=snake(a=1))", "weighted-snake(prune=star1)",
	} {
		f.Add(seed)
	}
	caps := catalog.Capabilities{ReadFile: func(string) ([]byte, error) { return []byte(`{"empty": 1}`), nil }}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range []catalog.Capabilities{caps, {}} {
			m, err := catalog.Parse(text, c)
			if err != nil {
				if strings.ContainsAny(err.Error(), "\r\n") {
					t.Fatalf("%q: error %q", text, err)
				}
				continue
			}
			again, err := catalog.Parse(m.Spec, c)
			if err != nil || again.Spec != m.Spec || again.TimeLimited != m.TimeLimited || again.Foresees != m.Foresees {
				t.Fatalf("%q is %+v, which is %+v, %v", text, m, again, err)
			}
			if m.New() == nil {
				t.Fatalf("%q makes no player", text)
			}
		}
	})
}
