package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Terminal is the terminal of a screen.
type Terminal struct {
	In, Out *os.File // Out is a terminal; without a terminal at In there are no keys
}

// ErrLost is the error when the terminal is closed.
var ErrLost = errors.New("the terminal was closed")

// screen is the model of every screen: a board, a panel and the keys. Its part is what differs between them.
type screen struct {
	part          part
	now           func() time.Time
	width, height int
	profile       colorprofile.Profile
	light         bool
	theme         *theme
	canvas        canvas // of the last drawing
	slide         slide
	help          bool   // the list of all keys is shown
	message       string // shown in the panel
	failure       bool   // the message is an error
	interrupted   bool
}

// part is the part of a screen that depends on what it is for.
type part interface {
	start() tea.Cmd
	press(tea.KeyPressMsg) tea.Cmd
	handle(tea.Msg) tea.Cmd // handles a message that is not about the terminal
	actions() []action      // the most important first
	board() board.Board
	panel(beside bool) panel
	// dialog returns the lines of a dialog for a window, nil for none; over means that it is over the board, not over
	// the window.
	dialog(width, height int) (lines []string, over bool)
	title() string // of the window
}

func newScreen(p part, animate bool) screen {
	return screen{part: p, now: time.Now, slide: slide{off: !animate}, theme: plainTheme}
}

// plainTheme is for text without styles.
var plainTheme = newTheme(colorprofile.NoTTY, false)

func (s *screen) say(text string) { s.message, s.failure = text, false }

func (s *screen) complain(err error) { s.message, s.failure = err.Error(), true }

// note returns the message for the panel.
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
		if closes(msg.String()) {
			return nil
		}
	}
	return s.part.press(msg)
}

// closes reports whether a key that closes a list has no other effect.
func closes(key string) bool { return key == "?" || key == "esc" || key == "q" }

// common returns the actions of all screens.
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
	p.draw(c, &l, s.theme, &b)
	actions := s.part.actions()
	footer(c, l.footer, s.theme, shortKeys(actions))
	if s.help {
		dialog(c, s.theme, rect{0, 0, s.width, s.height}, keyHelp(actions))
	} else if lines, over := s.part.dialog(s.width-4, s.height-1); over {
		dialog(c, s.theme, l.over(b.Size()), lines)
	} else if lines != nil {
		dialog(c, s.theme, rect{0, 0, s.width, s.height - 1}, lines)
	}
	return c
}

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
	suspender := newSuspender()
	defer suspender.close()
	options = append(options, tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg { return suspender.filter(program, msg) }))
	program = tea.NewProgram(s, options...)
	if m, ok := s.part.(interface{ attach(func(tea.Msg)) }); ok {
		m.attach(program.Send)
	}
	go suspender.forward(program)
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

// keys reports whether the input is a terminal.
func (t Terminal) keys() bool { return t.In != nil && term.IsTerminal(t.In.Fd()) }

// keyboard is the input terminal. Bubble Tea ignores its end and would run forever; here it ends
// the program.
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
