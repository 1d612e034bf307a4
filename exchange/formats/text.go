package formats

import (
	"bufio"
	"bytes"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// readText returns a reader of UTF-8 text. It removes a byte order mark, and decodes UTF-16, which spreadsheets export.
func readText(r *bufio.Reader) *bufio.Reader {
	mark, _ := r.Peek(4)
	little, big := bytes.HasPrefix(mark, []byte{0xff, 0xfe}), bytes.HasPrefix(mark, []byte{0xfe, 0xff})
	switch {
	case bytes.HasPrefix(mark, []byte("\ufeff")):
		_, _ = r.Discard(3)
	case len(mark) == 4 && (little && mark[3] == 0 || big && mark[2] == 0): // all text formats begin with ASCII
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
		return bufio.NewReaderSize(transform.NewReader(r, decoder), headSize)
	}
	return r
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
