// Package console makes text safe to show on a terminal. Text that others wrote, such as the
// player's name in a record or what a bot writes to stderr, can hold control sequences that
// write the clipboard, forge lines or reverse what is read.
//
//	out := console.NewWriter(os.Stdout)
//	fmt.Fprintln(out, record.Player) // "\x1b]52;c;...\a" is shown as \u001b]52;c;...\u0007
//
// Control characters are C0 but newline and tab, DEL, C1, the line and paragraph separators
// and the bidirectional controls. They are replaced by JSON's escapes: a reader sees what is
// there, and JSON, where the characters can only stand inside of strings, keeps its meaning.
// Bytes that are not UTF-8 become escapes such as \x9b.
package console

import (
	"fmt"
	"io"
	"sync"
	"unicode/utf8"
)

// isControl reports whether a terminal may act on a rune instead of showing it.
func isControl(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0,
		r == 0x61c, r == 0x200e, r == 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, // bidirectional
		r == 0x2028, r == 0x2029:
		return true
	}
	return false
}

// Text escapes control characters but newlines and tabs.
func Text(s string) string { return escaped(s, "\n\t") }

// Line escapes all control characters, so that the text stays one line.
func Line(s string) string { return escaped(s, "") }

func escaped(s, keep string) string {
	if plain([]byte(s), keep) {
		return s
	}
	out, rest := escape(nil, []byte(s), keep)
	for _, b := range rest {
		out = fmt.Appendf(out, `\x%02x`, b)
	}
	return string(out)
}

// plain reports whether text is printable ASCII, which is most text.
func plain(s []byte, keep string) bool {
	for _, b := range s {
		if (b < ' ' || b >= 0x7f) && !kept(rune(b), keep) {
			return false
		}
	}
	return true
}

func kept(r rune, keep string) bool {
	for _, k := range keep {
		if r == k {
			return true
		}
	}
	return false
}

// escape appends text to dst. The rest is the beginning of a rune at the end of the text.
func escape(dst, text []byte, keep string) (out, rest []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			if !utf8.FullRune(text) {
				return dst, text
			}
			dst = fmt.Appendf(dst, `\x%02x`, text[0])
		case isControl(r) && !kept(r, keep):
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst, nil
}

// Writer escapes what is written through it as Text does. Several goroutines may use it.
type Writer struct {
	w io.Writer

	mutex sync.Mutex
	begun []byte // of a rune that the last Write did not end
	text  []byte
}

// NewWriter escapes what goes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes text, all but an incomplete rune at its end, which waits for the next Write.
func (w *Writer) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	const keep = "\n\t"
	if len(w.begun) == 0 && plain(p, keep) {
		return w.w.Write(p)
	}
	out, rest := escape(w.text[:0], append(w.begun, p...), keep)
	w.begun = append([]byte(nil), rest...)
	w.text = out
	if len(out) == 0 {
		return len(p), nil
	}
	if _, err := w.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Unwrap is the writer below, for a program's own control sequences.
func (w *Writer) Unwrap() io.Writer { return w.w }

// Raw is the writer below a Writer, and any other writer itself.
func Raw(w io.Writer) io.Writer {
	if below, ok := w.(*Writer); ok {
		return below.Unwrap()
	}
	return w
}
