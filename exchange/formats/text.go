package formats

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// readText returns a reader of UTF-8 text. It removes a byte order mark, and decodes UTF-16, which spreadsheets export.
func readText(r *bufio.Reader) *bufio.Reader {
	mark, _ := r.Peek(4)
	if bytes.HasPrefix(mark, []byte("\ufeff")) {
		_, _ = r.Discard(3)
		return r
	}
	// The first character is ASCII, as in all text formats.
	order := binary.ByteOrder(binary.LittleEndian)
	switch {
	case len(mark) == 4 && mark[0] == 0xfe && mark[1] == 0xff && mark[2] == 0:
		order = binary.BigEndian
	case len(mark) < 4 || mark[0] != 0xff || mark[1] != 0xfe || mark[3] != 0:
		return r
	}
	_, _ = r.Discard(2)
	data, err := io.ReadAll(io.LimitReader(r, maxUTF16+1))
	if err == nil && len(data) > maxUTF16 {
		err = fmt.Errorf("more than %d MB of UTF-16: save it as UTF-8", maxUTF16>>20)
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	text := io.Reader(strings.NewReader(string(utf16.Decode(units))))
	if err != nil {
		text = io.MultiReader(text, failing{err})
	}
	return bufio.NewReaderSize(text, headSize)
}

// maxUTF16 is the maximum size of a file in UTF-16, which is decoded as a whole.
const maxUTF16 = 64 << 20

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

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
