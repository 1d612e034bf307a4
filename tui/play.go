package tui

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// PlayOptions configures an interactive game.
type PlayOptions struct {
	Size board.Size
	// Start is the board from which games start; if it is zero, they start with two spawned tiles. Games from
	// a start board, and their best scores, are saved separately from other games.
	Start board.Board
	Rule  player.SpawnRule
	// Seed is the seed of the spawns. If Fixed is true, the user chose it, and a new game is the next game of
	// the same seed; otherwise a new game gets a new seed.
	Seed  uint64
	Fixed bool
	Hint  catalog.Maker
	Judge *review.Judge // judge of the user's moves
	Grade bool          // whether moves are graded from the start
	// State is the folder for unfinished games and best scores; "" stores nothing. If New is true, an
	// unfinished game in it is ignored.
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
	return m.end(m.show(ctx, t))
}

// end saves the game, releases the player and the slot (see store.slot), and returns the result. err is the
// error with which the screen ended.
func (m *play) end(err error) (Played, error) {
	defer m.store.release()
	m.hint.stop()
	m.grades.stop()
	if errWrite := m.store.write(m.state()); errWrite != nil {
		err = errors.Join(err, fmt.Errorf("the game could not be saved: %w", errWrite))
	}
	if best, errBest := m.store.best(m.o.key(), m.best); errBest == nil { // another session may have a higher best score
		m.best = best
	}
	b := m.game.Board()
	return Played{
		Score: m.game.Score(), Best: m.best, Largest: board.Tile(b.Largest()), Moves: m.game.Moves(),
		Over: m.game.Over(), Saved: m.o.State != "" && m.worthKeeping(),
	}, errors.Join(err, m.hint.close())
}

// play is the model of an interactive game.
type play struct {
	screen
	*session
	hint   hints
	grades grades
	o      PlayOptions
	store  *store
	path   string // file of the unfinished game
	best   int64
	asking bool // the dialog about a new game is open

	changed int // number of changes of the game so far
	written int // value of changed at the last save
	saving  bool
}

func newPlay(o PlayOptions) (*play, error) {
	m := &play{o: o, store: &store{dir: o.State}, hint: hints{maker: o.Hint, number: 1}, grades: grades{judge: o.Judge, on: o.Grade}}
	m.screen = newScreen(m, o.Animate)
	m.hint.notify = func(loading bool) { m.send(loadingMsg(loading)) }
	slot := m.store.slot(&o)
	number, apart, err := m.store.claim(slot, o.New)
	if number == 0 {
		return nil, err
	}
	if err != nil {
		m.complain(err)
	}
	m.path = numbered(slot, number)
	if m.best, err = m.store.best(o.key(), 0); err != nil {
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

func (m *play) board() board.Board { return m.game.Board() }

func (m *play) start() tea.Cmd { return m.ask() }

func (m *play) title() string { return fmt.Sprint(m.game.Score()) }

// handle handles the messages about saving, hints and grades.
func (m *play) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case saveMsg:
		return m.save()
	case savedMsg:
		m.saving = false
		if msg.err != nil {
			m.complain(fmt.Errorf("the game cannot be saved: %w", msg.err))
		}
		return m.saveSoon()
	case gradesMsg:
		if msg.at == m.grades.at {
			m.grades.moves, m.grades.err = msg.moves, msg.err
		}
	default:
		m.hint.handle(msg)
	}
	return nil
}

func (m *play) press(msg tea.KeyPressMsg) tea.Cmd {
	return tea.Batch(m.key(msg.String()), m.saveSoon())
}

// key handles the key with this name.
func (m *play) key(name string) tea.Cmd {
	if m.asking {
		m.asking = false
		switch name {
		case "y", "Y", "enter":
			return m.restart()
		case "n", "N", "esc":
			return nil
		}
	}
	if m.game.PausedOnWin() && (name == "enter" || name == "y" || name == "c") {
		m.game.KeepPlaying()
		m.keep = true
		return m.moved()
	}
	return perform(name, m.actions())
}

// actions returns the keys and what they do.
func (m *play) actions() []action {
	help, quit := m.common("quit; the game is kept")
	return append(moves("move; two equal tiles merge", m.move),
		act("u, backspace", "undo", m.undo, "u U backspace"),
		quit,
		act("space", "hint", func() tea.Cmd {
			m.hint.shown = true
			return m.ask()
		}, "space"),
		help,
		act("n, R", "new game; asks first", just(func() { m.asking = true }), "n N R"),
		act("r", "redo", m.redo, "r ctrl+r"),
		act("g", "grade my moves, without hints", func() tea.Cmd {
			m.grades.on = !m.grades.on
			m.say(map[bool]string{true: "See after each move how good it was. Hints are off.", false: "Moves are not graded any more."}[m.grades.on])
			return m.ask()
		}, "g G"),
		act("tab", "live hints", func() tea.Cmd {
			m.hint.live = !m.hint.live
			m.hint.shown = m.hint.live
			return m.ask()
		}, "tab"))
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
	grade, hint := m.grades.grade(m.game.Moves(), d), m.moved()
	m.say(grade)
	m.best = max(m.best, m.game.Score())
	return tea.Batch(m.slide.start(m.now(), before, d, m.game.LastSpawn()), hint)
}

// moved updates the state after a change of the game, and requests a hint if one should be shown.
func (m *play) moved() tea.Cmd {
	m.changed++
	m.say("")
	m.slide.stop()
	m.hint.moved()
	return m.ask()
}

func (m *play) undo() tea.Cmd {
	if !m.game.Undo() {
		m.say("There is nothing to undo.")
		return nil
	}
	hint := m.moved()
	m.say("Undone; r redoes it.")
	return hint
}

func (m *play) redo() tea.Cmd {
	if !m.game.Redo() {
		m.say("There is nothing to redo.")
		return nil
	}
	return m.moved()
}

// restart starts a new game: the next game of a fixed seed, otherwise a game with a new seed.
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
	m.session, m.grades.tally, m.grades.turn, m.grades.slip = next, review.Tally{}, 0, 0
	return m.moved()
}

// ask requests grades or, if moves are not graded, a hint if one should be shown: at most once per board, and not if
// the game is over or paused.
func (m *play) ask() tea.Cmd {
	h := &m.hint
	switch {
	case m.game.Over() || m.game.PausedOnWin():
		return nil
	case m.grades.on:
		return m.grades.ask(eval.Position{Board: m.game.Board(), Score: m.game.Score()})
	case !h.shown || h.requested == h.number:
		return nil
	}
	return h.ask(m.game, m.meta.Seed, m.meta.Game)
}

// panel returns the contents of the panel.
func (m *play) panel(bool) panel {
	t := m.theme
	best := t.bold()
	if m.game.Score() == m.best && m.best > 0 {
		best = t.tinted(t.gold)
	}
	p := panel{
		head:  []string{fmt.Sprintf("score %s  best %s", numfmt.Int(m.game.Score()), numfmt.Int(m.best)), moveCount(m.game.Moves())},
		top:   []para{{t.bold(), "2048", roomy}, {t.dim(), gameText(m.o.Size, &m.meta), 2}},
		stats: scores(t, m.game.Score(), m.game.Moves(), "best", m.best, best),
		note:  m.note(),
	}
	if r := rules(m.o.Rule); r != "" {
		p.top = append(p.top, para{t.dim(), "tiles: " + r, 2})
	}
	if m.hint.shown && !m.grades.on {
		title := "hint: " + m.o.Hint.Spec
		if m.hint.live {
			title = "live " + title
		}
		p.opinion = m.hint.opinion(t, title, m.game.Over() || m.game.PausedOnWin())
	}
	return p
}

// gameText returns the size, the seed and the number of a game as text.
func gameText(s board.Size, meta *record.Meta) string {
	text := fmt.Sprintf("%v, seed %d", s, meta.Seed)
	if meta.Game > 0 {
		text += fmt.Sprintf(", game %d", meta.Game)
	}
	return text
}

// dialog returns the open question or message to the user.
func (m *play) dialog() []string {
	switch {
	case m.asking:
		return []string{"Start another game?", "", "y  yes, drop this one", "n  no, keep playing"}
	case m.slide.running: // wait for the animation of the last move
	case m.game.PausedOnWin():
		return []string{"2048! You win.", "", "enter  keep playing", "u      undo", "n      new game"}
	case m.game.Over():
		return []string{"No moves left", "", "score " + numfmt.Int(m.game.Score()), "", "u  undo", "n  new game"}
	}
	return nil
}
