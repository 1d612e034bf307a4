package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/rules/board"
)

// mistake is a bad move on a board, and a better move to compare it with.
type mistake struct {
	board            board.Board
	played, better   board.Direction
	after, afterBest board.Board // afterstates of played and better
	p4               float64     // probability of a 4
}

// Why describes in a sentence what a move gives away that a better move keeps. It only compares the afterstates of both
// moves, so the sentence is true whatever the judge's values are. Why assumes random new tiles, a 4 with probability
// p4. It returns "" if it finds no such difference.
func Why(b board.Board, played, better board.Direction, p4 float64) string {
	m := mistake{board: b, played: played, better: better, p4: p4}
	var moved, also bool
	m.after, _, moved = b.Slide(played)
	m.afterBest, _, also = b.Slide(better)
	if !moved || !also || played == better {
		return ""
	}
	for _, reason := range []func(*mistake) string{
		(*mistake).ends, (*mistake).leavesCorner, (*mistake).opensEdge, (*mistake).traps,
		(*mistake).missesMerge, (*mistake).parts, (*mistake).fills, (*mistake).keepsFewer,
	} {
		if text := reason(&m); text != "" {
			return strings.ToUpper(text[:1]) + text[1:] + "."
		}
	}
	return ""
}

// Each of the following methods of mistake describes one reason why the move is bad, or returns "" if the reason does
// not apply. A condition that names no board refers to the board after the move.

// ends applies if the next tile is more likely to end the game after the move than after the better move.
func (m *mistake) ends() string {
	p, q := m.lost(&m.after), m.lost(&m.afterBest)
	if p <= q {
		return ""
	}
	return fmt.Sprintf("after %v the new tile ends the game with a chance of %s, after %v with %s", m.played, percentage(p), m.better, percentage(q))
}

// percentage formats a share as a percentage with at most three significant digits.
func percentage(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }

// lost returns the chance that no move is legal after the spawn on an afterstate.
func (m *mistake) lost(after *board.Board) (chance float64) {
	if after.Empty() != 1 {
		return 0 // with more empty cells, a cell stays empty, so a move is legal
	}
	for cell := range after.Size().Cells() {
		for exponent, q := range [...]float64{1: 1 - m.p4, 2: m.p4} {
			if b := *after; exponent > 0 && after.Cell(cell) == 0 {
				if b.Set(cell, uint8(exponent)); b.Terminal() {
					chance += q
				}
			}
		}
	}
	return chance
}

// leavesCorner applies if the largest tile, of which there is only one, is in a corner before the move and after the
// better move, but not after the move.
func (m *mistake) leavesCorner() string {
	top := m.board.Largest()
	if !m.keepsLargest() || len(cornered(&m.board, top)) == 0 || len(cornered(&m.after, top)) > 0 || len(cornered(&m.afterBest, top)) == 0 {
		return ""
	}
	return fmt.Sprintf("%v takes the %d, the largest tile, out of the corner", m.played, board.Tile(top))
}

// keepsLargest reports whether the largest tile is unique and stays the only largest tile after both moves.
func (m *mistake) keepsLargest() bool {
	top := m.board.Largest()
	alone := func(b *board.Board) bool {
		n := 0
		for cell := range b.Size().Cells() {
			if b.Cell(cell) == top {
				n++
			}
		}
		return n == 1
	}
	return alone(&m.board) && alone(&m.after) && alone(&m.afterBest) && m.after.Largest() == top && m.afterBest.Largest() == top
}

// cornered returns the corner cells that hold a tile with the given exponent.
func cornered(b *board.Board, exponent uint8) []int {
	s := b.Size()
	last := s.Cells() - 1
	return slices.DeleteFunc([]int{0, s.Cols - 1, last - s.Cols + 1, last}, func(cell int) bool { return b.Cell(cell) != exponent })
}

// edge is the row or column of cells along one side of the board.
type edge struct {
	name  string
	cells []int
}

// edges returns the rows and columns along the sides of the board that have the largest tile at one end.
func edges(b *board.Board) (all []edge) {
	s := b.Size()
	var top, bottom, left, right []int
	for c := range s.Cols {
		top, bottom = append(top, c), append(bottom, (s.Rows-1)*s.Cols+c)
	}
	for r := range s.Rows {
		left, right = append(left, r*s.Cols), append(right, (r+1)*s.Cols-1)
	}
	corners := cornered(b, b.Largest())
	for _, e := range []edge{{"top row", top}, {"bottom row", bottom}, {"left column", left}, {"right column", right}} {
		if slices.Contains(corners, e.cells[0]) || slices.Contains(corners, e.cells[len(e.cells)-1]) {
			all = append(all, e)
		}
	}
	return all
}

// room returns the chance that the new tile lands in the row or column e.
func (e *edge) room(b *board.Board) float64 {
	n := 0
	for _, cell := range e.cells {
		if b.Cell(cell) == 0 {
			n++
		}
	}
	return float64(n) / float64(max(1, b.Empty()))
}

// minRoom is the minimum chance that the new tile lands in the opened line, for opensEdge to apply.
const minRoom = 0.25

// opensEdge applies if the move makes room for the new tile in a full line along an edge that has the largest tile
// in its corner. The better move must leave no more room in any such line, and must not open a full one.
func (m *mistake) opensEdge() string {
	if !m.keepsLargest() {
		return ""
	}
	lines := edges(&m.board)
	for _, e := range lines {
		room := e.room(&m.after)
		if along := m.played == board.Left || m.played == board.Right; along == strings.HasSuffix(e.name, "row") {
			continue // the room comes from a merge in the line itself
		}
		if e.room(&m.board) > 0 || room < minRoom || slices.ContainsFunc(lines, func(e edge) bool {
			return e.room(&m.afterBest) > e.room(&m.after) || e.room(&m.afterBest) > 0 && e.room(&m.board) == 0
		}) {
			continue
		}
		_, line, _ := strings.Cut(e.name, " ")
		return fmt.Sprintf("%v opens the %s, which has the %d in its corner: the new tile lands in that %s with a chance of %s", m.played, e.name, board.Tile(m.board.Largest()), line, percentage(room))
	}
	return ""
}

// trapLimit is the minimum difference of exponents between a trapped tile and its neighbours, which are
// therefore at least 8 times as large.
const trapLimit = 3

// traps applies if a tile of at most 16 has only neighbours that are at least 8 times as large. Before the move and
// after the better move, no tile of at most its size may have only neighbours that are at least 4 times as large.
func (m *mistake) traps() string {
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
		return fmt.Sprintf("after %v the %d in row %d, column %d is walled in by %s", m.played, board.Tile(e), cell/cols+1, cell%cols+1, list(beside))
	}
	return ""
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

func list(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// missesMerge applies if the better move merges two equal tiles of 8 or more, the played move does not, and no slide
// of the played move's afterstate does.
func (m *mistake) missesMerge() string {
	for e := m.board.Largest(); e >= 3; e-- {
		if merges(&m.board, m.better, e) && !merges(&m.board, m.played, e) && !slices.ContainsFunc(board.Directions[:], func(d board.Direction) bool { return merges(&m.after, d, e) }) {
			return fmt.Sprintf("%v merges two %ds; after %v no two %ds can merge on the next move", m.better, board.Tile(e), m.played, board.Tile(e))
		}
	}
	return ""
}

// merges reports whether a move merges two tiles with the given exponent.
func merges(b *board.Board, d board.Direction, exponent uint8) bool {
	return slices.ContainsFunc(b.Motions(d), func(m board.Motion) bool { return m.Merged && b.Cell(m.From) == exponent })
}

// parts applies if no equal tiles touch after the move, but two equal tiles touch after the better move, and the move
// did not merge tiles of that value.
func (m *mistake) parts() string {
	better := touching(&m.afterBest)
	if len(touching(&m.after)) > 0 || len(better) == 0 || merges(&m.board, m.played, slices.Max(better)) {
		return ""
	}
	return fmt.Sprintf("after %v no equal tiles touch, after %v two %ds do", m.played, m.better, board.Tile(slices.Max(better)))
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
func (m *mistake) fills() string {
	n, better := m.after.Empty(), m.afterBest.Empty()
	if n > 5 || better <= n || better-n < 2 && n > 3 {
		return ""
	}
	return fmt.Sprintf("%v leaves %s empty, %v leaves %d", m.played, numfmt.Count(n, "cell", "cells"), m.better, better)
}

// keepsFewer applies if fewer pairs of equal tiles touch after the move than after the better move, and the better
// move merges at least as many tiles.
func (m *mistake) keepsFewer() string {
	n, better := len(touching(&m.after)), len(touching(&m.afterBest))
	if n >= better || m.afterBest.Empty() < m.after.Empty() {
		return ""
	}
	touch := numfmt.Count(n, "pair of equal tiles touches", "pairs of equal tiles touch")
	return fmt.Sprintf("after %v %s, after %v %d", m.played, touch, m.better, better)
}
