package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// mistake is a bad move on a board, and a better move to compare it with.
type mistake struct {
	board            board.Board
	played, better   board.Direction
	after, afterBest board.Board // afterstates of played and better
	p4               float64     // probability of a 4
}

// Why describes what a move gives away that a better move keeps. It only compares the afterstates of both moves, so it is
// true whatever the judge's values are. Both are legal. Why assumes random new tiles, a 4 with probability p4. It returns nil if
// it finds no such difference.
func Why(b board.Board, played, better board.Direction, p4 float64) *protocol.Reason {
	m := mistake{board: b, played: played, better: better, p4: p4}
	m.after, _, _ = b.Slide(played)
	m.afterBest, _, _ = b.Slide(better)
	if played == better {
		return nil
	}
	for _, why := range []func(*mistake) *protocol.Reason{
		(*mistake).ends, (*mistake).leavesCorner, (*mistake).opensEdge, (*mistake).traps,
		(*mistake).missesMerge, (*mistake).parts, (*mistake).fills, (*mistake).keepsFewer,
	} {
		if r := why(&m); r != nil {
			return r
		}
	}
	return nil
}

// reason returns a sentence with holes for the move and the better one, and for values: names, each followed by its value.
func (m *mistake) reason(text string, values ...any) *protocol.Reason {
	r := &protocol.Reason{Text: text, Values: map[string]string{"played": m.played.String(), "better": m.better.String()}}
	for i := 0; i < len(values); i += 2 {
		r.Values[fmt.Sprint(values[i])] = fmt.Sprint(values[i+1])
	}
	return r
}

// written returns reasons as English text.
func written(all []protocol.Reason) string {
	return strings.Join(each.Of(all, func(r protocol.Reason) string {
		text := r.Text
		for name, value := range r.Values {
			text = strings.ReplaceAll(text, "{"+name+"}", value)
		}
		return strings.ToUpper(text[:1]) + text[1:]
	}), " ")
}

// Each of the following methods of mistake describes one reason why the move is bad, or returns nil if the reason does
// not apply. A condition that names no board refers to the board after the move.

// ends applies if the next tile is more likely to end the game after the move than after the better move.
func (m *mistake) ends() *protocol.Reason {
	p, q := m.lost(&m.after), m.lost(&m.afterBest)
	if p <= q {
		return nil
	}
	return m.reason("After {played} the new tile ends the game with a chance of {share}, after {better} with {other}.", "share", percentage(p), "other", percentage(q))
}

// percentage formats a share as a percentage with at most three significant digits.
func percentage(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }

// lost returns the chance that no move is legal after the spawn on an afterstate.
func (m *mistake) lost(after *board.Board) (chance float64) {
	if after.Empty() != 1 {
		return 0 // with more empty cells, a cell stays empty, so a move is legal
	}
	for exponent, q := range map[uint8]float64{1: 1 - m.p4, 2: m.p4} {
		b := *after
		if b.PlaceNth(0, exponent); b.Terminal() {
			chance += q
		}
	}
	return chance
}

// leavesCorner applies if the largest tile, of which there is only one, is in a corner before the move and after the
// better move, but not after the move.
func (m *mistake) leavesCorner() *protocol.Reason {
	top := m.board.Largest()
	if !m.keepsLargest() || len(cornered(&m.board, top)) == 0 || len(cornered(&m.after, top)) > 0 || len(cornered(&m.afterBest, top)) == 0 {
		return nil
	}
	return m.reason("{played} takes the {tile}, the largest tile, out of the corner.", "tile", board.Tile(top))
}

// keepsLargest reports whether the largest tile is unique and stays the only largest tile after both moves.
func (m *mistake) keepsLargest() bool {
	all := line{step: 1, n: m.board.Size().Cells()}
	alone := func(b *board.Board) bool {
		return b.Largest() == m.board.Largest() && all.count(b, b.Largest()) == 1
	}
	return alone(&m.board) && alone(&m.after) && alone(&m.afterBest)
}

// cornered returns the corner cells that hold a tile with the given exponent.
func cornered(b *board.Board, exponent uint8) []int {
	s := b.Size()
	last := s.Cells() - 1
	return slices.DeleteFunc([]int{0, s.Cols - 1, last - s.Cols + 1, last}, func(cell int) bool { return b.Cell(cell) != exponent })
}

// line is n cells of a board: from, from+step and so on.
type line struct {
	name          string
	from, step, n int
}

// edges returns the rows and columns along the sides of the board that have the largest tile at one end.
func edges(b *board.Board) (all []line) {
	s := b.Size()
	corners := cornered(b, b.Largest())
	for _, l := range []line{
		{"top row", 0, 1, s.Cols}, {"bottom row", s.Cells() - s.Cols, 1, s.Cols},
		{"left column", 0, s.Cols, s.Rows}, {"right column", s.Cols - 1, s.Cols, s.Rows},
	} {
		if slices.Contains(corners, l.from) || slices.Contains(corners, l.from+(l.n-1)*l.step) {
			all = append(all, l)
		}
	}
	return all
}

// count returns how many of the cells hold a tile with the given exponent.
func (l *line) count(b *board.Board, exponent uint8) (n int) {
	for i := range l.n {
		if b.Cell(l.from+i*l.step) == exponent {
			n++
		}
	}
	return n
}

// room returns the chance that the new tile lands in the line.
func (l *line) room(b *board.Board) float64 {
	return float64(l.count(b, 0)) / float64(max(1, b.Empty()))
}

// minRoom is the minimum chance that the new tile lands in the opened line, for opensEdge to apply.
const minRoom = 0.25

// opensEdge applies if the move makes room for the new tile in a full line along an edge that has the largest tile
// in its corner. The better move must leave no more room in any such line, and must not open a full one.
func (m *mistake) opensEdge() *protocol.Reason {
	if !m.keepsLargest() {
		return nil
	}
	lines := edges(&m.board)
	for _, e := range lines {
		room := e.room(&m.after)
		if along := m.played == board.Left || m.played == board.Right; along == strings.HasSuffix(e.name, "row") {
			continue // the room comes from a merge in the line itself
		}
		if e.room(&m.board) > 0 || room < minRoom || slices.ContainsFunc(lines, func(e line) bool {
			return e.room(&m.afterBest) > e.room(&m.after) || e.room(&m.afterBest) > 0 && e.room(&m.board) == 0
		}) {
			continue
		}
		return m.reason("{played} opens the {edge}, which has the {tile} in its corner: the new tile lands there with a chance of {share}.",
			"edge", e.name, "tile", board.Tile(m.board.Largest()), "share", percentage(room))
	}
	return nil
}

// trapLimit is the minimum difference of exponents between a trapped tile and its neighbours, which are
// therefore at least 8 times as large.
const trapLimit = 3

// traps applies if a tile of at most 16 has only neighbours that are at least 8 times as large. Before the move and
// after the better move, no tile of at most its size may have only neighbours that are at least 4 times as large.
func (m *mistake) traps() *protocol.Reason {
	for cell := range m.after.Size().Cells() {
		e := m.after.Cell(cell)
		if e == 0 || e > 4 || !below(&m.after, cell, trapLimit) || anyBelow(&m.board, e) || anyBelow(&m.afterBest, e) {
			continue
		}
		if m.afterBest.Cell(cell) == e && !slices.ContainsFunc(neighbours(m.board.Size(), cell), func(n int) bool { return m.afterBest.Cell(n) != 0 && m.afterBest.Cell(n) < e+trapLimit }) {
			continue // after the better move, the tile is walled in too, except for an empty cell beside it
		}
		beside := each.Of(neighbours(m.after.Size(), cell), func(n int) string { return fmt.Sprint(board.Tile(m.after.Cell(n))) })
		cols := m.after.Size().Cols
		return m.reason("After {played} the {tile} in row {row}, column {column} is walled in by {tiles}.",
			"tile", board.Tile(e), "row", cell/cols+1, "column", cell%cols+1, "tiles", strings.Join(beside, ", "))
	}
	return nil
}

// anyBelow reports whether a tile with at most the given exponent has only neighbours that are at least 4
// times as large.
func anyBelow(b *board.Board, exponent uint8) bool {
	for cell := range b.Size().Cells() {
		if e := b.Cell(cell); e != 0 && e <= exponent && below(b, cell, 2) {
			return true
		}
	}
	return false
}

// below reports whether the exponents of all neighbours of a tile exceed its own exponent by the
// given amount or more.
func below(b *board.Board, cell int, by uint8) bool {
	return !slices.ContainsFunc(neighbours(b.Size(), cell), func(n int) bool { return b.Cell(n) < b.Cell(cell)+by })
}

// neighbours returns the cells beside a cell.
func neighbours(s board.Size, cell int) (all []int) {
	row, col := cell/s.Cols, cell%s.Cols
	for _, at := range [][2]int{{row - 1, col}, {row, col + 1}, {row + 1, col}, {row, col - 1}} {
		if at[0] >= 0 && at[0] < s.Rows && at[1] >= 0 && at[1] < s.Cols {
			all = append(all, at[0]*s.Cols+at[1])
		}
	}
	return all
}

// missesMerge applies if the better move merges two equal tiles of 8 or more, the played move does not, and no slide
// of the played move's afterstate does.
func (m *mistake) missesMerge() *protocol.Reason {
	for e := m.board.Largest(); e >= 3; e-- {
		if merges(&m.board, m.better, e) && !merges(&m.board, m.played, e) && !slices.ContainsFunc(board.Directions[:], func(d board.Direction) bool { return merges(&m.after, d, e) }) {
			return m.reason("{better} merges two {tile}s; after {played} no two {tile}s can merge on the next move.", "tile", board.Tile(e))
		}
	}
	return nil
}

// merges reports whether a move merges two tiles with the given exponent.
func merges(b *board.Board, d board.Direction, exponent uint8) bool {
	return slices.ContainsFunc(b.Motions(d), func(m board.Motion) bool { return m.Merged && b.Cell(m.From) == exponent })
}

// parts applies if no equal tiles touch after the move, but two equal tiles touch after the better move, and the move
// did not merge tiles of that value.
func (m *mistake) parts() *protocol.Reason {
	better := touching(&m.afterBest)
	if len(touching(&m.after)) > 0 || len(better) == 0 || merges(&m.board, m.played, slices.Max(better)) {
		return nil
	}
	return m.reason("After {played} no equal tiles touch, after {better} two {tile}s do.", "tile", board.Tile(slices.Max(better)))
}

// touching returns the exponent of each pair of equal tiles that touch.
func touching(b *board.Board) (pairs []uint8) {
	for cell := range b.Size().Cells() {
		for _, n := range neighbours(b.Size(), cell) {
			if e := b.Cell(cell); e != 0 && n > cell && b.Cell(n) == e {
				pairs = append(pairs, e)
			}
		}
	}
	return pairs
}

// fills applies if at most five cells are empty after the move, and at least two more after the better move. If at
// most three cells are empty, one more is enough.
func (m *mistake) fills() *protocol.Reason {
	n, better := m.after.Empty(), m.afterBest.Empty()
	if n > 5 || better <= n || better-n < 2 && n > 3 {
		return nil
	}
	return m.reason("Empty cells: {n} after {played}, {other} after {better}.", "n", n, "other", better)
}

// keepsFewer applies if fewer pairs of equal tiles touch after the move than after the better move, and the better
// move merges at least as many tiles.
func (m *mistake) keepsFewer() *protocol.Reason {
	n, better := len(touching(&m.after)), len(touching(&m.afterBest))
	if n >= better || m.afterBest.Empty() < m.after.Empty() {
		return nil
	}
	return m.reason("Pairs of equal tiles that touch: {n} after {played}, {other} after {better}.", "n", n, "other", better)
}
