package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"afterstate/board"
	"afterstate/game"
	"afterstate/internal/speed"
	"afterstate/player"
	"afterstate/player/live"
)

// WatchOptions configures a watched game.
type WatchOptions struct {
	Game *game.Game
	// Driver plays the game from its current position; the caller must have started it. If nil, the
	// game is a recorded one, all of whose moves must be undone.
	Driver *player.Driver
	Name   string  // the player's spec
	About  string  // short description of the game, such as its size and seed
	Until  int64   // tile at which to stop; 0: none
	Speed  float64 // moves a second; 0: unlimited
	// Animate shows slides if the speed is low enough.
	Animate bool
}

// Watched is the result of a watched game.
type Watched struct {
	// FirstManualMove is the number of the first manual move, counted from 1; 0: none.
	FirstManualMove int
}

// Watch shows a game until the viewer quits or, without keys (no terminal at t.In), until the game
// ends. When ctx ends it returns ctx's error, after Ctrl-C context.Canceled, and if the player
// fails its error. The game remains at its last position.
func Watch(ctx context.Context, t Terminal, o WatchOptions) (Watched, error) {
	m := newWatch(o)
	m.keys = t.keys()
	inner, stop := context.WithCancel(ctx)
	shown := make(chan error)
	go func() {
		err := show(ctx, t, m)
		stop()
		shown <- err
	}()
	// The player runs on this goroutine, as it would without a screen: on a new goroutine with a
	// small stack searches were measured to be a sixth slower.
	m.live.Run(inner)
	err := <-shown
	if err == nil && m.interrupted {
		err = context.Canceled
	}
	if err == nil {
		err = m.live.Snapshot().Err
	}
	return Watched{FirstManualMove: m.live.Snapshot().FirstManualMove}, err
}

// watch is the model of a watched game.
type watch struct {
	screen
	o           WatchOptions
	live        *live.Game
	shown       live.Snapshot
	speed       float64
	byHand      bool // the viewer makes the moves
	wasRunning  bool // before the viewer took over
	keys        bool
	rate        speed.Meter
	waitingFrom time.Time // since when the player has been thinking
	interrupted bool
	message     string
}

// lookEvery is the least time between two snapshots.
const lookEvery = time.Second / 30

// speeds are moves a second; the next step after the last one is unlimited.
var speeds = []float64{1, 2, 5, 10, 20, 50, 100}

func newWatch(o WatchOptions) *watch {
	m := &watch{screen: newScreen(o.Animate), o: o, speed: o.Speed, keys: true}
	m.live = live.New(o.Game, o.Driver, o.Until, m.pause())
	m.shown = m.live.Snapshot()
	return m
}

// pause returns the time between two moves.
func (m *watch) pause() time.Duration {
	if m.speed <= 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / m.speed)
}

// newsMsg means that there is a new snapshot, armMsg that it is time to listen for the next one,
// and fadeMsg that values of an older board are to be faded.
type (
	newsMsg struct{}
	armMsg  struct{}
	fadeMsg struct{}
)

// fadeAfter is how long the values of the previous board are shown without fading.
const fadeAfter = 150 * time.Millisecond

// Init starts listening for snapshots.
func (m *watch) Init() tea.Cmd { return tea.Batch(tea.RequestBackgroundColor, m.listen()) }

// listen returns a command that waits for a snapshot.
func (m *watch) listen() tea.Cmd {
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

// Update handles one message.
func (m *watch) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if cmd, ok := m.screen.update(msg); ok {
		return m, cmd
	}
	switch msg := msg.(type) {
	case newsMsg:
		return m, tea.Batch(m.look(), tea.Tick(lookEvery, func(time.Time) tea.Msg { return armMsg{} }))
	case armMsg:
		return m, m.listen()
	case tea.KeyPressMsg:
		return m, m.press(msg.String())
	}
	return m, nil
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
func (m *watch) press(key string) tea.Cmd {
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
	m.message = ""
	if m.byHand {
		if d, ok := direction(key); ok {
			m.live.Move(d)
			return nil
		}
	}
	switch key {
	case "q", "Q":
		return tea.Quit
	case "?":
		m.help = true
	case "t", "T":
		m.takeOver()
	case "+", "=":
		m.setSpeed(faster(m.speed))
	case "-", "_":
		m.setSpeed(slower(m.speed))
	default:
		m.travel(key)
	}
	return nil
}

// travel moves back or forward through the game.
func (m *watch) travel(key string) {
	switch key {
	case "space":
		if m.byHand {
			m.takeOver()
		}
		m.run(!m.shown.Running)
	case "n", "N", "right":
		if m.byHand {
			m.message = "You are playing; t hands back to " + m.o.Name + "."
			return
		}
		m.shown.Running = false
		m.live.Forward()
	case "b", "B", "left", "u", "U", "backspace":
		m.shown.Running = false
		m.live.Back()
	case "r":
		if m.byHand {
			m.live.Redo()
		}
	}
}

// run resumes or pauses the game. The screen shows it immediately, even if the player is thinking.
func (m *watch) run(on bool) {
	m.shown.Running = on
	m.rate.Reset()
	m.live.SetRunning(on)
}

// takeOver switches between the viewer and the player.
func (m *watch) takeOver() {
	if m.o.Driver == nil {
		m.message = "You cannot take over a recorded game."
		return
	}
	m.byHand = !m.byHand
	if m.byHand {
		m.wasRunning = m.shown.Running
		m.run(false)
	} else {
		m.run(m.wasRunning)
	}
}

func (m *watch) setSpeed(speed float64) {
	m.speed = speed
	m.rate.Reset()
	m.live.SetPause(m.pause())
}

// faster returns the next higher speed, slower the next lower one.
func faster(speed float64) float64 {
	for _, s := range speeds {
		if speed > 0 && s > speed {
			return s
		}
	}
	return 0
}

func slower(speed float64) float64 {
	for i := len(speeds) - 1; i >= 0; i-- {
		if speed == 0 || speeds[i] < speed {
			return speeds[i]
		}
	}
	return min(speed, speeds[0])
}

// state returns the state of the game in a word or two.
func (m *watch) state() string {
	s := &m.shown
	switch {
	case s.Err != nil:
		return "failed"
	case m.byHand:
		return "you are playing"
	case s.Over && m.o.Driver == nil && !s.Board.Terminal():
		return "end of the record"
	case s.Over:
		return "no moves left"
	case s.Reached:
		return fmt.Sprintf("%d reached", board.Tile(s.Board.Largest()))
	case s.Loading:
		return "loading the network"
	case !s.Running:
		return "paused"
	case m.speed == 0:
		return "full speed"
	case m.speed == 1:
		return "1 move/s"
	}
	return fmt.Sprintf("%.4g moves/s", m.speed)
}
