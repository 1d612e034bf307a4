package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
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
	o.Grade = false // a line does not wait for the judge
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

// LoadingNotice returns a function for player.WithNotice that prints a line when the player begins to load something.
func LoadingNotice(out io.Writer) func(loading bool) {
	return func(loading bool) {
		if loading {
			_, _ = fmt.Fprintln(out, "loading the network") // the next write reports an error
		}
	}
}

// eachLine calls do with each line until it returns no more or an error, or the input or ctx ends.
func eachLine(ctx context.Context, in io.Reader, do func(line string) (more bool, err error)) error {
	lines, ended := make(chan string), make(chan struct{})
	defer close(ended)
	go func() { // a read cannot be interrupted: it may outlive this function
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

// linesOf returns the game as text.
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

// readLine executes a line of words.
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

// AssistLines is [Assist] as a line protocol, for programs and for terminals without cursor
// positioning. A line has one or more words: up, right, down, left, best, undo, quit, or a new tile
// such as 2@b3; or it is a board, or edit with what [game.Edit] reads. The answer to each line, and
// the first output, has two lines: the board, and one of
//
//	best: left 312.4, up 310.9, down lost
//	tile: enter the new tile, such as 2@b3
//	over: no legal move
//	error: what is wrong
//
// The words before a wrong one have their effect. With drawn, the board is drawn in rows. The end of
// the input ends it. refused is the number of lines with an error.
func AssistLines(ctx context.Context, in io.Reader, out io.Writer, o AssistOptions, drawn bool) (refused int, err error) {
	m := &assistLines{game: game.Follow(o.Board), player: hints{maker: o.Player}, out: out, drawn: drawn}
	defer func() { err = errors.Join(err, m.player.close()) }()
	if err := m.answer(ctx, nil); err != nil {
		return 0, err
	}
	err = eachLine(ctx, in, func(line string) (more bool, err error) {
		quit, wrong := m.read(ctx, line)
		if quit {
			return false, nil
		}
		if wrong != nil {
			refused++
		}
		return true, m.answer(ctx, wrong)
	})
	return refused, err
}

type assistLines struct {
	game   *game.Followed
	player hints
	out    io.Writer
	drawn  bool
	// advice is that about advised.
	advice  player.Decision
	advised board.Board
}

// read executes a line.
func (m *assistLines) read(ctx context.Context, line string) (quit bool, err error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return false, nil
	}
	rest, edit := strings.CutPrefix(strings.TrimSpace(line), "edit ")
	if !edit {
		rest = line // at its ends, tabs may be empty cells
	}
	if edit || !m.isWord(words[0]) && strings.ContainsAny(line, "0123456789") {
		b, err := game.Edit(m.game.Board(), rest)
		if err == nil {
			m.game.Replace(b)
		}
		return false, err
	}
	for _, word := range words {
		if strings.EqualFold(word, "quit") {
			return true, nil
		}
		if err := m.word(ctx, strings.ToLower(word)); err != nil {
			return false, err
		}
	}
	return false, nil
}

// isWord reports whether a word can begin a line of words.
func (m *assistLines) isWord(word string) bool {
	_, err := board.ParseDirection(word)
	return err == nil || strings.Contains(word, "@") || slices.Contains([]string{"best", "undo", "quit"}, strings.ToLower(word))
}

// word executes a word.
func (m *assistLines) word(ctx context.Context, word string) error {
	switch {
	case word == "undo":
		if !m.game.Undo() {
			return errors.New("there is nothing to undo")
		}
		return nil
	case word == "best":
		if m.game.Due() > 0 {
			return game.ErrTileDue
		}
		if err := m.advise(ctx); err != nil {
			return err
		}
		if !m.advice.OK {
			return game.ErrOver
		}
		return m.game.Move(m.advice.Move)
	case strings.Contains(word, "@"):
		b := m.game.Board()
		s, err := game.ParseTile(b.Size(), word)
		if err == nil {
			err = m.game.Place(s)
		}
		return err
	}
	d, err := board.ParseDirection(word)
	if err != nil {
		return fmt.Errorf("%q: must be up, right, down, left, best, undo, quit, edit, a new tile such as 2@b3, or a board", word)
	}
	return m.game.Move(d)
}

// advise asks the player about the board, unless it has answered already.
func (m *assistLines) advise(ctx context.Context) error {
	b := m.game.Board()
	if m.advised == b {
		return nil
	}
	d, err := m.player.think(ctx, b, m.game.Score(), search.Future{}, 0, 0)
	if err == nil {
		m.advice, m.advised = d, b
	}
	return err
}

// answer prints the board and the advice, or what was wrong with a line.
func (m *assistLines) answer(ctx context.Context, wrong error) error {
	b := m.game.Board()
	text := b.String() + "\n"
	if m.drawn {
		text = b.Drawing()
	}
	due, over, state := m.game.Due(), m.game.Over(), ""
	if wrong == nil && due == 0 && !over {
		if wrong = m.advise(ctx); wrong != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	switch {
	case wrong != nil:
		state = "error: " + strings.ReplaceAll(wrong.Error(), "\n", "; ")
	case due > 1:
		state = "tile: enter the first tiles, such as 2@b3"
	case due > 0:
		state = "tile: enter the new tile, such as 2@b3"
	case over:
		state = "over: no legal move"
	default:
		state = "best: " + strings.ReplaceAll(strings.TrimPrefix(brief(&m.advice, plainTheme), plainTheme.mark()), "  ", ", ")
	}
	_, err := io.WriteString(m.out, text+state+"\n")
	return err
}
