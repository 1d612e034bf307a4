//go:build unix

package clitest

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// emulator is a minimal terminal emulator for the screens of play and watch: it converts the output
// of a program to rows of characters. It ignores styles.
type emulator struct {
	rows, cols  int
	cells       [][]rune
	y, x        int
	top, bottom int  // scroll region
	last        rune // repeated by REP
	alternate   bool // the alternate screen is shown
	hidden      bool // the cursor is hidden
	pending     []byte
}

func newEmulator(rows, cols int) *emulator {
	e := &emulator{}
	e.resize(rows, cols)
	return e
}

func (e *emulator) resize(rows, cols int) {
	e.rows, e.cols = rows, cols
	e.cells = make([][]rune, rows)
	for i := range e.cells {
		e.cells[i] = blankRow(cols)
	}
	e.y, e.x, e.top, e.bottom = 0, 0, 0, rows-1
}

func blankRow(n int) []rune { return []rune(strings.Repeat(" ", n)) }

func (e *emulator) String() string {
	var out strings.Builder
	for _, row := range e.cells {
		out.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return out.String()
}

// Write processes output of the program, in pieces of any length.
func (e *emulator) Write(p []byte) (int, error) {
	e.pending = append(e.pending, p...)
	for len(e.pending) > 0 {
		n := e.one(e.pending)
		if n == 0 {
			break // wait for the rest
		}
		e.pending = e.pending[n:]
	}
	return len(p), nil
}

// one processes one character or sequence and returns its length, 0 if it is incomplete.
func (e *emulator) one(p []byte) int {
	switch p[0] {
	case '\r':
		e.x = 0
	case '\n':
		e.down()
	case '\b':
		e.x = max(e.x-1, 0)
	case '\t':
		e.x = min(e.x/8*8+8, e.cols-1)
	case 0x1b:
		return e.escape(p)
	default:
		if p[0] < ' ' {
			return 1
		}
		if !utf8.FullRune(p) {
			return 0
		}
		r, n := utf8.DecodeRune(p)
		e.put(r)
		return n
	}
	return 1
}

func (e *emulator) put(r rune) {
	if e.x == e.cols {
		e.x = 0
		e.down()
	}
	e.cells[e.y][e.x] = r
	e.last = r
	e.x++
}

func (e *emulator) down() {
	if e.y == e.bottom {
		e.scroll(e.top, 1)
	} else {
		e.y = min(e.y+1, e.rows-1)
	}
}

// scroll moves the rows from the given one to the region's end up by n, or down if n is negative.
func (e *emulator) scroll(from, n int) {
	for ; n > 0; n-- {
		copy(e.cells[from:e.bottom+1], e.cells[from+1:e.bottom+1])
		e.cells[e.bottom] = blankRow(e.cols)
	}
	for ; n < 0; n++ {
		copy(e.cells[from+1:e.bottom+1], e.cells[from:e.bottom])
		e.cells[from] = blankRow(e.cols)
	}
}

func (e *emulator) escape(p []byte) int {
	if len(p) < 2 {
		return 0
	}
	switch p[1] {
	case '[':
		for i := 2; i < len(p); i++ {
			if p[i] >= 0x40 && p[i] <= 0x7e {
				e.control(string(p[2:i]), p[i])
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^', 'X': // a string up to BEL or ESC \
		for i := 2; i < len(p); i++ {
			if p[i] == 7 {
				return i + 1
			}
			if p[i] == 0x1b && i+1 < len(p) {
				return i + 2
			}
		}
		return 0
	case 'M':
		if e.y == e.top {
			e.scroll(e.top, -1)
		} else {
			e.y--
		}
	}
	return 2
}

// control executes a control sequence.
func (e *emulator) control(args string, final byte) {
	if strings.HasPrefix(args, "?") {
		on := final == 'h'
		switch {
		case !on && final != 'l':
		case args == "?1049":
			e.alternate = on
			e.erase(0, e.rows)
		case args == "?25":
			e.hidden = !on
		}
		return
	}
	if strings.ContainsAny(args, "<=>!$ ") {
		return
	}
	var n [2]int
	for i, word := range strings.SplitN(args, ";", 3) {
		if i < len(n) {
			n[i], _ = strconv.Atoi(word)
		}
	}
	count := max(n[0], 1)
	switch final {
	case 'A':
		e.y = max(e.y-count, 0)
	case 'B', 'e':
		e.y = min(e.y+count, e.rows-1)
	case 'C', 'a':
		e.x = min(e.x+count, e.cols-1)
	case 'D':
		e.x = max(e.x-count, 0)
	case 'G', '`':
		e.x = min(count, e.cols) - 1
	case 'd':
		e.y = min(count, e.rows) - 1
	case 'H', 'f':
		e.y, e.x = min(count, e.rows)-1, min(max(n[1], 1), e.cols)-1
	case 'I':
		for ; count > 0; count-- {
			e.one([]byte{'\t'})
		}
	case 'Z':
		for ; count > 0; count-- {
			e.x = max((e.x-1)/8*8, 0)
		}
	case 'b':
		for ; count > 0; count-- {
			e.put(e.last)
		}
	case 'r':
		e.top, e.bottom = count-1, min(max(n[1], 0), e.rows)-1
		if n[1] == 0 {
			e.bottom = e.rows - 1
		}
		e.y, e.x = 0, 0
	default:
		e.edit(n[0], count, final)
	}
}

// edit executes the control sequences that erase, insert or delete.
func (e *emulator) edit(mode, count int, final byte) {
	x := min(e.x, e.cols-1)
	row := e.cells[e.y]
	switch final {
	case 'J':
		switch mode {
		case 0:
			copy(row[x:], blankRow(e.cols))
			e.erase(e.y+1, e.rows)
		case 1:
			e.erase(0, e.y)
			copy(row[:x+1], blankRow(e.cols))
		default:
			e.erase(0, e.rows)
		}
	case 'K':
		switch mode {
		case 0:
			copy(row[x:], blankRow(e.cols))
		case 1:
			copy(row[:x+1], blankRow(e.cols))
		default:
			e.erase(e.y, e.y+1)
		}
	case 'X':
		copy(row[x:min(x+count, e.cols)], blankRow(e.cols))
	case '@':
		e.cells[e.y] = append(append(append([]rune{}, row[:x]...), blankRow(count)...), row[x:]...)[:e.cols]
	case 'P':
		e.cells[e.y] = append(append(append([]rune{}, row[:x]...), row[min(x+count, e.cols):]...), blankRow(count)...)[:e.cols]
	case 'L':
		e.scroll(e.y, -count)
	case 'M':
		e.scroll(e.y, count)
	case 'S':
		e.scroll(e.top, count)
	case 'T':
		e.scroll(e.top, -count)
	}
}

func (e *emulator) erase(from, to int) {
	for y := from; y < to; y++ {
		e.cells[y] = blankRow(e.cols)
	}
}
