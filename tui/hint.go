package tui

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/advice/explain"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// hints requests hints from a player and holds the last one. Each request is a command, which runs in a
// goroutine. A new request or a new board cancels the previous request.
type hints struct {
	maker  catalog.Maker
	live   bool // request a hint for every board
	shown  bool
	number int // number of the board on the screen; it grows with each change of the board
	asked  int // number of the last board for which a hint was requested
	// decision is the last decision of the player. If current is true, it is about the board on the screen.
	// An older decision is shown faded until the new one arrives, so that the bars do not flicker.
	decision *player.Decision
	current  bool
	loading  bool // the player is loading a network
	err      error
	why      bool             // the reasons are shown
	reasons  *explain.Reasons // nil until they are computed

	cancel context.CancelFunc // cancels the current request
	notify func(loading bool) // see player.WithNotice; nil: no notices

	mu     sync.Mutex    // held while the player thinks, since it serves one board at a time
	driver player.Driver // the player is created for the first request
	seed   uint64
	game   uint64
}

// loadingMsg means that the player of the hints is loading a network (true), or that loading has finished
// (false).
type loadingMsg bool

// hintMsg is the answer to a request: the decision on the board with this number, and the reasons for it if
// they were requested.
type hintMsg struct {
	of       *hints
	number   int
	decision player.Decision
	reasons  *explain.Reasons
	err      error
}

// foresight returns a copy of the coming spawns in a game. A player with foresight reads the copy, because
// the game may change at the same time.
func foresight(g *game.Game) (sees search.Future) {
	sees.Random, sees.OK = g.Foresee()
	return sees
}

// request cancels the previous request and returns a command that calls answer and sends its result. If the
// command is cancelled, it sends nothing.
func (h *hints) request(answer func(ctx context.Context) hintMsg) tea.Cmd {
	h.stop()
	ctx, cancel := context.WithCancel(context.Background())
	h.cancel = cancel
	if h.notify != nil {
		ctx = player.WithNotice(ctx, h.notify)
	}
	number := h.number
	return func() tea.Msg {
		h.mu.Lock()
		defer h.mu.Unlock()
		if ctx.Err() != nil {
			return nil
		}
		m := answer(ctx)
		if m.of, m.number = h, number; ctx.Err() != nil {
			return nil
		}
		return m
	}
}

// ask returns a command that sends the player's decision on a board.
func (h *hints) ask(b board.Board, score int64, sees search.Future, seed, index uint64) tea.Cmd {
	h.asked = h.number
	return h.request(func(ctx context.Context) hintMsg {
		d, err := h.think(ctx, b, score, sees, seed, index)
		return hintMsg{decision: d, err: err}
	})
}

// think returns the player's decision on a board. Only one goroutine at a time may call it.
func (h *hints) think(ctx context.Context, b board.Board, score int64, sees search.Future, seed, index uint64) (player.Decision, error) {
	if fresh := h.driver.Player == nil; fresh || h.seed != seed || h.game != index {
		if fresh {
			h.driver.Player = h.maker.New()
		}
		h.driver.Start(seed, index, nil)
		h.seed, h.game = seed, index
	}
	player.See(h.driver.Player, sees)
	return h.driver.Ask(ctx, search.NewQuery(b, score).Exact())
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
	h.current, h.err, h.why, h.reasons = false, nil, false, nil
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
		if m.of != h || m.number != h.number || m.reasons != nil && !h.why {
			return
		}
		if m.reasons != nil {
			h.reasons, h.shown, h.asked = m.reasons, true, m.number
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
	text := t.mark() + d.Move.String()
	if !graded {
		text += " " + valueText(d, d.Move)
	}
	for _, dir := range board.Directions {
		if dir == d.Move || !d.Moves[dir].Legal {
			continue
		}
		value := verdict(d, dir, grades[dir])
		if given := grades[dir].Given(); given != "" && !d.Moves[dir].Lost() {
			value += " " + given
		}
		text += "  " + dir.String() + " " + value
	}
	return text
}

// whyTime is the time limit for computing the reasons.
const whyTime = time.Second

// explain returns a command that computes the reasons for the player's move and sends them.
func (h *hints) explain(g *game.Game, p4 float64) tea.Cmd {
	q, o := search.NewQuery(g.Board(), g.Score()), explain.Options{Time: whyTime, P4: p4, Oracle: foresight(g)}
	return h.request(func(ctx context.Context) hintMsg {
		r, err := explain.Explain(ctx, h.maker, q, o)
		return hintMsg{decision: r.Decision, reasons: &r, err: err}
	})
}

// whyLines formats the reasons as a table with one line per move, followed by the expected line of play and
// the evaluator's terms. Without reasons, it returns a message instead.
func (h *hints) whyLines(t *theme, width, height int) []string {
	r, text := h.reasons, "loading the network"
	switch {
	case r != nil && h.err != nil:
		text = h.err.Error()
	case r == nil && !h.loading:
		text = h.maker.Spec + " is thinking"
	}
	if r == nil || h.err != nil {
		return append([]string{"Why?", ""}, wrap(text, width)...)
	}
	wide := width >= whyWide
	lines := append(wrap(fmt.Sprintf("Why %v? %s", r.Decision.Move, h.maker.Spec), width), "")
	lines = append(append(lines, tableLines(whyTable(r, t, wide))...), "")
	switch {
	case r.Decision.Unvalued():
		text = "no games were played on: there is no other move"
	case r.Odds.Games == 0:
		text = "no games were played on: the player is too slow"
	default:
		text = fmt.Sprintf("shares of %s games after each move", numfmt.Int(int64(r.Odds.Games)))
		if wide {
			text += ", with 95 % intervals"
		}
	}
	lines = append(lines, wrap(text, width)...)
	if len(r.Line) > 0 {
		lines = append(lines, wrap("expected line: "+r.Expected(), width)...)
	}
	if !wide {
		return lines
	}
	return append(lines, parts(r, height-len(lines)-2)...)
}

// whyWide is the width from which the table has losses, intervals and terms; a narrower table has only values and
// shares.
const whyWide = 56

func whyTable(r *explain.Reasons, t *theme, wide bool) *table.Table {
	next := fmt.Sprint(board.Tile(r.Odds.Goal()))
	tab := table.New(table.Words(""), table.Number("value"), table.Number("lost"), table.Number(next))
	if wide {
		tab = table.New(table.Words(""), table.Number("value"), table.Number("loss"), table.Words("lost within"), table.Words("reaches "+next))
		within := ""
		if r.Odds.Horizon > 0 {
			within = "in " + moveCount(r.Odds.Horizon)
		}
		tab.Add("", "", "", moveCount(explain.Horizon), within)
	}
	grades, _ := r.Decision.Grades()
	for _, d := range board.Directions {
		cells := []string{"  " + d.String(), valueText(&r.Decision, d)}
		if d == r.Decision.Move {
			cells[0] = t.mark() + d.String()
		}
		if wide {
			cells = append(cells, lossText(&r.Decision, d, grades[d]))
		}
		shares := []string{"", ""}
		if r.Decision.Moves[d].Legal && r.Odds.Games > 0 {
			dead, deadly := r.Odds.SoonOver(d)
			reach, reached, _ := r.Odds.Chance(d, r.Odds.Goal())
			shares = []string{numfmt.Percent(dead), numfmt.Percent(reach)}
			if wide {
				shares = []string{shares[0] + " " + numfmt.Percents(deadly.Low, deadly.High), shares[1] + " " + numfmt.Percents(reached.Low, reached.High)}
			}
		}
		tab.Add(append(cells, shares...)...)
	}
	return tab
}

// tableLines returns a table as lines.
func tableLines(t *table.Table) []string {
	return strings.Split(strings.TrimSuffix(t.Text(math.MaxInt), "\n"), "\n")
}

// parts formats the evaluator's terms for the board after each move: as many terms as fit into room lines.
func parts(r *explain.Reasons, room int) []string {
	tab := table.New(table.Words("terms after"))
	var terms []eval.Part
	for d, parts := range r.Terms {
		tab.Columns = append(tab.Columns, table.Number(board.Direction(d).String()))
		if len(parts) > 0 {
			terms = parts
		}
	}
	if len(terms) == 0 || room < 3 {
		return nil
	}
	for i, term := range terms[:min(len(terms), room-2)] {
		cells := []string{cut(term.Name, 14)}
		for _, parts := range r.Terms {
			value := "-"
			if i < len(parts) {
				value = numfmt.Short(parts[i].Value)
			}
			cells = append(cells, value)
		}
		tab.Add(cells...)
	}
	return append([]string{""}, tableLines(tab)...)
}
