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

	"afterstate/board"
)

// Terminal is the terminal of a screen.
type Terminal struct {
	In, Out *os.File // Out is a terminal; without a terminal at In there are no keys
	Env     []string // TERM, NO_COLOR and so on; nil: the environment of the process
}

// ErrLost is the error when the terminal is closed.
var ErrLost = errors.New("the terminal was closed")

// screen is the common part of the models.
type screen struct {
	now           func() time.Time
	width, height int
	profile       colorprofile.Profile
	light         bool
	theme         *theme
	slide         slide
	help          bool // the list of all keys is shown
}

func newScreen(animate bool) screen {
	s := screen{now: time.Now, slide: slide{off: !animate}}
	s.theme = newTheme(s.profile, s.light)
	return s
}

// update handles messages about the terminal; ok is false for other messages.
func (s *screen) update(msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		s.profile = msg.Profile
		s.theme = newTheme(s.profile, s.light)
	case tea.BackgroundColorMsg:
		s.light = !msg.IsDark()
		s.theme = newTheme(s.profile, s.light)
	case frameMsg:
		cmd = s.slide.frame(s.now(), msg)
	default:
		return nil, false
	}
	return cmd, true
}

// view draws a board with a panel and the keys. It is empty until the window's size and colours are
// known.
func (s *screen) view(b board.Board, panel func(*canvas, layout), keys, allKeys []string) *canvas {
	c := newCanvas(s.width, s.height)
	if s.profile == colorprofile.Unknown {
		return c
	}
	l, ok := arrange(s.width, s.height, b.Size())
	if !ok {
		tooSmall(c, s.theme, b.Size())
		return c
	}
	l.draw(c, l.x, l.y, s.theme, s.slide.picture(s.now(), &b))
	panel(c, l)
	footer(c, l.footer, s.theme, keys)
	if s.help {
		dialog(c, s.theme, rect{0, 0, s.width, s.height}, allKeys)
	}
	return c
}

// over returns the rectangle of the board, for dialogs.
func (l *layout) over(s board.Size) rect { return rect{l.x, l.y, l.width(s), l.height(s)} }

// direction returns the move of a key: arrows, WASD, HJKL.
func direction(key string) (d board.Direction, ok bool) {
	switch key {
	case "up", "w", "W", "k", "K":
		return board.Up, true
	case "right", "d", "D", "l", "L":
		return board.Right, true
	case "down", "s", "S", "j", "J":
		return board.Down, true
	case "left", "a", "A", "h", "H":
		return board.Left, true
	}
	return 0, false
}

// show runs a model until it quits, ctx ends or the terminal is closed.
func show(ctx context.Context, t Terminal, model tea.Model) error {
	inner, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	env := t.Env
	if env == nil {
		env = os.Environ()
	}
	options := []tea.ProgramOption{
		tea.WithContext(inner), tea.WithoutSignalHandler(), tea.WithEnvironment(env), tea.WithOutput(t.Out), tea.WithInput(nil),
	}
	if t.keys() {
		options = append(options, tea.WithInput(&keyboard{t.In, lose}))
	}
	if p := colorprofile.Detect(t.Out, env); noColor(env) {
		options = append(options, tea.WithColorProfile(min(p, colorprofile.ASCII)))
	}
	var program *tea.Program
	suspender := newSuspender()
	defer suspender.close()
	options = append(options, tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg { return suspender.filter(program, msg) }))
	program = tea.NewProgram(model, options...)
	if m, ok := model.(interface{ attach(func(tea.Msg)) }); ok {
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
	}
	return nil
}

// keys reports whether the input is a terminal.
func (t Terminal) keys() bool { return t.In != nil && term.IsTerminal(t.In.Fd()) }

// noColor implements no-color.org: NO_COLOR applies unless it is empty.
func noColor(env []string) bool {
	for _, v := range env {
		if len(v) > len("NO_COLOR=") && v[:len("NO_COLOR=")] == "NO_COLOR=" {
			return true
		}
	}
	return false
}

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
