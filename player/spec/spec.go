// Package spec parses and formats specs, the notation of players and evaluators:
//
//	name
//	name(key=value,...)
//
// A value is a word or number (plies=3, time=200ms), text in double quotes (file="my weights.json",
// on one line, with \" and \\ inside), or a nested spec (eval=sum(empty=2,smoothness=1)). Names and
// keys consist of lower-case letters, digits, dashes and underscores. Spaces between tokens are
// ignored.
//
// The package implements the grammar only; package catalog defines the names and keys.
package spec

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/each"
)

// Spec is a name with its arguments in their original order.
type Spec struct {
	Name string
	Args []Arg
}

// Arg is a key and its value.
type Arg struct {
	Key   string
	Value Value
}

// Value is a word, a quoted text, or a nested spec with arguments.
type Value struct {
	Text   string // the word or text; empty for a nested spec
	Quoted bool
	Call   *Spec // not nil for name(...)
}

// String returns the spec in its shortest notation, which Parse reads back.
func (s *Spec) String() string {
	if len(s.Args) == 0 {
		return s.Name
	}
	parts := each.Of(s.Args, func(a Arg) string { return a.Key + "=" + a.Value.String() })
	return s.Name + "(" + strings.Join(parts, ",") + ")"
}

// String returns the value in spec notation.
func (v Value) String() string {
	switch {
	case v.Call != nil && len(v.Call.Args) == 0:
		return v.Call.Name + "()"
	case v.Call != nil:
		return v.Call.String()
	case v.Quoted:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v.Text) + `"`
	default:
		return v.Text
	}
}

// Get returns the value of a key and whether the key is present.
func (s *Spec) Get(key string) (Value, bool) {
	for _, a := range s.Args {
		if a.Key == key {
			return a.Value, true
		}
	}
	return Value{}, false
}

const (
	maxLength = 4096 // maximum length of a spec in bytes
	maxDepth  = 8    // maximum nesting depth

	commaOrEnd = `"," or ")"`
)

// Parse parses a spec. Its errors contain the column of the fault and what is accepted there.
func Parse(text string) (*Spec, error) {
	if len(text) > maxLength {
		return nil, fmt.Errorf("spec of %d bytes: must be at most %d", len(text), maxLength)
	}
	p := &parser{text: text}
	s, err := p.spec(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.at < len(text) {
		want := "the end"
		if len(s.Args) == 0 {
			want += ", or arguments in round brackets as in snake(depth=2)"
		}
		return nil, p.fail(want)
	}
	return s, nil
}

type parser struct {
	text string
	at   int
}

// fail returns an error with the text at the cursor and what was expected there.
func (p *parser) fail(want string) error {
	found := "the end"
	if p.at < len(p.text) {
		found = fmt.Sprintf("%q", []rune(p.text[p.at:])[0])
	}
	return fmt.Errorf("spec %q, column %d: found %s, expected %s", console.Short(p.text, 60), utf8.RuneCountInString(p.text[:p.at])+1, found, want)
}

func (p *parser) space() {
	p.at = len(p.text) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n"))
}

// take skips whitespace and consumes c if it is the next byte.
func (p *parser) take(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// word consumes letters, digits and the characters in others.
func (p *parser) word(others string) string {
	p.space()
	from := p.at
	rest := strings.TrimLeftFunc(p.text[from:], func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(others, r)
	})
	p.at = len(p.text) - len(rest)
	return p.text[from:p.at]
}

func (p *parser) spec(depth int) (*Spec, error) {
	name := p.word("-_")
	if name == "" {
		return nil, p.fail("a name such as auto or snake(depth=2)")
	}
	s := &Spec{Name: name}
	if p.take('(') {
		return s, p.args(s, depth)
	}
	return s, nil
}

func (p *parser) args(s *Spec, depth int) error {
	if depth >= maxDepth {
		return p.fail(fmt.Sprintf("at most %d nested specs", maxDepth))
	}
	if p.take(')') {
		return nil
	}
	for {
		key := p.word("-_")
		if key == "" {
			return p.fail("a key, as in name(key=value)")
		}
		if _, twice := s.Get(key); twice {
			return fmt.Errorf("%s: key %q is given twice", s.Name, key)
		}
		if !p.take('=') {
			return p.fail(`"=" after ` + key)
		}
		v, err := p.value(depth)
		if err != nil {
			return err
		}
		s.Args = append(s.Args, Arg{key, v})
		if p.take(')') {
			return nil
		}
		if !p.take(',') {
			return p.fail(commaOrEnd)
		}
	}
}

func (p *parser) value(depth int) (Value, error) {
	if p.take('"') {
		return p.quoted()
	}
	text := p.word("-_+.")
	if text == "" {
		return Value{}, p.fail("a value: a word, a number, text in double quotes or name(...)")
	}
	if !p.take('(') {
		return Value{Text: text}, nil
	}
	if strings.ContainsAny(text, "+.") {
		p.at--
		return Value{}, p.fail(commaOrEnd)
	}
	call := &Spec{Name: text}
	return Value{Call: call}, p.args(call, depth+1)
}

// quoted reads text up to its closing quote. A backslash before any character but a quote or a
// backslash is literal, as in Windows paths.
func (p *parser) quoted() (Value, error) {
	var out strings.Builder
	for ; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		switch {
		case c == '"':
			p.at++
			return Value{Text: out.String(), Quoted: true}, nil
		case c < ' ' || c == 0x7f:
			return Value{}, p.fail("text without line breaks or other control characters")
		case c == '\\' && p.at+1 < len(p.text) && strings.IndexByte(`"\`, p.text[p.at+1]) >= 0:
			p.at++
			c = p.text[p.at]
		}
		out.WriteByte(c)
	}
	return Value{}, p.fail(`a closing "`)
}

// Nearest returns the candidate with the smallest edit distance to word (insertions, deletions,
// replacements, transpositions; case-insensitive), or "" if none is close enough to be a likely
// typo.
func Nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, fewest := "", min(len(word)/3+2, len(word)/2+1)
	for _, c := range candidates {
		if d := distance(word, c); d < fewest {
			best, fewest = c, d
		}
	}
	return best
}

// distance returns the optimal string alignment distance.
func distance(a, b string) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// Suggest returns a hint for an error about an unknown word: a question with the nearest candidate
// or, if no candidate is near, a list of all.
func Suggest(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return "must be " + strings.Join(candidates, ", ")
}
