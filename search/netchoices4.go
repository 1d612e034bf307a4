package search

import (
	"math"

	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// netChoice is a post-spawn board of the tree whose moves are searched further.
type netChoice struct {
	after [4]bitboard.Afterstate // with the rewards of the board's view
	// leaves are the same moves on the view; the network values these boards equally.
	leaves [4]bitboard.Afterstate
}

// netChoices are the post-spawn boards of one afterstate: a 2 and a 4 on each empty cell.
type netChoices [32]netChoice

// afterstates makes all moves on a board. With a network of points the rewards are those of its view, otherwise 0.
func (w *searcher4) afterstates(b bitboard.Board, after *[4]bitboard.Afterstate) {
	b.Afterstates(after)
	if w.net == nil || w.net.chances {
		noRewards(after)
		return
	}
	if view := w.net.net.DowngradeBoard(b); view != b {
		var seen [4]bitboard.Afterstate
		view.Afterstates(&seen)
		for d := range after {
			after[d].Reward = seen[d].Reward
		}
	}
}

// prunesMoves reports whether pruneMargin applies to the moves on a post-spawn board.
func (w *searcher4) prunesMoves(plies int, q float64) bool {
	return w.pruneMargin > 0 && plies > 1 && q >= w.minProb
}

// netSpawns sums the values of the spawns on b with a network, over 2s with twos and over 4s with fours.
//
// It makes the moves of all of them first. Where pruneMargin needs their values by the network,
// these are evaluated together, so that reads of memory overlap, and the entries of the table that
// will be looked up are touched.
func (w *searcher4) netSpawns(b bitboard.Board, free uint64, plies int, q2, q4 float64, twos, fours bool) (sum2, sum4 float64) {
	choices := w.makeChoices(b, free, plies, twos && w.prunesMoves(plies, q2), fours && w.prunesMoves(plies, q4), twos, fours)
	for f := free; f != 0; f &= f - 1 {
		if twos {
			sum2 += w.bestOf(&choices[0].after, plies, q2)
			choices = choices[1:]
		}
		if fours {
			sum4 += w.bestOf(&choices[0].after, plies, q4)
			choices = choices[1:]
		}
	}
	return sum2, sum4
}

// makeChoices makes the moves of the spawns on b, by cell, the 2 before the 4. It prunes those of
// 2s with prune2 and those of 4s with prune4.
func (w *searcher4) makeChoices(b bitboard.Board, free uint64, plies int, prune2, prune4, twos, fours bool) []netChoice {
	for len(w.choices) <= plies {
		w.choices = append(w.choices, new(netChoices))
	}
	choices := w.choices[plies][:0]
	view2, limit2 := w.net.viewSpawn(b, 1)
	view4, limit4 := w.net.viewSpawn(b, 2)
	for f := free; f != 0; f &= f - 1 {
		tile := bitboard.Board(f & -f)
		if twos {
			choices = choices[:len(choices)+1]
			c := &choices[len(choices)-1]
			if c.make(w.net, b|tile, view2|tile, limit2); prune2 {
				w.net.push(&c.leaves, &w.net.rated)
			}
		}
		if tile <<= 1; fours {
			choices = choices[:len(choices)+1]
			c := &choices[len(choices)-1]
			if c.make(w.net, b|tile, view4|tile, limit4); prune4 {
				w.net.push(&c.leaves, &w.net.rated)
			}
		}
	}
	w.net.drain()
	for i := range choices {
		if four := fours && (!twos || i%2 == 1); four && prune4 || !four && prune2 {
			w.prune(&choices[i])
		}
	}
	if w.table != nil && plies > 1 {
		w.touch(choices)
	}
	return choices
}

// touch touches the table's entries of all moves.
func (w *searcher4) touch(choices []netChoice) {
	for i := range choices {
		for d := range choices[i].after {
			if a := &choices[i].after[d]; a.Moved {
				w.touched ^= w.table.touch(hash(a.Board))
			}
		}
	}
}

// make makes the moves on a board by its view; see viewSpawn.
func (c *netChoice) make(l *netLeaves, b, view bitboard.Board, limit int32) {
	b.Afterstates(&c.after)
	if l.chances {
		noRewards(&c.after)
	}
	c.leaves = c.after
	if view != b {
		l.viewedMoves(b, view, limit, &c.leaves)
		for d := range c.after {
			c.after[d].Reward = c.leaves[d].Reward
		}
	}
}

// prune clears Moved of the moves whose value by the network is more than the margin below the best.
func (w *searcher4) prune(c *netChoice) {
	var worth [4]float64
	top := math.Inf(-1)
	for d := range c.leaves {
		if a := &c.leaves[d]; a.Moved {
			worth[d] = float64(a.Reward) + float64(w.net.value(a.Board))
			top = max(top, worth[d])
		}
	}
	for d := range c.after {
		c.after[d].Moved = c.after[d].Moved && worth[d] >= top-w.pruneMargin
	}
}

// choiceOfPoints is choice with a network, whose values are in points, so rewards are added.
func (w *searcher4) choiceOfPoints(b bitboard.Board, plies int, q float64) float64 {
	var c netChoice
	w.afterstates(b, &c.after)
	if w.prunesMoves(plies, q) {
		c.leaves = c.after
		w.prune(&c)
	}
	return w.bestOf(&c.after, plies, q)
}

// bestOf returns the value of the best of these moves.
func (w *searcher4) bestOf(after *[4]bitboard.Afterstate, plies int, q float64) float64 {
	best, legal := w.dead, false
	for d := range after {
		a := &after[d]
		if !a.Moved {
			continue
		}
		if v := float64(a.Reward) + w.after(a.Board, plies-1, q); v > best || !legal {
			best, legal = v, true
		}
	}
	return best
}
