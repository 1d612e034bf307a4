package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"time"

	"afterstate/board"
	"afterstate/explain"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/search"
	"afterstate/search/draw"
	"afterstate/wire"
)

// maker returns the maker of a spec in a request about a single board.
func (h *Host) maker(method, spec string) (catalog.Maker, error) {
	if spec == "" {
		return h.o.Player, nil
	}
	m, err := catalog.Parse(spec, h.o.Capabilities)
	if err == nil && m.Foresees {
		err = fmt.Errorf("%s knows the coming spawns, which a single board does not determine: want another player", m.Spec)
	}
	if err != nil {
		return m, invalid(method, "player", err)
	}
	return m, nil
}

func (c *Client) explain(ctx context.Context, params []byte) (any, error) {
	var p wire.Explain
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	m, err := c.host.maker(wire.MethodExplain, p.Player)
	if err != nil {
		return nil, err
	}
	// A slot for a search is one processor.
	o := explain.Options{Time: time.Duration(p.TimeMS * float64(time.Millisecond)), Workers: 1}
	r, err := explain.Explain(ctx, m, search.NewQuery(p.Board, p.Score), o)
	if err != nil {
		return nil, err
	}
	return r.Wire(), nil
}

// defaultBoards is the default limit of the boards in a tree.
const defaultBoards = 500

func (c *Client) tree(ctx context.Context, params []byte) (any, error) {
	var p wire.DrawTree
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	m, err := c.host.maker(wire.MethodTree, p.Player)
	if err != nil {
		return nil, err
	}
	d := player.Driver{Player: m.New()}
	defer d.Close()
	d.Start(0, 0, nil)
	searcher, err := catalog.AsSearcher(d.Player, m.Spec)
	if err != nil {
		return nil, invalid(wire.MethodTree, "player", err)
	}
	if p.Boards == 0 {
		p.Boards = defaultBoards
	}
	q := search.NewQuery(p.Board, p.Score).Exact()
	answer, tree, err := searcher.Tree(ctx, q, search.TreeOptions{Depth: p.Depth, Width: p.Width, Boards: p.Boards})
	switch {
	case errors.Is(err, search.ErrTreeTooLarge):
		return nil, invalid(wire.MethodTree, "player", err)
	case err != nil:
		return nil, err
	}
	picture := &draw.Picture{Tree: tree, Player: m.Spec, Unit: answer.Unit, Source: answer.Source}
	if m.Evaluator != nil && !p.Board.Terminal() {
		picture.Evaluator, _ = m.Evaluator(p.Board.Size())
	}
	if p.Format == "svg" {
		var out bytes.Buffer
		err := picture.WriteSVG(&out)
		return wire.TreePicture{SVG: out.String()}, err
	}
	return picture.Wire(), nil
}

func (c *Client) parseBoard(_ context.Context, params []byte) (any, error) {
	var p wire.ParseBoard
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	parsed := wire.ParsedBoard{}
	var err error
	if text := unquoted(strings.TrimSpace(p.Text)); strings.HasPrefix(text, "{") {
		parsed.Board, parsed.Score, err = originalState(text)
	} else {
		parsed.Board, err = board.Parse(text)
	}
	if err != nil {
		return nil, invalid(wire.MethodParse, "text", err)
	}
	parsed.Text = parsed.Board.String()
	return parsed, nil
}

// unquoted removes the quotes that a browser's console puts around a string.
func unquoted(text string) string {
	var inner string
	switch {
	case strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &inner) == nil:
		return strings.TrimSpace(inner)
	case len(text) > 1 && text[0] == '\'' && text[len(text)-1] == '\'':
		return strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// originalState reads the gameState that the original page keeps in local storage, whose cells are
// column-major.
func originalState(text string) (board.Board, *int64, error) {
	type cell struct {
		Value int64 `json:"value"`
	}
	var state struct {
		Grid struct {
			Size  int       `json:"size"`
			Cells [][]*cell `json:"cells"`
		} `json:"grid"`
		Score int64 `json:"score"`
	}
	wrong := func(format string, args ...any) (board.Board, *int64, error) {
		return board.Board{}, nil, fmt.Errorf(`the original page's state: `+format, args...)
	}
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		return wrong(`%v: want {"grid":{"size":4,"cells":[...]},"score":0}`, err)
	}
	size := board.Size{Rows: state.Grid.Size, Cols: state.Grid.Size}
	if !size.Valid() {
		return wrong("size %d: want %d to %d", state.Grid.Size, board.MinSide, board.MaxSide)
	}
	if state.Score < 0 {
		return wrong("score %d: want 0 or more", state.Score)
	}
	if len(state.Grid.Cells) != size.Cols {
		return wrong("%d columns: want %d", len(state.Grid.Cells), size.Cols)
	}
	b := board.New(size)
	for x, column := range state.Grid.Cells {
		if len(column) != size.Rows {
			return wrong("column %d has %d cells: want %d", x+1, len(column), size.Rows)
		}
		for y, c := range column {
			switch {
			case c == nil:
			case c.Value < 2 || c.Value > 1<<board.MaxExponent || c.Value&(c.Value-1) != 0:
				return wrong("column %d, cell %d: %d is not a tile", x+1, y+1, c.Value)
			default:
				b.Set(y*size.Cols+x, uint8(bits.TrailingZeros64(uint64(c.Value))))
			}
		}
	}
	return b, &state.Score, nil
}
