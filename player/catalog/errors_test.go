package catalog_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// everyName is what specs from a network may name.
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
		"Snake":      `no player is called "Snake": did you mean snake?`,
		"alpha-beta": `no player is called "alpha-beta": did you mean alphabeta?`,
		"expectmax":  `no player is called "expectmax": did you mean expectimax?`,
		"strongest":  `no player is called "strongest": must be ` + everyName,
		"2048":       `no player is called "2048": must be ` + everyName,

		// keys
		"snake(dept=1)":          `snake has no key "dept": did you mean depth?`,
		"snake(Depth=1)":         `snake has no key "Depth": did you mean depth?`,
		"expectimax(plie=2)":     `expectimax has no key "plie": did you mean plies?`,
		"expectimax(ply=2)":      `expectimax has no key "ply": must be clear_margin, death_value, depth_by_tiles, eval, impl, leaf, min_prob, nodes, p4, plies, prune, prune_margin, soft_limit, threads, time, tt, tt_exact, tt_lifetime`,
		"minimax(plies=2)":       `minimax has no key "plies": must be depth, eval, prune, time`,
		"greedy(speed=1)":        `greedy has no key "speed": it takes no keys`,
		"random(seed=3)":         `random has no key "seed": it takes no keys`,
		"auto(time=1ms)":         `auto has no key "time": it takes no keys`,
		"snake(depth=1,depth=2)": `snake: key "depth" is given twice`,
		"snake(depth=2,plies=2)": `snake: depth and plies both set the depth: give one`,

		// whole numbers
		"snake(depth=-1)":                       `snake: depth=-1: must be a whole number from 0 to 63`,
		"snake(depth=64)":                       `snake: depth=64: must be a whole number from 0 to 63`,
		"snake(depth=two)":                      `snake: depth=two: must be a whole number from 0 to 63`,
		"snake(depth=1.5)":                      `snake: depth=1.5: must be a whole number from 0 to 63`,
		`snake(depth="2")`:                      `snake: depth="2": must be a whole number from 0 to 63`,
		"snake(depth=sum(empty=1))":             `snake: depth=sum(empty=1): must be a whole number from 0 to 63`,
		"snake(plies=65)":                       `snake: plies=65: must be a whole number from 1 to 64`,
		"weighted-snake(depth=0)":               `weighted-snake: depth=0: must be a whole number from 1 to 64`,
		"deepening(depth=99999999999999999999)": `deepening: depth=99999999999999999999: must be a whole number from 1 to 64`,
		"alphabeta(depth=-1)":                   `alphabeta: depth=-1: must be a whole number from 0 to 64`,
		"expectimax(plies=0)":                   `expectimax: plies=0: must be a whole number from 1 to 64`,
		"expectimax(nodes=0)":                   `expectimax: nodes=0: must be a whole number from 1 to 2^40`,
		"foresight(depth=0)":                    `foresight: depth=0: must be a whole number from 1 to 10000`,
		"foresight(beam=-1)":                    `foresight: beam=-1: must be a whole number from 0 to 4096`,
		"foresight(depth=13)":                   `foresight: depth=13 without a beam grows like 4^depth: use a depth up to 8, or beam=N such as beam=64`,

		// other kinds of values
		"expectimax(p4=2)":            `expectimax: p4=2: must be a number from 0 to 1`,
		"expectimax(p4=nan)":          `expectimax: p4=nan: must be a number from 0 to 1`,
		"expectimax(death_value=inf)": `expectimax: death_value=inf: must be a number from -inf to 1e100`,
		"expectimax(death_value=big)": `expectimax: death_value=big: must be a number from -inf to 1e100`,
		"deepening(time=5)":           `deepening: time=5: must be 0 for no limit, or a time from 1us to 1h such as 200ms`,
		"deepening(time=2h)":          `deepening: time=2h: must be 0 for no limit, or a time from 1us to 1h such as 200ms`,
		"expectimax(prune=star)":      `expectimax: prune=star: must be none, star1 or star2`,
		"minimax(prune=star1)":        `minimax: prune=star1: must be none or alphabeta`,
		"snake(leaf=spwn)":            `snake: leaf=spwn: must be afterstate or spawn`,
		"foresight(reuse_tree=1)":     `foresight: reuse_tree=1: must be yes or no`,

		"expectimax(depth_by_tiles=x)": `expectimax: depth_by_tiles=x: must be a whole number from -64 to 64`,
		"expectimax(min_prob=-1)":      `expectimax: min_prob=-1: must be a number from 0 to 1`,
		"expectimax(prune_margin=inf)": `expectimax: prune_margin=inf: must be a number from 0 to 1e100`,
		"expectimax(tt=1MB)":           `expectimax: tt=1MB: must be 0 for none, or memory from 2MB to 64MB such as 16MB`,
		"expectimax(tt=1GB)":           `expectimax: tt=1GB: must be 0 for none, or memory from 2MB to 64MB such as 16MB`,
		"expectimax(tt=16PB)":          `expectimax: tt=16PB: must be 0 for none, or memory from 2MB to 64MB such as 16MB`,
		"expectimax(tt=many)":          `expectimax: tt=many: must be 0 for none, or memory from 2MB to 64MB such as 16MB`,
		"expectimax(tt=-2MB)":          `expectimax: tt=-2MB: must be 0 for none, or memory from 2MB to 64MB such as 16MB`,
		"expectimax(threads=3)":        `expectimax: threads=3: must be a whole number from 1 to 2`,
		"expectimax(threads=0)":        `expectimax: threads=0: must be a whole number from 1 to 2`,
		"expectimax(tt_lifetime=ever)": `expectimax: tt_lifetime=ever: must be search or root_move`,
		"expectimax(impl=gpu)":         `expectimax: impl=gpu: must be bitboard or generic`,

		// evaluators
		"expectimax(eval=lines(emty=1))":           `expectimax: eval=lines(emty=1): lines has no key "emty": did you mean empty?`,
		"expectimax(eval=lines(empty=1e10))":       `expectimax: eval=lines(empty=1e10): lines: empty=1e10: must be a number from -1e9 to 1e9`,
		"expectimax(eval=lines(empty=x))":          `expectimax: eval=lines(empty=x): lines: empty=x: must be a number from -1e9 to 1e9`,
		`expectimax(eval=lines(file="w"))`:         `expectimax: eval=lines(file="w"): lines: files may not be named here`,
		`expectimax(eval=lines(file="w",empty=1))`: `expectimax: eval=lines(file="w",empty=1): lines: with file no other key is accepted`,
		"minimax(eval=gradent)":                    `minimax: eval=gradent: no evaluator is called "gradent": did you mean gradient?`,
		"minimax(eval=ntuple)":                     `minimax: eval=ntuple: no evaluator is called "ntuple": must be ` + everyEvaluator("sum"),
		`minimax(eval="snake")`:                    `minimax: eval="snake": must be an evaluator's name or sum(...), without quotes`,
		"minimax(eval=snake(x=1))":                 `minimax: eval=snake(x=1): evaluator snake takes no keys; weights go into a sum: sum(snake=2)`,
		"minimax(eval=sum)":                        `minimax: eval=sum: sum without terms: must be weights by evaluator, such as sum(empty=2,smoothness=1)`,
		"minimax(eval=sum())":                      `minimax: eval=sum(): sum without terms: must be weights by evaluator, such as sum(empty=2,smoothness=1)`,
		"minimax(eval=sum(emty=1))":                `minimax: eval=sum(emty=1): sum: no evaluator is called "emty": did you mean empty?`,
		"minimax(eval=sum(empty=a))":               `minimax: eval=sum(empty=a): sum: empty=a: must be a number, the term's weight`,
		`minimax(eval=sum(empty="1"))`:             `minimax: eval=sum(empty="1"): sum: empty="1": must be a number, the term's weight`,
		"minimax(eval=sum(empty=nan))":             `minimax: eval=sum(empty=nan): weight of empty is NaN: must be a number from -1e+100 to 1e+100`,
		"minimax(eval=sum(empty=inf))":             `minimax: eval=sum(empty=inf): weight of empty is +Inf: must be a number from -1e+100 to 1e+100`,
		"minimax(eval=sum(empty=1,empty=2))":       `sum: key "empty" is given twice`,
		"minimax(eval=sum(empty=sum(largest=1)))":  `minimax: eval=sum(empty=sum(largest=1)): sum: empty=sum(largest=1): must be a number, the term's weight`,
		`minimax(eval=sum(file="w.json"))`:         `minimax: eval=sum(file="w.json"): sum: files may not be named here`,
		`minimax(eval=sum(file="w.json",empty=1))`: `minimax: eval=sum(file="w.json",empty=1): sum: with file no other key is accepted`,

		// the notation
		"":                              `spec "", column 1: found the end, expected a name such as auto or snake(depth=2)`,
		"snake(":                        `spec "snake(", column 7: found the end, expected a key, as in name(key=value)`,
		"snake(depth=2":                 `spec "snake(depth=2", column 14: found the end, expected "," or ")"`,
		"snake(depth)":                  `spec "snake(depth)", column 12: found ')', expected "=" after depth`,
		"snake depth=2":                 `spec "snake depth=2", column 7: found 'd', expected the end, or arguments in round brackets as in snake(depth=2)`,
		`minimax(eval="snake)`:          `spec "minimax(eval=\"snake)", column 21: found the end, expected a closing "`,
		"minimax(eval=\"a\nb\")":        `spec "minimax(eval=\"a\nb\")", column 16: found '\n', expected text without line breaks and other control characters`,
		strings.Repeat("a(b=", 9) + "1": `spec "` + strings.Repeat("a(b=", 9) + `1", column 35: found 'b', expected at most 8 specs within each other`,
	} {
		_, err := catalog.Parse(text, catalog.Capabilities{})
		if err == nil || err.Error() != want {
			t.Errorf("%s\n gives %v\n want  %s", text, err, want)
		}
	}
}

// Files of weights, where they may be named.
func TestWeightsFiles(t *testing.T) {
	files := map[string]string{
		"good.json":    `{"empty": 2, "smoothness": 1}`,
		"list.json":    `[1, 2]`,
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
		"list.json":    `list.json: weights: json: cannot unmarshal array into Go value of type map[string]interface {}: must be a JSON object of numbers such as {"empty": 2, "smoothness": 1}`,
		"unknown.json": `unknown.json: no evaluator is called "emty": must be ` + strings.Join(eval.Names(), ", "),
		"text.json":    `text.json: weights: invalid character 'e' looking for beginning of value: must be a JSON object of numbers such as {"empty": 2, "smoothness": 1}`,
	} {
		value := `sum(file="` + file + `")`
		m, err := catalog.Parse("minimax(depth=1,eval="+value+")", caps)
		if want == "" {
			spelled := maker(t, "minimax(depth=1,eval=sum(empty=2,smoothness=1))")
			compareOn(t, m, spelled)
			continue
		}
		if want = "minimax: eval=" + value + ": " + want; err == nil || err.Error() != want {
			t.Errorf("%s\n gives %v\n want  %s", file, err, want)
		}
	}
}

// compareOn requires two makers' players to decide alike over a game.
func compareOn(t *testing.T, a, b catalog.Maker) {
	t.Helper()
	g := newGame(t, sizes[1], 4, 0)
	p, q := a.New(), b.New()
	for !g.Over() {
		x, y := decide(t, p, query(g)), decide(t, q, query(g))
		if x.Result != y.Result {
			t.Fatalf("%s decides %+v, %s decides %+v", a.Spec, x.Result, b.Spec, y.Result)
		}
		if err := g.Move(x.Move); err != nil {
			t.Fatal(err)
		}
	}
}

// The file system's own words, as the command line gives them.
func TestMissingFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no such file.json")
	_, err := catalog.Parse(`minimax(eval=sum(file="`+path+`"))`, catalog.Capabilities{ReadFile: os.ReadFile})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
}

// What is right parses, and is called by its shortest notation.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"snake":                                       "snake",
		" snake ( depth = 2 ) ":                       "snake(depth=2)",
		"snake(depth=63)":                             "snake(depth=63)",
		"expectimax(death_value=-inf)":                "expectimax(death_value=-inf)",
		"expectimax(death_value=-1e9,p4=0.25)":        "expectimax(death_value=-1e9,p4=0.25)",
		"expectimax(time=1m30s,nodes=1000000)":        "expectimax(time=1m30s,nodes=1000000)",
		"minimax(eval=sum(empty=-2,smoothness=.5))":   "minimax(eval=sum(empty=-2,smoothness=.5))",
		"minimax(eval=gradient())":                    "minimax(eval=gradient())",
		"foresight(depth=10000,beam=1,reuse_tree=no)": "foresight(depth=10000,beam=1,reuse_tree=no)",
		"deepening(time=0,nodes=500)":                 "deepening(time=0,nodes=500)",
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
		`minimax(eval=sum(file="w"),depth=4)`, "foresight(depth=40,beam=8,reuse_tree=no)", "snake(depth=-1)", "snake(depth=1,plies=1)",
		`greedy(a="b")`, "random", "expectimax(nodes=1099511627777)", "minimax(eval=snake(a=1))", "weighted-snake(prune=star2)",
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
