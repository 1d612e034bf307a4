package formats

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// readText returns a reader of UTF-8 text. It removes a byte order mark, and decodes UTF-16, which spreadsheets export.
func readText(r *bufio.Reader) *bufio.Reader {
	mark, _ := r.Peek(4)
	if bytes.HasPrefix(mark, []byte("\ufeff")) {
		_, _ = r.Discard(3)
		return r
	}
	little := len(mark) == 4 && mark[0] == 0xff && mark[1] == 0xfe && mark[3] == 0
	big := len(mark) == 4 && mark[0] == 0xfe && mark[1] == 0xff && mark[2] == 0
	if little || big { // the first character is ASCII, as in all text formats
		_, _ = r.Discard(2)
		return bufio.NewReaderSize(&utf16Reader{r: r, big: big}, headSize)
	}
	return r
}

// utf16Reader decodes UTF-16 into UTF-8. Invalid and incomplete characters become U+FFFD.
type utf16Reader struct {
	r       *bufio.Reader
	big     bool   // the high byte comes first
	decoded []byte // decoded bytes that did not fit into the last Read
}

func (u *utf16Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(u.decoded) == 0 {
			unit, err := u.unit()
			if err != nil {
				return n, err
			}
			if low, more := u.low(unit); more {
				unit = utf16.DecodeRune(unit, low)
			}
			u.decoded = utf8.AppendRune(u.decoded, unit)
		}
		k := copy(p[n:], u.decoded)
		n, u.decoded = n+k, u.decoded[k:]
	}
	return n, nil
}

// unit returns the next 16-bit code unit.
func (u *utf16Reader) unit() (rune, error) {
	var b [2]byte
	if _, err := io.ReadFull(u.r, b[:]); err != nil {
		if err == io.ErrUnexpectedEOF {
			return utf8.RuneError, io.EOF
		}
		return 0, err
	}
	if u.big {
		return rune(b[0])<<8 | rune(b[1]), nil
	}
	return rune(b[1])<<8 | rune(b[0]), nil
}

// low reads the second half of a surrogate pair; pair is false if high is not a surrogate or the text ends.
func (u *utf16Reader) low(high rune) (low rune, pair bool) {
	if !utf16.IsSurrogate(high) {
		return 0, false
	}
	low, err := u.unit()
	return low, err == nil
}

// splitLines is a [bufio.SplitFunc] for lines that end with a newline, a carriage return, or both.
func splitLines(data []byte, atEOF bool) (advance int, line []byte, err error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case i < 0 || data[i] == '\r' && i+1 == len(data) && !atEOF: // a newline may follow
		return 0, nil, nil
	case data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n':
		return i + 2, data[:i], nil
	}
	return i + 1, data[:i], nil
}
