package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Terminal is the terminal in which a screen runs.
type Terminal struct {
	In, Out *os.File // Out must be a terminal; if In is not a terminal, no keys are read
}

// ErrLost is returned if the terminal is closed while the screen runs.
var ErrLost = errors.New("the terminal was closed")

// screen is the Bubble Tea model for playing and watching: it draws the board, the panel and the keys. Its
// part implements what differs between the two.
type screen struct {
	part          part
	now           func() time.Time
	width, height int
	profile       colorprofile.Profile
	light         bool
	theme         *theme
	canvas        canvas // reused by each call of draw
	slide         slide
	help          bool   // the list of all keys is shown
	message       string // shown in the panel
	failure       bool   // the message is an error
	interrupted   bool
	send          func(tea.Msg) // sends a message from another goroutine
}

// part implements what is specific to one kind of screen.
type part interface {
	start() tea.Cmd
	press(tea.KeyPressMsg) tea.Cmd
	handle(tea.Msg) tea.Cmd // handles a message that screen.Update does not handle itself
	actions() []action      // sorted by importance, the most important one first
	board() board.Board
	panel(beside bool) panel
	dialog() []string // lines of the open dialog over the board; nil: none
	title() string    // title of the window
}

func newScreen(p part, animate bool) screen {
	return screen{part: p, now: time.Now, slide: slide{off: !animate}, theme: plainTheme, send: func(tea.Msg) {}}
}

// dialog returns no dialog, for parts that do not define one.
func (s *screen) dialog() []string { return nil }

// plainTheme is the theme for text without styles.
var plainTheme = newTheme(colorprofile.NoTTY, false)

func (s *screen) say(text string) { s.message, s.failure = text, false }

func (s *screen) complain(err error) { s.message, s.failure = err.Error(), true }

// note returns the message as a paragraph for the panel.
func (s *screen) note() para {
	if s.failure {
		return para{s.theme.tinted(s.theme.red), s.message, 0}
	}
	return para{style{}, s.message, 0}
}

// Init requests the terminal's background colour.
func (s *screen) Init() tea.Cmd { return tea.Batch(tea.RequestBackgroundColor, s.part.start()) }

// Update handles one message.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		s.profile = msg.Profile
	case tea.BackgroundColorMsg:
		s.light = !msg.IsDark()
	case frameMsg:
		return s, s.slide.frame(s.now(), msg)
	case tea.KeyPressMsg:
		return s, s.pressed(msg)
	default:
		return s, s.part.handle(msg)
	}
	s.theme = newTheme(s.profile, s.light)
	return s, nil
}

// pressed handles a key.
func (s *screen) pressed(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+c":
		s.interrupted = true
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	}
	if s.help {
		s.help = false
		switch msg.String() { // these keys only close the list; others also have their usual effect
		case "?", "esc", "q":
			return nil
		}
	}
	return s.part.press(msg)
}

// common returns the two actions that all screens have: showing the list of keys, and quitting, with the help
// text quit.
func (s *screen) common(quit string) (all, leave action) {
	return act("?", "keys", just(func() { s.help = true }), "?"), act("q", quit, func() tea.Cmd { return tea.Quit }, "q Q")
}

// View renders the screen.
func (s *screen) View() tea.View {
	v := tea.NewView(s.draw().String())
	v.AltScreen = true
	v.WindowTitle = "2048: " + s.part.title()
	return v
}

// draw draws the board with the panel, the keys and dialogs. It draws nothing until the window's size and colours are
// known.
func (s *screen) draw() canvas {
	if s.canvas.RenderBuffer == nil || s.canvas.Width() != s.width || s.canvas.Height() != s.height {
		s.canvas = newCanvas(s.width, s.height)
	}
	c := s.canvas
	c.Clear()
	if s.profile == colorprofile.Unknown {
		return c
	}
	b := s.part.board()
	l, ok := arrange(s.width, s.height, b.Size())
	if !ok {
		tooSmall(c, s.theme, b.Size())
		return c
	}
	l.draw(c, l.x, l.y, s.theme, s.slide.picture(s.now(), &b))
	p := s.part.panel(l.beside)
	p.draw(c, &l, s.theme)
	actions := s.part.actions()
	footer(c, l.footer, s.theme, shortKeys(actions))
	if s.help {
		dialog(c, s.theme, rect{0, 0, s.width, s.height}, keyHelp(actions))
	} else if lines := s.part.dialog(); lines != nil {
		dialog(c, s.theme, rect{l.x, l.y, l.width(b.Size()), l.height(b.Size())}, lines)
	}
	return c
}

// rendererStopDelay is the time that Bubble Tea's renderer gets to stop. In v2.0.9 its goroutine
// stops the ticker that it shares with the next renderer, so one that starts too early may never
// draw.
const rendererStopDelay = 200 * time.Millisecond

// show runs a screen until it quits, ctx ends or the terminal is closed. After Ctrl-C the error is context.Canceled.
func (s *screen) show(ctx context.Context, t Terminal) error {
	inner, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	options := []tea.ProgramOption{tea.WithContext(inner), tea.WithoutSignalHandler(), tea.WithOutput(t.Out), tea.WithInput(nil)}
	if t.keys() {
		options = append(options, tea.WithInput(&keyboard{t.In, lose}))
	}
	if os.Getenv("NO_COLOR") != "" { // see no-color.org
		options = append(options, tea.WithColorProfile(min(colorprofile.Detect(t.Out, os.Environ()), colorprofile.ASCII)))
	}
	var program *tea.Program
	options = append(options, tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		if _, ok := msg.(tea.SuspendMsg); !ok {
			return msg
		}
		if program.ReleaseTerminal() != nil {
			return nil
		}
		suspend()
		time.Sleep(rendererStopDelay)
		_ = program.RestoreTerminal() // if this fails, there is no input, and the program ends
		return tea.ClearScreen()
	}))
	program = tea.NewProgram(s, options...)
	s.send = program.Send
	defer watchSize(program)()
	_, err := program.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(context.Cause(inner), ErrLost):
		return ErrLost
	case err != nil:
		return fmt.Errorf("the screen failed: %w", err)
	case s.interrupted:
		return context.Canceled
	}
	return nil
}

// keys reports whether the input is a terminal, which sends single key presses.
func (t Terminal) keys() bool { return t.In != nil && term.IsTerminal(t.In.Fd()) }

// keyboard is the input terminal. Bubble Tea ignores the end of its input and would run forever. keyboard
// ends the program instead, when a read fails.
type keyboard struct {
	*os.File
	lose context.CancelCauseFunc
}

func (k *keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	if err != nil {
		k.lose(ErrLost)
	}
	return n, err
}

// action binds keys to a function. Its help names the keys and says what they do. The list of all keys shows
// the complete help; the footer shows only the beginning of both texts. An action without help appears in
// neither.
type action struct {
	key.Binding
	do func() tea.Cmd
}

// act returns an action for the keys called names, separated by spaces. keys and help are shown to the user: the
// keys, and what they do.
func act(keys, help string, do func() tea.Cmd, names string) action {
	return action{key.NewBinding(key.WithKeys(strings.Fields(names)...), key.WithHelp(keys, help)), do}
}

// just turns a function into the function of an action that runs no command.
func just(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return nil
	}
}

// moveKeys holds the names of the keys for each direction, separated by spaces.
var moveKeys = [4]string{board.Up: "up w W k K", board.Right: "right d D l L", board.Down: "down s S j J", board.Left: "left a A h H"}

// moves returns one action per direction. Only the first has a help text, which covers all four.
func moves(help string, do func(board.Direction) tea.Cmd) (all []action) {
	keys := "arrows, WASD, HJKL"
	for _, d := range board.Directions {
		all = append(all, act(keys, help, func() tea.Cmd { return do(d) }, moveKeys[d]))
		keys, help = "", ""
	}
	return all
}

// perform runs the first action that is bound to the key with this name.
func perform(name string, actions []action) tea.Cmd {
	for _, a := range actions {
		if slices.Contains(a.Keys(), name) {
			return a.do()
		}
	}
	return nil
}

// shortKeys returns what the footer shows of each action: the first name of its key and the first part of its
// help.
func shortKeys(actions []action) (words []string) {
	for _, a := range actions {
		keys, _, _ := strings.Cut(a.Help().Key, ",")
		effect, _, _ := strings.Cut(a.Help().Desc, ";")
		words = append(words, strings.TrimSpace(keys+" "+effect))
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// keyHelp returns the lines of the dialog that lists all keys.
func keyHelp(actions []action) []string {
	var all []key.Binding
	for _, a := range actions {
		if a.Help().Key != "" {
			all = append(all, a.Binding)
		}
	}
	text := uv.TrimSpace(help.Model{}.FullHelpView([][]key.Binding{all}))
	return append(append([]string{"Keys", ""}, strings.Split(text, "\n")...), "", "Any key closes this.")
}

// fit joins as many of the words, from the first one on, as fit into the width.
func fit(words []string, separator string, width int) (text string) {
	for i, w := range words {
		if i > 0 {
			w = separator + w
		}
		if ansi.StringWidth(text+w) > width {
			break
		}
		text += w
	}
	return text
}

// layout holds the positions of the board and of the panel beside or below it. The last line of the window
// shows the keys.
type layout struct {
	cellSize
	x, y   int  // position of the upper left corner of the board
	beside bool // the panel is beside the board; otherwise below it, with one line above it
	panel  rect
	footer int // number of the line that shows the keys
}

type rect struct{ x, y, width, height int }

const (
	panelLeast, panelMost = 26, 44 // width of a panel beside the board in columns
	panelHigh             = 13     // minimum height of such a panel in lines
	roomyHeight           = 17     // height from which such a panel has blank lines between its parts
	gap                   = 3      // columns between board and panel
	// Number of lines of a panel below the board. Such a panel has one more line above the board.
	below      = 2 // the message and one line of a hint
	belowRoomy = 9 // the complete panel
	minWidth   = 30
	// Maximum width of a panel below a narrower board. The panel starts at the left edge of the board and
	// ends at the right edge of the window at the latest.
	stackedMost = 60
)

// minWindow returns the size of the smallest window for a board, in columns and lines.
func minWindow(s board.Size) (width, height int) {
	p := cellSizes[0]
	return max(p.width(s), minWidth), p.height(s) + 1 + below + 1
}

// arrange returns the layout with the largest tiles for which the board and a panel beside or below it fit.
// If both positions of the panel allow equal tiles, it chooses the panel beside the board. It uses a panel of
// two lines only if nothing else fits. ok is false if the window is too small.
func arrange(width, height int, s board.Size) (l layout, ok bool) {
	if w, h := minWindow(s); width < w || height < h {
		return l, false
	}
	for _, lines := range []int{belowRoomy, below} {
		for i := len(cellSizes) - 1; i >= 0; i-- {
			p := cellSizes[i]
			w, h := p.width(s), p.height(s)
			if w+gap+panelLeast <= width && max(h, panelHigh)+1 <= height {
				return beside(p, s, width, height), true
			}
			if w <= width && h+1+lines+1 <= height {
				return stacked(p, s, width, height), true
			}
		}
	}
	return l, false
}

// beside returns the layout with the panel beside the board.
func beside(p cellSize, s board.Size, width, height int) layout {
	w := p.width(s)
	room := min(max(width-w-gap-2, panelLeast), panelMost) // leaves a margin if possible
	x, y := (width-w-gap-room)/2, (height-1-max(p.height(s), panelHigh))/2
	return layout{cellSize: p, x: x, y: y, beside: true, panel: rect{x + w + gap, y, room, height - 1 - y}, footer: height - 1}
}

// stacked returns the layout with the panel below the board.
func stacked(p cellSize, s board.Size, width, height int) layout {
	w, h, y := p.width(s), p.height(s), 1
	if height >= h+1+belowRoomy+1+2 {
		y = 2
	}
	left := (width - max(w, minWidth)) / 2
	under := rect{left, y + h, min(width-left, max(w, minWidth, stackedMost)), height - 1 - (y + h)}
	return layout{cellSize: p, x: (width - w) / 2, y: y, panel: under, footer: height - 1}
}

// tooSmall draws the message for a window that is too small for the board.
func tooSmall(c canvas, t *theme, s board.Size) {
	w, h := minWindow(s)
	text := fmt.Sprintf("A %v board needs a window of %dx%d; this one has %dx%d. q quits.", s, w, h, c.Width(), c.Height())
	to := &column{c: c, rect: rect{0, 0, max(c.Width(), 1), c.Height()}}
	to.para(para{t.bold(), text, 0})
}
