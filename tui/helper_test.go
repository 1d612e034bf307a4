package tui

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// golden compares a screen with testdata/name.txt.
func golden(t *testing.T, name, got string) {
	t.Helper()
	must.Golden(t, filepath.Join("testdata", name+".txt"), []byte(got+"\n"))
}

// clock is a time that tests advance.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func newClock() *clock { return &clock{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

// open sends a model the properties of a terminal without colours.
func open(m tea.Model, width, height int) {
	m.Update(tea.ColorProfileMsg{Profile: colorprofile.NoTTY})
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
}

var keyCodes = map[string]rune{
	"up": tea.KeyUp, "right": tea.KeyRight, "down": tea.KeyDown, "left": tea.KeyLeft,
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "space": tea.KeySpace, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace,
}

// keyPress is a key press by its name.
func keyPress(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	switch code, special := keyCodes[name]; {
	case name == "space":
		k = tea.KeyPressMsg{Code: code, Text: " "}
	case special:
		k = tea.KeyPressMsg{Code: code}
	case strings.HasPrefix(name, "ctrl+"):
		k = tea.KeyPressMsg{Code: rune(name[len(name)-1]), Mod: tea.ModCtrl}
	default:
		k = tea.KeyPressMsg{Code: rune(name[0]), Text: name}
	}
	if k.String() != name {
		panic("key " + name + " calls itself " + k.String())
	}
	return k
}

// press sends keys and returns the last one's command.
func press(m tea.Model, names ...string) (cmd tea.Cmd) {
	for _, name := range names {
		_, cmd = m.Update(keyPress(name))
	}
	return cmd
}

// screenText is what a model shows, without the blank lines at its end.
func screenText(m tea.Model) string { return strings.TrimRight(m.View().Content, "\n") }

func rule(t *testing.T, text string) player.SpawnRule {
	t.Helper()
	return must.Get(catalog.ParseSpawner(text, catalog.Capabilities{}))(t)
}

func maker(t *testing.T, spec string) catalog.Maker {
	t.Helper()
	return must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t)
}

// stub is a player that does what a test says.
type stub struct {
	decide func(context.Context, search.Query) (player.Decision, error)
	closed *int
}

func (s *stub) Start(_, _ uint64) {}

func (s *stub) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	return s.decide(ctx, q)
}

func (s *stub) Close() error {
	if s.closed != nil {
		*s.closed++
	}
	return nil
}

func (s *stub) maker() catalog.Maker {
	return catalog.Maker{Spec: "stub", New: func() player.Player { return s }}
}

// firstMove prefers up, right, down, left, in this order, and is fast.
func firstMove(_ context.Context, q search.Query) (player.Decision, error) {
	d := player.Decision{Board: q.Board, Player: "first", Unit: eval.Heuristic, Source: "search"}
	for i, dir := range board.Directions {
		if _, _, moved := q.Board.Slide(dir); moved {
			d.Moves[dir] = search.MoveValue{Legal: true, Value: 4 - float64(i)}
			if !d.OK {
				d.Move, d.OK = dir, true
			}
		}
	}
	return d, nil
}

var four = board.Size{Rows: 4, Cols: 4}

// newTestPlay returns a game on a terminal of 80x24 without colours, with a stopped
// clock.
func newTestPlay(t *testing.T, change func(*PlayOptions)) (*play, *clock) {
	t.Helper()
	o := PlayOptions{Size: four, Rule: rule(t, "random"), Seed: 7, Fixed: true, Hint: maker(t, "expectimax(eval=gradient,plies=2)"), Animate: true}
	if change != nil {
		change(&o)
	}
	m := must.Get(newPlay(o))(t)
	c := newClock()
	m.now = c.now
	open(m, 80, 24)
	return m, c
}

// playTo lets a player play the model's game until it has a tile or is over.
func playTo(t *testing.T, m *play, spec string, tile int64) {
	t.Helper()
	p := maker(t, spec).New()
	for range 100000 {
		b := m.game.Board()
		if board.Tile(b.Largest()) >= tile || m.game.Over() {
			m.slide.stop()
			return
		}
		d := must.Get(p.Decide(t.Context(), search.NewQuery(b, m.game.Score())))(t)
		press(m, d.Move.String())
	}
}
