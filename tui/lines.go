package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// lineHelp lists the words that PlayLines accepts.
const lineHelp = "up, down, left, right (or u, d, l, r), undo, redo, hint, new, quit"

// lineKeys maps the words that PlayLines accepts to the keys of the interactive game.
var lineKeys = map[string]string{
	"up": "up", "u": "up", "right": "right", "r": "right", "down": "down", "d": "down", "left": "left", "l": "left",
	"undo": "u", "redo": "r", "hint": "space", "new": "n", "yes": "y", "y": "y", "no": "n", "quit": "q", "q": "q",
}

// PlayLines is like [Play], but for terminals without cursor positioning: it prints the board as lines of
// text, and reads lines of commands. It quits at the end of the input.
func PlayLines(ctx context.Context, in io.Reader, out io.Writer, o PlayOptions) (Played, error) {
	o.Grade = false // moves are not graded: PlayLines does not wait for the judge
	m, err := newPlay(o)
	if err != nil {
		return Played{}, err
	}
	m.hint.notify = LoadingNotice(out)
	if _, err = io.WriteString(out, m.linesOf()); err == nil {
		err = eachLine(ctx, in, func(line string) (more bool, err error) {
			quit, err := m.readLine(out, line)
			if err = errors.Join(err, m.store.write(m.state())); quit || err != nil {
				return false, err
			}
			_, err = io.WriteString(out, m.linesOf())
			return true, err
		})
	}
	return m.end(err)
}

// LoadingNotice returns a function for player.WithNotice that prints a line when the player is loading a
// network.
func LoadingNotice(out io.Writer) func(loading bool) {
	return func(loading bool) {
		if loading {
			_, _ = fmt.Fprintln(out, "loading the network") // the next write reports an error
		}
	}
}

// eachLine calls do with each line of the input until do returns false or an error, or until the input or ctx
// ends.
func eachLine(ctx context.Context, in io.Reader, do func(line string) (more bool, err error)) error {
	lines, ended := make(chan string), make(chan struct{})
	defer close(ended)
	go func() { // a read cannot be interrupted, so this goroutine may outlive eachLine
		defer close(lines)
		for scan := bufio.NewScanner(in); scan.Scan(); {
			select {
			case lines <- scan.Text():
			case <-ended:
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, ok := <-lines:
			if !ok {
				return nil
			}
			if more, err := do(line); !more || err != nil {
				return err
			}
		}
	}
}

// linesOf returns the text that is printed after each line of commands: the board, the score, messages and a
// prompt.
func (m *play) linesOf() string {
	b := m.game.Board()
	var text strings.Builder
	text.WriteString(b.Drawing())
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

// readLine executes a line of commands. quit reports whether the user has asked to quit.
func (m *play) readLine(out io.Writer, line string) (quit bool, err error) {
	for _, word := range strings.Fields(strings.ToLower(line)) {
		key, known := lineKeys[word]
		if !known {
			_, err := fmt.Fprintf(out, "%q is not a move: must be %s\n", word, lineHelp)
			return false, err
		}
		if key == "q" {
			return true, nil
		}
		if cmd := m.key(key); key == "space" && cmd != nil {
			m.Update(cmd())
		}
		m.slide.stop()
	}
	return false, nil
}
