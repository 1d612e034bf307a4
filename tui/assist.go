package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
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
	err := m.show(ctx, t)
	return m.game.Board(), errors.Join(err, m.hint.close())
}

// assist is the model of a followed game.
type assist struct {
	screen
	hint    hints
	game    *game.Followed
	editing bool
	edited  string // the line that is typed
}

func newAssist(o AssistOptions) *assist {
	m := &assist{game: game.Follow(o.Board), hint: hints{maker: o.Player, live: true, shown: true, number: 1}}
	m.screen = newScreen(m, false)
	m.hint.notify = func(loading bool) { m.send(loadingMsg(loading)) }
	return m
}

// tileKeys are the keys of the cells, row by row. A key that has just placed a tile makes it a 4, so
// the keys of moves and commands are not among them.
const tileKeys = `bcefgimnoprtvxyz1234567890,.-;'/[]=\`

func (m *assist) board() board.Board { return m.game.Board() }

// handle handles a message that is not about the terminal.
func (m *assist) handle(msg tea.Msg) tea.Cmd {
	if pasted, ok := msg.(tea.PasteMsg); ok {
		return m.replace(pasted.Content)
	}
	m.hint.handle(msg)
	return nil
}

// press handles a key.
func (m *assist) press(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	if m.editing {
		return m.edit(name, msg.Text)
	}
	if cell, four, ok := m.cell(name); ok {
		return m.place(cell, four)
	}
	return perform(name, m.actions())
}

// actions returns what the keys do.
func (m *assist) actions() []action {
	help, quit := m.common("quit")
	all := []action{
		act("u, backspace", "undo", m.undo, "u U backspace"), help, quit,
		act("tab", "edit; or paste a board", just(func() { m.editing, m.edited = true, "" }), "tab"),
	}
	best, others := act("enter, space", "best move", m.best, "enter space"), moves("other", m.move)
	switch {
	case m.game.Due() > 0:
		all = append([]action{act("key", "in the cell; again: a 4", nil, ""), act("Shift:", "a 4", nil, "")}, all...)
	case !m.game.Over():
		return append(append([]action{best}, others...), all...)
	}
	best.SetHelp("", "")
	others[0].SetHelp("", "")
	return append(append(all, best), others...)
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
	switch {
	case errors.Is(err, game.ErrOver): // the screen shows that already
		return nil
	case err != nil:
		text := err.Error()
		m.say(strings.ToUpper(text[:1]) + text[1:] + ".")
		return nil
	}
	m.say("")
	m.hint.moved()
	return m.start()
}

// start requests advice, unless a tile is due or the game is over.
func (m *assist) start() tea.Cmd {
	if m.game.Due() > 0 || m.game.Over() {
		return nil
	}
	return m.hint.ask(m.game.Board(), m.game.Score(), search.Future{}, 0, 0)
}

// title returns what to do next.
func (m *assist) title() string {
	switch d := m.hint.decision; {
	case m.game.Due() > 1:
		return "Where are the first tiles?"
	case m.game.Due() > 0:
		return "Where is the new tile?"
	case m.game.Over():
		return "No moves left"
	case m.hint.current && m.hint.err != nil:
		return "No advice"
	case m.hint.current && d != nil && d.OK:
		return "Best move: " + d.Move.String()
	}
	return "Thinking"
}

// panel returns what is written around the board.
func (m *assist) panel(bool) panel {
	t, b, due := m.theme, m.game.Board(), m.game.Due() > 0
	head := para{t.bold(), m.title(), 1}
	if m.hint.current && !due {
		head.style = t.tinted(t.green)
	}
	p := panel{head: []string{head.text}, opinion: m.hint.opinion(t, m.hint.maker.Spec, due || m.game.Over())}
	if due {
		p.labels = tileKeys
		p.opinion.brief = para{t.dim(), "key in its cell, Shift for a 4", 1}
		p.top = []para{head, {t.dim(), "Press the key in its cell: a 2. Again, or with Shift: a 4.", 3}}
	} else {
		p.top = []para{head, {t.dim(), fmt.Sprintf("%v, largest tile %d", b.Size(), board.Tile(b.Largest())), 1}, {t.dim(), m.newest(), 1}}
	}
	if !m.editing { // the editor shows the message
		p.note = m.note()
	}
	return p
}

// newest returns how to correct the tile that was just entered.
func (m *assist) newest() string {
	s, ok := m.game.Newest()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%c again: a %d", tileKeys[s.Cell], 6-board.Tile(s.Exponent))
}

// dialog returns the line that is typed.
func (m *assist) dialog(width, _ int) (lines []string, over bool) {
	if !m.editing {
		return nil, false
	}
	width = min(max(width-4, 10), 60)
	text := "> " + m.edited + "_"
	if long := ansi.StringWidth(text) - width; long > 0 { // the end matters
		text = "> " + ansi.TruncateLeft(m.edited+"_", long+2, "..")
	}
	lines = []string{"Another board, or cells", "64@b3 is 64 in column b, row 3", "", text, ""}
	if m.failure {
		lines = append(append(lines, wrap(m.message, width)...), "")
	}
	return append(lines, "enter takes it, esc leaves the board", "an empty line empties the board"), true
}
