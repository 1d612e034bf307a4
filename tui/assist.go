package tui

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"afterstate/board"
	"afterstate/game"
	"afterstate/player/catalog"
	"afterstate/search"
)

// AssistOptions configures [Assist].
type AssistOptions struct {
	Board  board.Board   // an empty one begins a game
	Player catalog.Maker // it cannot know the coming tiles
}

// Assist follows a game that is played elsewhere, and shows the best move at once, until the user
// quits. It needs a terminal for input and output. It returns the last board. When ctx ends it returns
// ctx's error, and after Ctrl-C context.Canceled.
func Assist(ctx context.Context, t Terminal, o AssistOptions) (board.Board, error) {
	m := newAssist(o)
	err := show(ctx, t, m)
	if err == nil && m.interrupted {
		err = context.Canceled
	}
	return m.game.Board(), errors.Join(err, m.hinter.close())
}

// assist is the model of a followed game.
type assist struct {
	screen
	o       AssistOptions
	game    *game.Followed
	hinter  hintPlayer
	hint    hint
	message string // shown in the panel
	failure bool   // the message is an error

	editing     bool
	edited      string // the line that is typed
	interrupted bool
}

func newAssist(o AssistOptions) *assist {
	return &assist{
		screen: newScreen(false), o: o, game: game.Follow(o.Board), hinter: hintPlayer{maker: o.Player},
		hint: hint{live: true, shown: true, number: 1},
	}
}

// tileKeys are the keys of the cells, row by row. A key that has just placed a tile makes it a 4, so
// the keys of moves and commands are not among them.
const tileKeys = `bcefgimnoprtvxyz1234567890,.-;'/[]=\`

// Init requests the terminal's background colour and the first advice.
func (m *assist) Init() tea.Cmd { return tea.Batch(tea.RequestBackgroundColor, m.ask()) }

// attach makes the player send its notices.
func (m *assist) attach(send func(tea.Msg)) {
	m.hinter.tell = func(loading bool) { send(loadingMsg(loading)) }
}

// Update handles one message.
func (m *assist) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if cmd, ok := m.screen.update(msg); ok {
		return m, cmd
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m, m.press(msg)
	case tea.PasteMsg:
		return m, m.replace(msg.Content)
	case hintMsg:
		m.hint.take(msg)
	case loadingMsg:
		m.hint.loading = bool(msg)
	}
	return m, nil
}

// press handles a key.
func (m *assist) press(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	switch key {
	case "ctrl+c":
		m.interrupted = true
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	}
	if m.help {
		m.help = false
		if key == "?" || key == "esc" || key == "q" {
			return nil
		}
	}
	if m.editing {
		return m.edit(key, msg.Text)
	}
	if cell, four, ok := m.cell(key); ok {
		return m.place(cell, four)
	}
	if d, ok := direction(key); ok {
		return m.move(d)
	}
	switch key {
	case "enter", "space":
		return m.best()
	case "u", "U", "backspace":
		return m.undo()
	case "tab":
		m.editing, m.edited = true, ""
	case "?":
		m.help = true
	case "q", "Q":
		return tea.Quit
	}
	return nil
}

// cell returns the cell of a key; four means that Shift is pressed. ok is false for other keys.
func (m *assist) cell(key string) (cell int, four, ok bool) {
	b := m.game.Board()
	lower := strings.ToLower(key)
	if len(key) != 1 {
		return 0, false, false
	}
	cell = strings.Index(tileKeys, lower)
	return cell, key != lower, 0 <= cell && cell < b.Size().Cells()
}

// place enters a new tile. The key of the newest tile turns a 2 into a 4 and back.
func (m *assist) place(cell int, four bool) tea.Cmd {
	s := game.Spawn{Cell: cell, Exponent: 1}
	if last, ok := m.game.Newest(); four || ok && last.Cell == cell && last.Exponent == 1 {
		s.Exponent = 2
	}
	return m.done(m.game.Place(s))
}

func (m *assist) move(d board.Direction) tea.Cmd {
	err := m.game.Move(d)
	if errors.Is(err, game.ErrIllegal) {
		m.say("Nothing can move " + d.String() + ".")
		return nil
	}
	return m.done(err)
}

// best makes the recommended move.
func (m *assist) best() tea.Cmd {
	switch d := m.hint.decision; {
	case m.game.Due() > 0:
		return m.done(game.ErrTileDue)
	case !m.hint.current:
		m.say("The player is still thinking.")
	case d != nil && d.OK:
		return m.move(d.Move)
	}
	return nil
}

func (m *assist) undo() tea.Cmd {
	if !m.game.Undo() {
		m.say("There is nothing to undo.")
		return nil
	}
	return m.done(nil)
}

// replace continues from a board or with edited cells. A text that is neither stays in the editor.
func (m *assist) replace(text string) tea.Cmd {
	text = strings.ReplaceAll(text, "\r", "\n") // terminals paste lines so
	b := m.game.Board()
	next, err := board.New(b.Size()), error(nil) // an empty line is an empty board
	if strings.TrimSpace(text) != "" {           // at its ends, tabs may be empty cells
		next, err = game.Edit(b, text)
	}
	if err != nil {
		m.editing, m.edited = true, strings.Join(strings.Fields(strings.ReplaceAll(strings.TrimSpace(text), "\n", " / ")), " ")
		m.complain(err)
		return nil
	}
	m.editing = false
	m.game.Replace(next)
	return m.done(nil)
}

// edit handles a key of the editor.
func (m *assist) edit(key, text string) tea.Cmd {
	m.say("")
	switch {
	case key == "enter":
		return m.replace(m.edited)
	case key == "esc" || key == "tab":
		m.editing = false
	case key == "backspace" && m.edited != "":
		runes := []rune(m.edited)
		m.edited = string(runes[:len(runes)-1])
	case key == "ctrl+u":
		m.edited = ""
	default:
		m.edited += text
	}
	return nil
}

// done ends a change of the game: it shows an error, or asks about the new board.
func (m *assist) done(err error) tea.Cmd {
	if err != nil {
		if errors.Is(err, game.ErrOver) {
			return nil // the screen shows that already
		}
		m.say(sentence(err))
		return nil
	}
	m.say("")
	m.hinter.stop()
	m.hint.moved()
	return m.ask()
}

// sentence returns an error as a sentence.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (m *assist) say(text string) { m.message, m.failure = text, false }

func (m *assist) complain(err error) { m.message, m.failure = err.Error(), true }

// ask requests advice, unless a tile is due or the game is over.
func (m *assist) ask() tea.Cmd {
	if m.game.Due() > 0 || m.game.Over() {
		return nil
	}
	m.hint.asked = m.hint.number
	return m.hinter.askAbout(m.hint.number, search.NewQuery(m.game.Board(), m.game.Score()).Exact(), search.Future{}, 0, 0)
}
