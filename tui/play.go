package tui

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"afterstate/board"
	"afterstate/game"
	"afterstate/player"
	"afterstate/player/catalog"
)

// PlayOptions configures an interactive game.
type PlayOptions struct {
	Size board.Size
	// Start is the board that the game begins from; zero: two spawned tiles. Games from a board are
	// saved apart from others, and so are their best scores.
	Start board.Board
	Rule  player.SpawnRule
	// Seed is the seed of the spawns. If Fixed is true, the user chose it, and a new game is the
	// next one of the seed; otherwise a new game gets a new seed.
	Seed  uint64
	Fixed bool
	Hint  catalog.Maker
	// State is the folder of unfinished games and best scores; "" stores nothing. New ignores an
	// unfinished game.
	State   string
	New     bool
	Animate bool
}

// Played is the result of a session.
type Played struct {
	Score, Best, Largest int64
	Moves                int
	Over                 bool
	Saved                bool // the unfinished game was saved
}

// Play runs an interactive game until the user quits. It needs a terminal for input and output.
// When ctx ends it returns ctx's error, and after Ctrl-C context.Canceled. The game is saved in
// every case.
func Play(ctx context.Context, t Terminal, o PlayOptions) (Played, error) {
	m, err := newPlay(o)
	if err != nil {
		return Played{}, err
	}
	err = show(ctx, t, m)
	if err == nil && m.interrupted {
		err = context.Canceled
	}
	return m.end(err)
}

// end saves the game and releases the player and the slot.
func (m *play) end(err error) (Played, error) {
	defer m.store.release()
	m.hinter.stop()
	if kept := m.store.write(m.state()); kept != nil {
		err = errors.Join(err, fmt.Errorf("the game could not be saved: %w", kept))
	}
	if best, kept := m.store.best(m.key()); kept == nil { // another session may have a higher best score
		m.best = max(m.best, best)
	}
	return m.played(), errors.Join(err, m.hinter.close())
}

func (m *play) played() Played {
	b := m.game.Board()
	return Played{
		Score: m.game.Score(), Best: m.best, Largest: board.Tile(b.Largest()), Moves: m.game.Moves(),
		Over: m.game.Over(), Saved: m.o.State != "" && m.worthKeeping(),
	}
}

// play is the model of an interactive game.
type play struct {
	screen
	*session
	o       PlayOptions
	store   *store
	path    string // file of the unfinished game
	best    int64
	hinter  hintPlayer
	hint    hint
	why     why
	asking  bool   // the dialog about a new game is open
	message string // shown in the panel
	failure bool   // the message is an error

	changed     int // counts the changes of the game
	written     int // value of changed at the last save
	saving      bool
	interrupted bool
}

func newPlay(o PlayOptions) (*play, error) {
	m := &play{screen: newScreen(o.Animate), o: o, store: &store{dir: o.State}, hinter: hintPlayer{maker: o.Hint}, hint: hint{number: 1}}
	slot := m.store.slot(&o)
	number, apart, err := m.store.claim(slot, o.New)
	if number == 0 {
		return nil, err
	}
	if err != nil {
		m.complain(err)
	}
	m.path = numbered(slot, number)
	if m.best, err = m.store.best(m.key()); err != nil {
		m.complain(err)
	}
	if !o.New {
		if m.session, err = m.store.take(m.path, &o); err != nil {
			m.complain(err)
		}
		if m.session != nil && m.message == "" {
			m.message = "Your game continues where you left it."
		}
	}
	if apart && !m.failure {
		m.message = strings.TrimSpace(m.message + fmt.Sprintf(" Your first game is open in another terminal; this is game %d.", number))
	}
	if m.session == nil {
		if m.session, err = newSession(&o, o.Seed, 0); err != nil {
			m.store.release()
			return nil, err
		}
	}
	m.best = max(m.best, m.game.Score())
	return m, nil
}

// key returns the key of the best score.
func (m *play) key() string {
	key := m.o.Size.String()
	if r := rules(m.o.Rule); r != "" {
		key += " " + r
	}
	return key + startName(m.o.Start)
}

func (m *play) complain(err error) { m.message, m.failure = err.Error(), true }

// Init requests the terminal's background colour.
func (m *play) Init() tea.Cmd { return tea.RequestBackgroundColor }

// attach makes the hints' player send its notices.
func (m *play) attach(send func(tea.Msg)) {
	m.hinter.tell = func(loading bool) { send(loadingMsg(loading)) }
}

// Update handles one message.
func (m *play) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if cmd, ok := m.screen.update(msg); ok {
		return m, cmd
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m, tea.Batch(m.press(msg.String()), m.saveSoon())
	case hintMsg:
		m.hint.take(msg)
	case loadingMsg:
		m.hint.loading = bool(msg)
	case whyMsg:
		m.explained(msg)
	case saveMsg:
		return m, m.save()
	case savedMsg:
		m.saving = false
		if msg.err != nil {
			m.complain(fmt.Errorf("the game cannot be saved: %w", msg.err))
		}
		return m, m.saveSoon()
	}
	return m, nil
}

// press handles a key.
func (m *play) press(key string) tea.Cmd {
	switch key {
	case "ctrl+c":
		m.interrupted = true
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	}
	if m.help || m.why.open {
		unanswered := m.why.open && m.why.reasons == nil
		m.help, m.why = false, why{}
		if unanswered {
			m.hinter.stop()
		}
		if key == "?" || key == "esc" || key == "q" || key == "e" {
			return m.ask()
		}
	}
	if m.asking {
		m.asking = false
		switch key {
		case "y", "Y", "enter":
			return m.restart()
		case "n", "N", "esc":
			return nil
		}
	}
	if m.game.PausedOnWin() && (key == "enter" || key == "y" || key == "c") {
		m.game.KeepPlaying()
		m.keep = true
		m.moved()
		return m.ask()
	}
	if d, ok := direction(key); ok {
		return m.move(d)
	}
	return m.command(key)
}

// command handles keys that are not moves.
func (m *play) command(key string) tea.Cmd {
	switch key {
	case "q", "Q":
		return tea.Quit
	case "?":
		m.help = true
	case "u", "U", "backspace":
		return m.back()
	case "r", "ctrl+r":
		return m.again()
	case "n", "N", "R":
		m.asking = true
	case "space":
		m.hint.shown = true
		return m.ask()
	case "e", "E":
		return m.askWhy()
	case "tab":
		m.hint.live = !m.hint.live
		m.hint.shown = m.hint.live
		return m.ask()
	}
	return nil
}

// move makes a move immediately and starts its animation.
func (m *play) move(d board.Direction) tea.Cmd {
	before := m.game.Board()
	switch err := m.game.Move(d); {
	case errors.Is(err, game.ErrIllegal):
		m.say("Nothing can move " + d.String() + ".")
		return nil
	case errors.Is(err, game.ErrOver) || errors.Is(err, game.ErrWon):
		return nil // a dialog is open
	case err != nil:
		m.complain(err)
		return nil
	}
	m.moved()
	if score := m.game.Score(); score > m.best {
		m.best = score
	}
	return tea.Batch(m.slide.start(m.now(), before, d, m.game.LastSpawn()), m.ask())
}

func (m *play) say(text string) { m.message, m.failure = text, false }

// moved updates the state after a change of the game.
func (m *play) moved() {
	m.changed++
	m.say("")
	m.hinter.stop()
	m.hint.moved()
	m.why = why{}
}

func (m *play) back() tea.Cmd {
	if !m.game.Undo() {
		m.say("There is nothing to undo.")
		return nil
	}
	m.slide.stop()
	m.moved()
	m.say("Undone; r redoes it.")
	return m.ask()
}

func (m *play) again() tea.Cmd {
	if !m.game.Redo() {
		m.say("There is nothing to redo.")
		return nil
	}
	m.slide.stop()
	m.moved()
	return m.ask()
}

// restart begins a new game: the next one of a fixed seed, otherwise one with a new seed.
func (m *play) restart() tea.Cmd {
	seed, index := m.meta.Seed, m.meta.Game+1
	if !m.o.Fixed {
		seed, index = uint64(rand.Uint32()), 0
	}
	next, err := newSession(&m.o, seed, index)
	if err != nil {
		m.complain(err)
		return nil
	}
	m.session = next
	m.slide.stop()
	m.moved()
	return m.ask()
}

// ask requests a hint if one should be shown, at most once per board, and if the board has moves.
func (m *play) ask() tea.Cmd {
	if !m.hint.shown || m.hint.asked == m.hint.number || m.game.Over() || m.game.PausedOnWin() {
		return nil
	}
	m.hint.asked = m.hint.number
	return m.hinter.ask(m.hint.number, m.game, m.meta.Seed, m.meta.Game)
}

// askWhy requests the reasons of a hint.
func (m *play) askWhy() tea.Cmd {
	if m.game.Over() || m.game.PausedOnWin() {
		return nil
	}
	m.why.open = true
	m.hint.asked = 0 // this request replaces one about the values
	return m.hinter.reasons(m.hint.number, m.game, m.o.Rule.P4)
}

// explained stores the reasons and the values that come with them.
func (m *play) explained(msg whyMsg) {
	if !m.why.open || msg.number != m.hint.number {
		return
	}
	m.why.take(msg)
	m.hint.shown, m.hint.asked = true, msg.number
	m.hint.take(hintMsg{msg.number, msg.reasons.Decision, msg.err})
}

// saveEvery is the delay between a change and its save. A crash loses the moves of that time at
// most.
const saveEvery = 2 * time.Second

type saveMsg struct{}

type savedMsg struct{ err error }

// saveSoon schedules a save if there are changes and none is scheduled.
func (m *play) saveSoon() tea.Cmd {
	if m.saving || m.changed == m.written || m.store.dir == "" {
		return nil
	}
	m.saving = true
	return tea.Tick(saveEvery, func(time.Time) tea.Msg { return saveMsg{} })
}

// save returns a command that writes the state.
func (m *play) save() tea.Cmd {
	st := m.state()
	m.written = m.changed
	return func() tea.Msg { return savedMsg{m.store.write(st)} }
}

// worthKeeping reports whether there is an unfinished game to save.
func (m *play) worthKeeping() bool {
	return !m.game.Over() && (m.game.Moves() > 0 || m.game.Redo() && m.game.Undo())
}

// state returns the state to save. A game without changes does not replace a saved game.
func (m *play) state() state {
	st := state{number: m.changed, path: m.path, key: m.key(), score: m.best}
	switch {
	case m.worthKeeping():
		data, err := m.session.save()
		if err != nil {
			m.complain(err)
			st.path = ""
		}
		st.game = data
	case m.changed == 0:
		st.path = "" // keep the saved game
	}
	return st
}
