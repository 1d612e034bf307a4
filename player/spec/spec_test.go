package spec_test

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/spec"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func word(s string) spec.Value   { return spec.Value{Text: s} }
func quoted(s string) spec.Value { return spec.Value{Text: s, Quoted: true} }

func TestParse(t *testing.T) {
	for text, want := range map[string]*spec.Spec{
		"auto":                     {Name: "auto"},
		"auto()":                   {Name: "auto"},
		" auto ( ) ":               {Name: "auto"},
		"snake(depth=2)":           {Name: "snake", Args: []spec.Arg{{"depth", word("2")}}},
		"s-1(a=-1.5e+3,b_c=200ms)": {Name: "s-1", Args: []spec.Arg{{"a", word("-1.5e+3")}, {"b_c", word("200ms")}}},
		"a\t( b =\n1 , c = d ( ) )": {Name: "a", Args: []spec.Arg{
			{"b", word("1")}, {"c", spec.Value{Call: &spec.Spec{Name: "d"}}},
		}},
		`exec(cmd="python3 \"my bot\".py")`: {Name: "exec", Args: []spec.Arg{{"cmd", quoted(`python3 "my bot".py`)}}},
		`a(b="C:\bots\\new",c="")`:          {Name: "a", Args: []spec.Arg{{"b", quoted(`C:\bots\new`)}, {"c", quoted("")}}},
		`a(b="(,)=é")`:                      {Name: "a", Args: []spec.Arg{{"b", quoted("(,)=é")}}},
		"minimax(eval=sum(empty=2,smoothness=1),depth=4)": {Name: "minimax", Args: []spec.Arg{
			{"eval", spec.Value{Call: &spec.Spec{Name: "sum", Args: []spec.Arg{{"empty", word("2")}, {"smoothness", word("1")}}}}},
			{"depth", word("4")},
		}},
		nested(8): nestedSpec(8),
	} {
		got, err := spec.Parse(text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
}

// nested is a number of nested specs with arguments, nestedSpec the same parsed.
func nested(n int) string { return strings.Repeat("a(b=", n) + "1" + strings.Repeat(")", n) }

func nestedSpec(n int) *spec.Spec {
	inner := word("1")
	for range n - 1 {
		inner = spec.Value{Call: &spec.Spec{Name: "a", Args: []spec.Arg{{"b", inner}}}}
	}
	return &spec.Spec{Name: "a", Args: []spec.Arg{{"b", inner}}}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                            `spec "", column 1: found the end, expected a name such as auto or snake(depth=2)`,
		"  ":                          `spec "  ", column 3: found the end, expected a name such as auto or snake(depth=2)`,
		"=3":                          `spec "=3", column 1: found '=', expected a name such as auto or snake(depth=2)`,
		`"snake"`:                     `spec "\"snake\"", column 1: found '"', expected a name such as auto or snake(depth=2)`,
		"snake depth=2":               `spec "snake depth=2", column 7: found 'd', expected the end, or arguments in round brackets as in snake(depth=2)`,
		"snake[depth=2]":              `spec "snake[depth=2]", column 6: found '[', expected the end, or arguments in round brackets as in snake(depth=2)`,
		"snäke":                       `spec "snäke", column 3: found 'ä', expected the end, or arguments in round brackets as in snake(depth=2)`,
		"snake(depth=2))":             `spec "snake(depth=2))", column 15: found ')', expected the end`,
		"snake(depth=2) x":            `spec "snake(depth=2) x", column 16: found 'x', expected the end`,
		"snake(":                      `spec "snake(", column 7: found the end, expected a key, as in name(key=value)`,
		"snake(,)":                    `spec "snake(,)", column 7: found ',', expected a key, as in name(key=value)`,
		"snake(a=1,)":                 `spec "snake(a=1,)", column 11: found ')', expected a key, as in name(key=value)`,
		"snake(depth)":                `spec "snake(depth)", column 12: found ')', expected "=" after depth`,
		"snake(depth 2)":              `spec "snake(depth 2)", column 13: found '2', expected "=" after depth`,
		"snake(depth=)":               `spec "snake(depth=)", column 13: found ')', expected a value: a word, a number, text in double quotes or name(...)`,
		"snake(depth=2":               `spec "snake(depth=2", column 14: found the end, expected "," or ")"`,
		"snake(a=1 b=2)":              `spec "snake(a=1 b=2)", column 11: found 'b', expected "," or ")"`,
		"snake(a=1.5(b))":             `spec "snake(a=1.5(b))", column 12: found '(', expected "," or ")"`,
		"snake(a=1,b=2,a=3)":          `snake: key "a" is given twice`,
		"a(e=sum(x=1,x=1))":           `sum: key "x" is given twice`,
		`a(b="c)`:                     `spec "a(b=\"c)", column 8: found the end, expected a closing "`,
		`a(b="c\")`:                   `spec "a(b=\"c\\\")", column 10: found the end, expected a closing "`,
		"a(b=\"c\nd\")":               `spec "a(b=\"c\nd\")", column 7: found '\n', expected text without line breaks or other control characters`,
		"a(b=\"\x7f\")":               `spec "a(b=\"\x7f\")", column 6: found '\x7f', expected text without line breaks or other control characters`,
		"a(b=\"\\\x1b[31m\")":         `spec "a(b=\"\\\x1b[31m\")", column 7: found '\x1b', expected text without line breaks or other control characters`,
		`a(b="ää",ö=1)`:               `spec "a(b=\"ää\",ö=1)", column 10: found 'ö', expected a key, as in name(key=value)`,
		nested(9):                     `spec "` + nested(9) + `", column 35: found 'b', expected at most 8 nested specs`,
		strings.Repeat("a", 4097):     `spec of 4097 bytes: must be at most 4096`,
		strings.Repeat("a", 70) + "!": `spec "` + strings.Repeat("a", 60) + `...", column 71: found '!', expected the end, or arguments in round brackets as in snake(depth=2)`,
	} {
		s, err := spec.Parse(text)
		if err == nil || err.Error() != want || s != nil {
			t.Errorf("%q gives %v and the error\n  %v, want\n  %s", text, s, err, want)
		}
	}
}

// anySpec draws specs that text can have, up to a depth of nesting.
func anySpec(t *rapid.T, depth int) *spec.Spec {
	name := rapid.StringMatching(`[a-zA-Z0-9_-]{1,8}`)
	s := &spec.Spec{Name: name.Draw(t, "name")}
	for _, key := range rapid.SliceOfNDistinct(name, 0, 3, rapid.ID).Draw(t, "keys") {
		var v spec.Value
		switch kind := rapid.IntRange(0, 2).Draw(t, "kind"); {
		case kind == 0:
			v = word(rapid.StringMatching(`[a-zA-Z0-9_+.-]{1,8}`).Draw(t, "word"))
		case kind == 1 || depth == 0:
			v = quoted(rapid.StringMatching(`[^\x00-\x1f\x7f]{0,12}`).Draw(t, "text"))
		default:
			v = spec.Value{Call: anySpec(t, depth-1)}
		}
		s.Args = append(s.Args, spec.Arg{Key: key, Value: v})
	}
	return s
}

// What is printed is read back as it was.
func TestStringRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anySpec(t, 3)
		got, err := spec.Parse(want.String())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%s: %v\n%s", want, err, diff)
		}
	})
}

func TestStringIsShort(t *testing.T) {
	for text, want := range map[string]string{
		" snake ( depth = 2 ) ":                        "snake(depth=2)",
		"auto()":                                       "auto",
		"minimax( eval = sum ( empty = 2 ) )":          "minimax(eval=sum(empty=2))",
		"minimax(eval=gradient())":                     "minimax(eval=gradient())",
		`exec(cmd= "a \"b\" \\c" )`:                    `exec(cmd="a \"b\" \\c")`,
		"expectimax(time=200ms,\n\tplies=2\n)":         "expectimax(time=200ms,plies=2)",
		"expectimax(plies=2,time=200ms,death_value=0)": "expectimax(plies=2,time=200ms,death_value=0)",
	} {
		s := must.Get(spec.Parse(text))(t)
		must.Equal(t, s.String(), want, text, "printed")
	}
}

// Parsing never panics, errors are one line, and a parsed spec is the same after it is printed and parsed
// again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"auto", "snake(depth=2)", `a(b="c\"\\d",e=f(g=1))`, "a(", "a(b=)", `a(b="`, "a(b=1.5(c))", nested(8), nested(9),
		"a(b=\"\n\")", "a(b=\"\xff\")", "ä", "a(b=1,b=2)",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := spec.Parse(text)
		if err != nil {
			if s != nil || strings.ContainsAny(err.Error(), "\r\n") {
				t.Fatalf("%q: %v, error %q", text, s, err)
			}
			return
		}
		again, err := spec.Parse(s.String())
		if err != nil || !cmp.Equal(s, again) {
			t.Fatalf("%q prints as %q, which parses to %v, %v", text, s, again, err)
		}
		if strings.ContainsAny(s.String(), "\r\n") {
			t.Fatalf("%q prints in lines: %q", text, s)
		}
	})
}
