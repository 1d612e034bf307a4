package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/internal/must"
)

// shown escapes what a Writer escapes.
func shown(s string) string { return escaped(s, "\n\t") }

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"score 4\t2048\n":           "score 4\t2048\n",
		"größer ► 漢字 █":             "größer ► 漢字 █",
		"\x1b]52;c;ZWNobyBo\x07":    `\u001b]52;c;ZWNobyBo\u0007`,
		"\x1b[31mred\r\x00\x7f":     `\u001b[31mred\u000d\u0000\u007f`,
		"\u009b31m\u0085":           `\u009b31m\u0085`,
		"\x9b31m \xc3":              `\x9b31m \xc3`,
		"abc\u202ecba\u2066\u200f":  `abc\u202ecba\u2066\u200f`,
		"one\u2028two\u2029\u061cx": `one\u2028two\u2029\u061cx`,
		"\ufffd \xed\xa0\x80":       "\ufffd " + `\xed\xa0\x80`,
	} {
		if got := shown(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if got, want := Line("a\nb\tc"), `a\u000ab\u0009c`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// For all runes, the output contains no control character, and JSON keeps its meaning.
func TestEveryRune(t *testing.T) {
	for r := range unicode.MaxRune + 1 {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, c := range Line(string(r)) {
			if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) {
				t.Fatalf("%U is not escaped", r)
			}
		}
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		must.Do(t, e.Encode([]string{`\` + string(r)}))
		var back []string
		if err := json.Unmarshal([]byte(shown(line.String())), &back); err != nil || back[0] != `\`+string(r) {
			t.Fatalf("%U: %q, %v", r, back, err)
		}
	}
}

// A Writer gives the same result wherever the text is split into writes.
func FuzzWriter(f *testing.F) {
	f.Add([]byte("tile 2048 ►\x1b[2J\u009b\xff\n"), 1)
	f.Add([]byte("\xe2\x80\xaez\xe2\x80"), 2)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		var got bytes.Buffer
		w := NewWriter(&got)
		size = max(1, size%8)
		for at := 0; at < len(text); at += size {
			part := text[at:min(at+size, len(text))]
			if n, err := w.Write(part); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		whole := got.String()
		for _, b := range w.partial {
			whole += shown(string([]byte{b}))
		}
		if want := shown(string(text)); whole != want {
			t.Fatalf("%q is written as %q, want %q", text, whole, want)
		}
		if strings.ContainsFunc(got.String(), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			t.Fatalf("%q", got.String())
		}
	})
}

func TestWriterErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"plain", "\x1b"} {
		w := NewWriter(failing{broken})
		if n, err := w.Write([]byte(text)); n != 0 || err != broken {
			t.Error(n, err)
		}
	}
	if out := io.Discard; Raw(NewWriter(out)) != out || Raw(out) != out {
		t.Error("Raw is not the writer below")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
