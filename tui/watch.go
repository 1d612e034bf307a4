package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/speed"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/live"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// WatchOptions configures a watched game.
type WatchOptions struct {
	Game *game.Game
	// Driver plays the game from its current position; the caller must have started it. If Driver is nil, the
	// game is a recorded one, and the caller must have undone all its moves.
	Driver *player.Driver
	Name   string  // the player's spec
	About  string  // short description of the game, such as its size and seed
	Until  int64   // tile at which to stop; 0: none
	Speed  float64 // moves per second; 0: unlimited
	// Animate turns on animations. Moves that are too fast to be shown one by one are never animated.
	Animate bool
}

// Watch shows a game until the viewer quits or, without keys (no terminal at t.In), until the game ends. It
// returns ctx's error when ctx ends, context.Canceled after Ctrl-C, and the player's error if it fails.
// o.Game remains at its last position.
func Watch(ctx context.Context, t Terminal, o WatchOptions) error {
	m := newWatch(o)
	m.keys = t.keys()
	inner, stop := context.WithCancel(ctx)
	shown := make(chan error)
	go func() {
		err := m.show(ctx, t)
		stop()
		shown <- err
	}()
	// The player runs on this goroutine, as it would without a screen: on a new goroutine with a
	// small stack searches were measured to be a sixth slower.
	m.live.Run(inner)
	if err := <-shown; err != nil {
		return err
	}
	return m.live.Snapshot().Err
}

// watch is the model of a watched game.
type watch struct {
	screen
	o           WatchOptions
	live        *live.Game
	shown       live.Snapshot
	speed       float64
	keys        bool
	rate        speed.Meter
	waitingFrom time.Time // time since which the player has been thinking
}

// lookEvery is the minimum time between two snapshots.
const lookEvery = time.Second / 30

// speeds are the selectable speeds in moves per second; the next step after the last one is unlimited.
var speeds = []float64{1, 2, 5, 10, 20, 50, 100}

func newWatch(o WatchOptions) *watch {
	m := &watch{o: o, speed: o.Speed, keys: true}
	m.screen = newScreen(m, o.Animate)
	m.live = live.New(o.Game, o.Driver, o.Until, live.Pause(m.speed))
	m.shown = m.live.Snapshot()
	return m
}

// newsMsg means that there is a new snapshot, armMsg that it is time to listen for the next one, and fadeMsg that
// the values of an older board should be faded.
type (
	newsMsg struct{}
	armMsg  struct{}
	fadeMsg struct{}
)

// fadeAfter is the time for which the values of the previous board are shown without fading.
const fadeAfter = 150 * time.Millisecond

func (m *watch) board() board.Board { return m.shown.Board }

func (m *watch) title() string { return console.Line(m.o.Name) }

// start requests a snapshot and returns a command that waits for it, or for the end of the game.
func (m *watch) start() tea.Cmd {
	m.live.RequestSnapshot()
	return func() tea.Msg {
		select {
		case <-m.live.Updates():
			return newsMsg{}
		case <-m.live.Done():
			return nil
		}
	}
}

// handle handles the messages about snapshots.
func (m *watch) handle(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case newsMsg:
		return tea.Batch(m.look(), tea.Tick(lookEvery, func(time.Time) tea.Msg { return armMsg{} }))
	case armMsg:
		return m.start()
	}
	return nil
}

// look reads the newest snapshot.
func (m *watch) look() tea.Cmd {
	before := m.shown
	m.shown = m.live.Snapshot()
	s, now := &m.shown, m.screen.now()
	if s.Running {
		m.rate.Add(now, s.MovesPlayed)
	}
	var cmds []tea.Cmd
	switch {
	case s.Board == before.Board:
	case s.Last != nil && s.Moves == before.Moves+1:
		cmds = append(cmds, m.slide.start(now, s.Last.Before, s.Last.Move, s.Last.Spawn))
	default:
		m.slide.stop()
	}
	if s.DecisionCurrent || s.Over || m.o.Driver == nil {
		m.waitingFrom = time.Time{}
	} else if m.waitingFrom.IsZero() || s.Board != before.Board {
		m.waitingFrom = now
		cmds = append(cmds, tea.Tick(fadeAfter, func(time.Time) tea.Msg { return fadeMsg{} }))
	}
	if !m.keys && (s.Over || s.Reached || s.Err != nil) {
		cmds = append(cmds, tea.Quit)
	}
	return tea.Batch(cmds...)
}

// press handles a key.
func (m *watch) press(msg tea.KeyPressMsg) tea.Cmd {
	m.say("")
	return perform(msg.String(), m.actions())
}

// actions returns the keys and what they do.
func (m *watch) actions() []action {
	if !m.keys {
		return []action{act("no keys: the input is not a terminal", "", nil, "")}
	}
	help, quit := m.common("quit")
	step := func(do func()) func() tea.Cmd {
		return just(func() {
			m.shown.Running = false
			do()
		})
	}
	return []action{
		act("space", "pause", just(func() { m.run(!m.shown.Running) }), "space"),
		act("n, right", "forward", step(m.live.Forward), "n N right"),
		quit,
		act("b, left", "back", step(m.live.Undo), "b B left u U backspace"),
		act("+ -", "speed", just(func() { m.setSpeed(faster(m.speed)) }), "+ ="),
		act("", "", just(func() { m.setSpeed(slower(m.speed)) }), "- _"),
		help,
	}
}

// run resumes or pauses the game. The screen shows it immediately, even if the player is thinking.
func (m *watch) run(on bool) {
	m.shown.Running = on
	m.rate.Reset()
	m.live.SetRunning(on)
}

func (m *watch) setSpeed(speed float64) {
	m.speed = speed
	m.rate.Reset()
	m.live.SetPause(live.Pause(m.speed))
}

// faster returns the next higher speed, slower the next lower one.
func faster(speed float64) float64 {
	if i := slices.IndexFunc(speeds, func(s float64) bool { return speed > 0 && s > speed }); i >= 0 {
		return speeds[i]
	}
	return 0
}

func slower(speed float64) float64 {
	for _, s := range slices.Backward(speeds) {
		if speed == 0 || s < speed {
			return s
		}
	}
	return min(speed, speeds[0])
}

// state returns the state of the game in a few words. States that need the viewer's attention are gold or red.
func (m *watch) state() para {
	t, s := m.theme, &m.shown
	p := para{style: t.tinted(t.gold), maxLines: 1}
	switch {
	case s.Err != nil:
		p.style, p.text = t.tinted(t.red), "failed"
	case s.Over && m.o.Driver == nil && !s.Board.Terminal():
		p.text = "end of the record"
	case s.Over:
		p.text = "no moves left"
	case s.Reached:
		p.text = fmt.Sprintf("%d reached", board.Tile(s.Board.Largest()))
	case !s.Running && !s.Loading:
		p.text = "paused"
	default:
		p.style = t.tinted(t.green)
		switch {
		case s.Loading:
			p.text = "loading the network"
		case m.speed == 0:
			p.text = "full speed"
		case m.speed == 1:
			p.text = "1 move/s"
		default:
			p.text = fmt.Sprintf("%.4g moves/s", m.speed)
		}
	}
	return p
}

// panel returns the contents of the panel.
func (m *watch) panel(beside bool) panel {
	t, s := m.theme, &m.shown
	title := []para{{t.bold(), m.o.Name, 3}, {t.dim(), m.o.About, 3}}
	p := panel{
		head:    []string{"score " + numfmt.Int(s.Score), moveCount(s.Moves)},
		top:     title,
		state:   m.state(),
		stats:   scores(t, s.Score, s.Moves, "largest tile", board.Tile(s.Board.Largest()), t.bold()),
		opinion: m.opinion(),
		note:    m.note(),
	}
	if !beside {
		p.opinion.title = title
		if pace := m.pace(); len(pace) > 0 && s.Running {
			p.state.text += "  " + strings.Join(pace, ", ")
		}
	}
	if s.Err != nil {
		if p.note = (para{t.tinted(t.red), s.Err.Error(), 0}); !beside {
			p.opinion = nil
		}
	}
	return p
}

// opinion returns the values of the four moves and the search effort, as a part of the panel.
func (m *watch) opinion() *opinion {
	t, s := m.theme, &m.shown
	o := &opinion{brief: para{t.dim(), m.o.Name, 0}}
	if m.o.Driver == nil {
		o.lines = []para{{t.dim(), "a recorded game has no values", 1}}
		if s.Last != nil {
			o.lines = append(o.lines, para{t.dim(), "last move: " + s.Last.Move.String(), 1})
		}
		return o
	}
	o.bars, o.faded = true, m.faded()
	if !s.Over && s.Decision.Board.Size() == s.Board.Size() {
		o.decision = &s.Decision
		o.brief = para{t.tinted(t.green), brief(&s.Decision, t), 0}
	}
	work := effort(&s.Decision)
	if o.faded {
		work = []string{"thinking"}
	}
	o.effort = [][]string{work, m.pace()}
	return o
}

// faded reports whether the values shown belong to the previous board and are due to fade.
func (m *watch) faded() bool {
	return !m.waitingFrom.IsZero() && m.screen.now().Sub(m.waitingFrom) >= fadeAfter
}

// pace returns the time per move and the moves per second. If moves are too fast to be timed
// individually, the time is their mean.
func (m *watch) pace() (words []string) {
	x, measured := m.rate.PerSecond()
	took := m.shown.Decision.Elapsed
	if took == 0 && measured && x > 0 {
		took = time.Duration(float64(time.Second) / x)
	}
	if took > 0 {
		words = append(words, numfmt.Duration(took)+"/move")
	}
	switch {
	case !measured || !m.shown.Running:
	case x >= 100:
		words = append(words, numfmt.Int(int64(x))+" moves/s")
	default:
		words = append(words, fmt.Sprintf("%.1f moves/s", x))
	}
	return words
}
