package tui

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// hints requests hints from a player and holds the last one. Each request is a command, which runs in a
// goroutine. A new request or a new board cancels the previous request.
type hints struct {
	maker     catalog.Maker
	live      bool // request a hint for every board
	shown     bool
	number    int // number of the board on the screen; it grows with each change of the board
	requested int // number of the last board for which a hint was requested
	// decision is the last decision of the player. If current is true, it is about the board on the screen.
	// An older decision is shown faded until the new one arrives, so that the bars do not flicker.
	decision *player.Decision
	current  bool
	loading  bool // the player is loading a network
	err      error

	cancel context.CancelFunc // cancels the current request
	notify func(loading bool) // see player.WithNotice

	mu     sync.Mutex    // held while the player thinks, since it serves one board at a time
	driver player.Driver // the player is created for the first request
	seed   uint64
	game   uint64
}

// loadingMsg means that the player of the hints is loading a network (true), or that loading has finished
// (false).
type loadingMsg bool

// hintMsg is the player's decision on the board with this number.
type hintMsg struct {
	number   int
	decision player.Decision
	err      error
}

// ask cancels the previous request and returns a command that sends the player's decision on the game's board. If the
// command is cancelled, it sends nothing.
func (h *hints) ask(g *game.Game, seed, index uint64) tea.Cmd {
	h.stop()
	ctx, cancel := context.WithCancel(context.Background())
	h.cancel, h.requested = cancel, h.number
	ctx = player.WithNotice(ctx, h.notify)
	number, q := h.number, search.NewQuery(g.Board(), g.Score()).Exact()
	var sees search.Future // a copy of the coming spawns, because the game may change meanwhile
	sees.Random, sees.OK = g.Foresee()
	return func() tea.Msg {
		h.mu.Lock()
		defer h.mu.Unlock()
		if ctx.Err() != nil {
			return nil
		}
		d, err := h.think(ctx, q, sees, seed, index)
		if ctx.Err() != nil {
			return nil
		}
		return hintMsg{number, d, err}
	}
}

// think returns the player's decision. Only one goroutine at a time may call it.
func (h *hints) think(ctx context.Context, q search.Query, sees search.Future, seed, index uint64) (player.Decision, error) {
	if fresh := h.driver.Player == nil; fresh || h.seed != seed || h.game != index {
		if fresh {
			h.driver.Player = h.maker.New()
		}
		h.driver.Start(seed, index, nil)
		h.seed, h.game = seed, index
	}
	player.See(h.driver.Player, sees)
	return h.driver.Ask(ctx, q)
}

// stop cancels the current request.
func (h *hints) stop() {
	if h.cancel != nil {
		h.cancel()
	}
}

// close cancels the current request, waits for it and closes the player.
func (h *hints) close() error {
	h.stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.driver.Player == nil {
		return nil
	}
	return h.driver.Close()
}

// moved cancels the current request and invalidates the hint after the board has changed.
func (h *hints) moved() {
	h.stop()
	h.number++ // so that the result of a running request is discarded
	h.current, h.err = false, nil
	if !h.live {
		h.shown, h.decision = false, nil
	}
}

// handle handles the messages loadingMsg and hintMsg.
func (h *hints) handle(msg tea.Msg) {
	switch m := msg.(type) {
	case loadingMsg:
		h.loading = bool(m)
	case hintMsg:
		if m.number != h.number {
			return
		}
		h.err, h.decision, h.current = m.err, nil, true
		if m.err == nil {
			h.decision = &m.decision
		}
	}
}

// opinion returns the hint as a part of the panel. If idle is true, no decision is expected.
func (h *hints) opinion(t *theme, title string, idle bool) *opinion {
	o := &opinion{title: []para{{t.dim(), title, 0}}, bars: true, decision: h.decision, faded: !h.current}
	switch {
	case h.err != nil:
		o.brief = para{t.tinted(t.red), h.err.Error(), 0}
		o.lines = []para{{o.brief.style, o.brief.text, 3}}
		return o
	case idle:
	case !h.current:
		if o.brief = (para{t.dim(), "thinking", 0}); h.loading {
			o.brief.text = "loading the network"
		}
	default:
		o.brief = para{t.tinted(t.green), brief(h.decision, t), 0}
		o.effort = [][]string{append(effort(h.decision), numfmt.Duration(h.decision.Elapsed))}
		return o
	}
	o.lines = []para{{t.dim(), o.brief.text, 1}}
	return o
}

// effort returns the search depth and the number of nodes of a decision as texts.
func effort(d *player.Decision) (words []string) {
	if d.Plies > 0 {
		words = append(words, numfmt.Count(d.Plies, "ply", "plies"))
	}
	if d.Nodes > 0 {
		words = append(words, numfmt.Int(d.Nodes)+" nodes")
	}
	return words
}

// brief formats a decision as one line: the best move first, then the other legal moves.
func brief(d *player.Decision, t *theme) string {
	if d == nil || !d.OK {
		return ""
	}
	grades, graded := d.Grades()
	text := mark + d.Move.String()
	if !graded {
		text += " " + valueText(d, d.Move)
	}
	for _, dir := range board.Directions {
		if dir == d.Move || !d.Moves[dir].Legal {
			continue
		}
		value := verdict(d, dir, grades[dir])
		if given := grades[dir].LossText(); given != "" && !d.Moves[dir].Lost() {
			value += " " + given
		}
		text += "  " + dir.String() + " " + value
	}
	return text
}
