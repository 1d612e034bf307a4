package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

func boardOf(t *testing.T, text string) board.Board {
	t.Helper()
	b, err := board.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newTestAssist is a followed game on a terminal of 80x24 without colours, with the first advice.
func newTestAssist(t *testing.T, b board.Board) *assist {
	t.Helper()
	m := newAssist(AssistOptions{Board: b, Player: (&stub{decide: firstMove}).maker()})
	m.now = newClock().now
	open(m, 80, 24)
	advise(m, m.start())
	return m
}

// advise runs a command, if there is one, and hands its answer to the model.
func advise(m *assist, cmd tea.Cmd) {
	if cmd != nil {
		m.Update(cmd())
		if m.hint.decision != nil {
			m.hint.decision.Elapsed = 1234 * time.Microsecond
		}
	}
}

// keys presses keys with the advice after each.
func (m *assist) keys(names ...string) {
	for _, name := range names {
		advise(m, press(m, name))
	}
}

func TestAssistScreens(t *testing.T) {
	m := newTestAssist(t, board.New(four))
	golden(t, "assist-start", screenText(m))
	m.keys("?")
	golden(t, "assist-help", screenText(m))
	m.keys("?", "c", "P")
	golden(t, "assist-advice", screenText(m))
	m.keys("enter")
	golden(t, "assist-due", screenText(m))
	m.keys("tab", "6", "4", "@", "e", "9", "enter")
	golden(t, "assist-edit", screenText(m))
	m.keys("esc")
	open(m, 30, 14)
	golden(t, "assist-narrow-due", screenText(m))
	m.keys("b")
	golden(t, "assist-narrow", screenText(m))
	open(m, 30, 30)
	golden(t, "assist-tall", screenText(m))
	open(m, 20, 10)
	golden(t, "assist-small", screenText(m))
	m = newTestAssist(t, boardOf(t, "2,4/4,2"))
	golden(t, "assist-over", screenText(m))
	m = newTestAssist(t, board.New(board.Size{Rows: 6, Cols: 6}))
	golden(t, "assist-6x6", screenText(m))
}

// A whole game is followed with two keys a move: one for the move, one for the tile.
func TestAssistGame(t *testing.T) {
	for _, size := range []board.Size{four, {Rows: 2, Cols: 2}, {Rows: 6, Cols: 6}} {
		g, err := game.New(game.Options{Size: size, Spawner: game.NewRandom(3, 0, 0.3)})
		if err != nil {
			t.Fatal(err)
		}
		m := newTestAssist(t, board.New(size))
		pressed := 0
		tile := func(s game.Spawn) {
			key := tileKeys[s.Cell : s.Cell+1]
			switch upper := strings.ToUpper(key); {
			case s.Exponent == 1:
				m.keys(key)
			case upper != key:
				m.keys(upper)
			default: // no Shift: twice
				m.keys(key, key)
			}
			pressed++
		}
		for _, s := range g.Start() {
			tile(s)
		}
		for i := 0; i < 300 && !g.Over(); i++ {
			if m.game.Board() != g.Board() || m.game.Due() != 0 {
				t.Fatalf("%v, move %d: %v, want %v", size, i, m.game.Board(), g.Board())
			}
			if !m.hint.current || m.hint.decision.Board != g.Board() {
				t.Fatalf("%v, move %d: no advice about the board", size, i)
			}
			key, d := "enter", m.hint.decision.Move
			if i%3 == 1 {
				d = board.Directions[i%4]
				key = d.String()
			}
			if err := g.Move(d); err != nil {
				continue // nothing can move that way
			}
			m.keys(key)
			pressed++
			tile(g.LastSpawn())
		}
		if maximum := 2 + 2*g.Moves(); pressed > maximum || g.Moves() < 4 {
			t.Errorf("%v: %d keys for %d moves", size, pressed, g.Moves())
		}
		for range 2*g.Moves() + 2 {
			m.keys("u")
		}
		if b := m.game.Board(); b.Empty() != size.Cells() || m.message != "" {
			t.Errorf("%v: undone to %v, %s", size, b, m.message)
		}
		m.keys("backspace")
		if m.message != "There is nothing to undo." {
			t.Errorf("message %q", m.message)
		}
	}
}

// The key of the newest tile turns it into a 4 and back, and the advice follows; the keys of moves
// and commands are not among the keys of cells.
func TestAssistTiles(t *testing.T) {
	m := newTestAssist(t, boardOf(t, "2,4/2,0"))
	m.keys("up", "left")
	if got := m.game.Board().String(); got != "4,4/0,0" || m.message != "A new tile is due before the next move." {
		t.Errorf("%s, %s", got, m.message)
	}
	for key, want := range map[string]string{"e": "4,4/2,0", "f": "4,4/0,2", "E": "4,4/4,0", "F": "4,4/0,4"} {
		m.keys(key)
		if got := m.game.Board().String(); got != want || m.hint.decision.Board.String() != want {
			t.Errorf("%s: %s, the advice is about %v", key, got, m.hint.decision.Board)
		}
		m.keys("u")
	}
	m.keys("e", "e")
	if got := m.game.Board().String(); got != "4,4/4,0" || m.hint.decision.Board.String() != got {
		t.Errorf("twice: %s", got)
	}
	m.keys("e")
	if got := m.game.Board().String(); got != "4,4/2,0" {
		t.Errorf("three times: %s", got)
	}
	m.keys("E")
	if got := m.game.Board().String(); got != "4,4/4,0" {
		t.Errorf("with Shift: %s", got)
	}
	m.keys("f")
	if got := m.game.Board().String(); got != "4,4/4,0" || m.message != "No new tile is due: make a move first." {
		t.Errorf("a second tile: %s, %s", got, m.message)
	}
	m.keys("u", "c")
	if !strings.HasPrefix(m.message, "B1 is occupied by 4") {
		t.Error(m.message)
	}
	for _, taken := range strings.Fields("u q ? U Q") {
		if strings.Contains(tileKeys, taken) {
			t.Errorf("%s is a command", taken)
		}
	}
	for _, key := range tileKeys {
		for _, moves := range moveKeys {
			if names := strings.Fields(moves); slices.Contains(names, string(key)) || slices.Contains(names, strings.ToUpper(string(key))) {
				t.Errorf("%c is a move", key)
			}
		}
		if strings.Count(tileKeys, string(key)) != 1 {
			t.Errorf("%c is in twice", key)
		}
	}
	if len(tileKeys) != board.MaxSide*board.MaxSide {
		t.Errorf("%d keys", len(tileKeys))
	}
}

// Another board is pasted or typed; what is no board stays to be corrected.
func TestAssistReplace(t *testing.T) {
	m := newTestAssist(t, boardOf(t, "2,4/2,0"))
	start := m.game.Board()
	paste := func(text string) {
		_, cmd := m.Update(tea.PasteMsg{Content: text})
		advise(m, cmd)
	}
	is := func(want string) {
		t.Helper()
		if got := m.game.Board().String(); got != want || m.editing || m.failure || m.game.Due() == 0 && m.hint.decision.Board.String() != want {
			t.Errorf("%s, want %s; editing %v: %s", got, want, m.editing, m.message)
		}
	}
	paste("2 4 8\r16 32 .\r") // as terminals send lines
	is("2,4,8/16,32,0")
	paste("\t2\r4\t2") // cells of a spreadsheet
	is("0,2/4,2")
	m.keys("u")
	is("2,4,8/16,32,0")
	m.keys("tab", "6", "4", "@", "a", "1", "space", "0", "@", "b", "1", "x", "backspace", "enter")
	is("64,0,8/16,32,0")
	paste("2,3/4,5")
	if !m.editing || !m.failure || m.edited != "2,3/4,5" || !strings.Contains(screenText(m), "is not a tile") {
		t.Errorf("editing %v %q: %s\n%s", m.editing, m.edited, m.message, screenText(m))
	}
	m.keys("ctrl+u")
	if m.edited != "" || m.failure {
		t.Errorf("%q, %s", m.edited, m.message)
	}
	for _, r := range "2,2/4,4" {
		m.keys(string(r))
	}
	m.keys("enter")
	is("2,2/4,4")
	m.keys("tab", "enter")
	is("0,0/0,0")
	m.keys("tab", "q", "esc")
	is("0,0/0,0")
	m.keys("u", "u", "u", "u")
	if m.game.Board() != start {
		t.Errorf("undone to %v", m.game.Board())
	}
}

// A slow player holds up no key: its question is cancelled by the next change.
func TestAssistSlow(t *testing.T) {
	asked, ended := make(chan bool), make(chan bool)
	slow := &stub{decide: func(ctx context.Context, _ search.Query) (player.Decision, error) {
		asked <- true
		<-ctx.Done()
		ended <- true
		return player.Decision{}, ctx.Err()
	}}
	m := newAssist(AssistOptions{Board: boardOf(t, "2,4/2,0"), Player: slow.maker()})
	open(m, 80, 24)
	cmd := m.start()
	answer := make(chan tea.Msg)
	go func() { answer <- cmd() }()
	<-asked
	if press(m, "enter"); m.message != "The player is still thinking." || !strings.Contains(screenText(m), "Thinking") {
		t.Errorf("%s\n%s", m.message, screenText(m))
	}
	press(m, "up")
	<-ended
	if msg := <-answer; msg != nil {
		t.Errorf("a cancelled question was answered: %v", msg)
	}
	broken := &stub{decide: func(context.Context, search.Query) (player.Decision, error) {
		return player.Decision{}, errors.New("the bot died")
	}}
	m = newAssist(AssistOptions{Board: boardOf(t, "2,4/2,0"), Player: broken.maker()})
	open(m, 80, 24)
	advise(m, m.start())
	if text := screenText(m); !strings.Contains(text, "the bot died") || !strings.Contains(text, "No advice") {
		t.Error(text)
	}
	m.keys("enter", "up")
	if b := m.game.Board(); b.String() != "4,4/0,0" {
		t.Error("without advice there is no move by hand")
	}
}

func TestAssistQuit(t *testing.T) {
	m := newTestAssist(t, board.New(four))
	if _, ok := press(m, "q")().(tea.QuitMsg); !ok || m.interrupted {
		t.Error("q does not quit")
	}
	if _, ok := press(m, "ctrl+z")().(tea.SuspendMsg); !ok {
		t.Error("ctrl+z does not suspend")
	}
	press(m, "tab")
	if cmd := press(m, "q"); cmd != nil || m.edited != "q" {
		t.Error("q quits instead of being typed")
	}
	if _, ok := press(m, "ctrl+c")().(tea.QuitMsg); !ok || !m.interrupted {
		t.Error("ctrl+c does not interrupt")
	}
}

// Each line of the protocol has an answer of two lines.
func TestAssistLines(t *testing.T) {
	closed := 0
	o := AssistOptions{Board: boardOf(t, "2,4/2,0"), Player: (&stub{decide: firstMove, closed: &closed}).maker()}
	in := []string{
		"best 2@a2", "", "4@a2", "left", "UNDO undo", "hm", "2@b1 best", "4@b9", "up best", "edit 8@a1", "edit 8@z9",
		"2,4,2/4,2,4", "best", "2 4 / 2 .", "4,3/2,2", "undo undo undo undo undo undo undo undo", "quit", "left",
	}
	var out bytes.Buffer
	refused, err := AssistLines(t.Context(), strings.NewReader(strings.Join(in, "\n")), &out, o, false)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if err != nil || closed != 1 || len(lines) != 2*(len(in)-1) {
		t.Errorf("%d refused, %v, closed %d times, %d lines", refused, err, closed, len(lines))
	}
	golden(t, "assist-lines", out.String())
	for i, line := range lines {
		if i%2 == 0 {
			boardOf(t, line)
		}
	}
}

// Drawn boards are for people; the end of the context ends the protocol.
func TestAssistLinesDrawn(t *testing.T) {
	o := AssistOptions{Board: boardOf(t, "2,4/16,0"), Player: (&stub{decide: firstMove}).maker()}
	ctx, cancel := context.WithCancel(t.Context())
	in, stop := io.Pipe()
	defer stop.Close()
	out := &cancelled{cancel: cancel}
	if _, err := AssistLines(ctx, in, out, o, true); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := out.text; got != "    2    4\n   16    .\nbest: right 3, down 2\n" {
		t.Errorf("%q", got)
	}
	full := errors.New("the disk is full")
	if _, err := AssistLines(t.Context(), strings.NewReader("up\n"), failing{full}, o, false); !errors.Is(err, full) {
		t.Error(err)
	}
}

// cancelled cancels a context with the first output.
type cancelled struct {
	text   string
	cancel func()
}

func (c *cancelled) Write(p []byte) (int, error) {
	defer c.cancel()
	c.text += string(p)
	return len(p), nil
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
