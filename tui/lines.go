package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"afterstate/board"
)

// lineHelp lists the words that PlayLines accepts.
const lineHelp = "up, down, left, right (or u, d, l, r), undo, redo, hint, new, quit"

// lineKeys maps words to keys.
var lineKeys = map[string]string{
	"up": "up", "u": "up", "right": "right", "r": "right", "down": "down", "d": "down", "left": "left", "l": "left",
	"undo": "u", "redo": "r", "hint": "space", "new": "n", "yes": "y", "y": "y", "no": "n", "quit": "q", "q": "q",
}

// PlayLines is [Play] for terminals without cursor positioning: it prints the board as lines and
// reads commands as lines of words. The end of the input quits.
func PlayLines(ctx context.Context, in io.Reader, out io.Writer, o PlayOptions) (Played, error) {
	m, err := newPlay(o)
	if err != nil {
		return Played{}, err
	}
	m.theme = newTheme(colorprofile.NoTTY, false)
	m.hinter.tell = func(loading bool) {
		if loading {
			_, _ = fmt.Fprintln(out, "loading the network") // the next write reports an error
		}
	}
	lines, stop := readLines(in)
	defer stop()
	for err == nil {
		if _, err = io.WriteString(out, m.linesOf()); err != nil {
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case line, ok := <-lines:
			if !ok {
				return m.end(nil)
			}
			quit, failed := m.readLine(out, line)
			if quit {
				return m.end(nil)
			}
			err = errors.Join(failed, m.store.write(m.state()))
		}
	}
	return m.end(err)
}

// readLines reads lines in another goroutine, since a read cannot be interrupted: it may outlive stop.
func readLines(in io.Reader) (lines <-chan string, stop func()) {
	all, ended := make(chan string), make(chan struct{})
	go func() {
		defer close(all)
		for scan := bufio.NewScanner(in); scan.Scan(); {
			select {
			case all <- scan.Text():
			case <-ended:
				return
			}
		}
	}()
	return all, func() { close(ended) }
}

// grid returns a board as rows of numbers.
func grid(b *board.Board) string {
	size := b.Size()
	width := len(fmt.Sprint(board.Tile(b.Largest())))
	var text strings.Builder
	for r := range size.Rows {
		for c := range size.Cols {
			tile := "."
			if e := b.At(r, c); e > 0 {
				tile = fmt.Sprint(board.Tile(e))
			}
			fmt.Fprintf(&text, " %*s", width, tile)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// linesOf returns the game as text.
func (m *play) linesOf() string {
	b := m.game.Board()
	var text strings.Builder
	text.WriteString(grid(&b))
	fmt.Fprintf(&text, "score %d, best %d, %s\n", m.game.Score(), m.best, moveCount(m.game.Moves()))
	if m.message != "" {
		text.WriteString(m.message + "\n")
	}
	switch {
	case m.hint.shown && m.hint.err != nil:
		text.WriteString(m.hint.err.Error() + "\n")
	case m.hint.shown && m.hint.current:
		text.WriteString(brief(m.hint.decision, m.theme) + "\n")
	}
	switch {
	case m.asking:
		text.WriteString("Start another game? yes or no: ")
	case m.game.PausedOnWin():
		text.WriteString("2048! You win. yes to keep playing, undo, new or quit: ")
	case m.game.Over():
		text.WriteString("No moves left. undo, new or quit: ")
	default:
		text.WriteString("move: ")
	}
	return text.String()
}

// readLine executes a line of words.
func (m *play) readLine(out io.Writer, line string) (quit bool, err error) {
	for _, word := range strings.Fields(strings.ToLower(line)) {
		key, known := lineKeys[word]
		if !known {
			_, err := fmt.Fprintf(out, "%q is not a move: want %s\n", word, lineHelp)
			return false, err
		}
		if key == "q" {
			return true, nil
		}
		if cmd := m.press(key); key == "space" && cmd != nil {
			m.Update(cmd())
		}
		m.slide.stop()
	}
	return false, nil
}
