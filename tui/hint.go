package tui

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"

	"afterstate/board"
	"afterstate/game"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/search"
)

// hintPlayer asks a player for hints. Each question is a command of its own, that is
// a goroutine; a new question or a new board cancels the one before.
type hintPlayer struct {
	maker  catalog.Maker
	cancel context.CancelFunc // of the question in the air

	mu     sync.Mutex    // held while the player thinks: it takes one board at a time
	driver player.Driver // without a player until the first question
	seed   uint64
	game   uint64
}

// hintMsg is the answer about board number so-and-so.
type hintMsg struct {
	number   int
	decision player.Decision
	err      error
}

// ask has the player look at the board as it stands, by a command.
func (a *hintPlayer) ask(number int, g *game.Game, seed, index uint64) tea.Cmd {
	a.stop()
	ctx, cancel := context.WithCancel(context.Background())
	a.cancel = cancel
	q := search.NewQuery(g.Board(), g.Score()).Exact()
	var sees search.Future // a player that foresees must not read the game while it goes on
	sees.Random, sees.OK = g.Foresee()
	return func() tea.Msg {
		d, err := a.think(ctx, q, sees, seed, index)
		if ctx.Err() != nil {
			return nil
		}
		return hintMsg{number, d, err}
	}
}

func (a *hintPlayer) think(ctx context.Context, q search.Query, sees search.Future, seed, index uint64) (player.Decision, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ctx.Err() != nil {
		return player.Decision{}, ctx.Err()
	}
	if fresh := a.driver.Player == nil; fresh || a.seed != seed || a.game != index {
		if fresh {
			a.driver.Player = a.maker.New()
		}
		a.driver.Start(seed, index, nil)
		a.seed, a.game = seed, index
	}
	player.See(a.driver.Player, sees)
	return a.driver.Ask(ctx, q)
}

// stop cancels the question in the air.
func (a *hintPlayer) stop() {
	if a.cancel != nil {
		a.cancel()
		a.cancel = nil
	}
}

// close waits for the player to stop and closes it where it wants that.
func (a *hintPlayer) close() error {
	a.stop()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.driver.Player == nil {
		return nil
	}
	err := a.driver.Close()
	a.driver.Player = nil
	return err
}

// hint is what the screen knows about the player's opinion.
type hint struct {
	live   bool // for every board
	shown  bool
	number int // of the board
	asked  int // the last board that was asked about
	// decision is the last answer; current tells whether it is about the board on
	// the screen. The old one stays, faded, until the new one is there, so that
	// the bars do not flicker.
	decision *player.Decision
	current  bool
	err      error
}

// moved notes that the board is another one.
func (h *hint) moved() {
	h.number++ // an answer under way is void
	h.current, h.err = false, nil
	if !h.live {
		h.shown, h.decision = false, nil
	}
}

func (h *hint) take(m hintMsg) {
	if m.number != h.number {
		return
	}
	h.err = m.err
	h.decision, h.current = nil, true
	if m.err == nil {
		h.decision = &m.decision
	}
}

// brief is a decision in one line: the best move first, then the others.
func brief(d *player.Decision, t *theme) string {
	if d == nil || !d.OK {
		return ""
	}
	value, _ := valueText(d, d.Move)
	text := t.mark() + d.Move.String() + " " + value
	for _, dir := range board.Directions {
		if value, _ := valueText(d, dir); dir != d.Move && d.Moves[dir].Legal {
			text += "  " + dir.String() + " " + value
		}
	}
	return text
}
