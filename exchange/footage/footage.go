// Package footage makes games of the boards that were read from a screen recording.
//
//	games := footage.Read(ctx, sightings, end)
//	for _, p := range games.Parts {
//		err := record.Write(file, p.Record)
//	}
//
// Frames of moving tiles are read as boards that no rule allows, and now and then as one that looks certain. So no sighting is
// believed alone: of all chains of sightings in which each follows from the one before by the rules, the one is taken that
// explains the most of the recording's time. What is in no chain was thrown out. Nothing is invented: where several sequences of
// moves lead from one board to the next, and the frames between do not tell which was made, there is a gap.
package footage

import (
	"context"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Span is a time of a recording, in milliseconds.
type Span struct{ From, To int64 }

// Sighting is what was read of frames that look alike. Its span is from the first to the last of them.
type Sighting struct {
	Span
	Board  board.Board
	Doubts []int // cells, row by row from 0, that are not certain
}

// Part is a game, or a part of one, that was seen without a gap.
type Part struct {
	Span
	Record record.Record
}

// Games is what a recording shows.
type Games struct {
	Parts []Part // each with a move
	Gaps  []Span // where moves are missing
	Used  int    // sightings of the parts' boards
}

const (
	// frame is the time that a single frame counts.
	frame = 33
	// gapCost is the time that a board must be seen to begin a part: what is there for a shorter time is a misread frame.
	gapCost = 300
	// jumpCost likewise makes it worth to believe a board that follows by several moves.
	jumpCost = 100
	// settled is how long the first and the last board of a part are seen at least: those before and after may be of moving tiles.
	settled = 200
	// unseen is a time in which two moves may be made.
	unseen = 300
	// maxJump is the most moves that are made up between two boards, if no others are possible.
	maxJump = 3
	// maxPaths is the number of possible sequences of moves beyond which the frames do not tell.
	maxPaths = 200
	// window is how many boards before one it may follow from, the frames of a move among them, and back how far the board
	// may be that a player takes moves back to.
	window, back = 32, 200
)

// candidate is a board, while it is seen without another one between.
type candidate struct {
	board       board.Board
	first, last int   // sightings
	shown       int64 // the time that it explains
	sure        bool  // of one of the sightings

	total int64 // the time that the best chain to here explains; only with reached
	// The chain comes from the candidate before, -1: this is the first one, by steps: none after the same board.
	reached, begins bool
	before          int
	steps           []game.Step
}

// Read finds the games of a recording. Sightings are in their order.
func Read(ctx context.Context, all []Sighting) (Games, error) {
	f := &footage{ctx: ctx, sightings: all}
	f.gather()
	last := f.chain()
	if err := ctx.Err(); err != nil {
		return Games{}, err
	}
	return f.games(last)
}

type footage struct {
	ctx       context.Context
	sightings []Sighting
	all       []candidate
}

// gather makes the candidates. A doubtful sighting counts half: it is believed only if a move leads to it.
func (f *footage) gather() {
	for i := range f.sightings {
		s := &f.sightings[i]
		n := len(f.all)
		if n == 0 || f.all[n-1].board != s.Board {
			f.all = append(f.all, candidate{board: s.Board, first: i, before: -1})
			n++
		}
		c, shown := &f.all[n-1], s.To-s.From+frame
		if len(s.Doubts) > 0 {
			shown /= 2
		} else {
			c.sure = true
		}
		c.last = i
		c.shown += shown
	}
}

// chain computes the best chain that ends at each candidate. It returns the index of the candidate at the end of the best chain, or -1
// if there is no chain.
func (f *footage) chain() int {
	best := -1
	for i := range f.all {
		if f.ctx.Err() != nil {
			return best
		}
		c := &f.all[i]
		offer := func(total int64, before int, steps []game.Step, begins bool) {
			if !c.reached || total > c.total {
				c.reached, c.total, c.before, c.steps, c.begins = true, total, before, steps, begins
			}
		}
		if c.sure || c.last > c.first && f.sightings[c.last].To-f.sightings[c.first].From >= gapCost {
			f.follow(i, offer)
		}
		if c.sure {
			if !c.reached {
				f.jump(i, offer)
			}
			total := c.shown - gapCost
			if best >= 0 {
				total += f.all[best].total
			}
			offer(total, best, nil, true)
		}
		if c.reached && (best < 0 || c.total > f.all[best].total) {
			best = i
		}
	}
	return best
}

// follow offers what a candidate follows from: by a move, or as the same board, still there or restored by taking moves back.
func (f *footage) follow(i int, offer func(int64, int, []game.Step, bool)) {
	c := &f.all[i]
	skipped := int64(0) // the way back explains it
	for j := i - 1; j >= max(0, i-back); j-- {
		p := &f.all[j]
		if p.reached && p.board == c.board {
			if min(p.shown, c.shown) < gapCost { // not moves that were taken back, but a frame that looks like another board
				skipped = 0
			}
			offer(p.total+skipped+c.shown, j, nil, false)
			return // what leads there from before leads here too
		}
		skipped += p.shown
		if p.reached && i-j <= window {
			if steps := f.between(j, i, 1); len(steps) == 1 {
				offer(p.total+c.shown-1, j, steps, false)
			}
		}
	}
}

// jump offers the most likely of the candidates before if several moves lead from it that were not seen one by one.
func (f *footage) jump(i int, offer func(int64, int, []game.Step, bool)) {
	from := -1
	for j := i - 1; j >= max(0, i-window); j-- {
		if p := &f.all[j]; p.reached && (from < 0 || p.total > f.all[from].total) {
			from = j
		}
	}
	if from < 0 || f.all[from].shown < settled || f.all[i].shown < settled {
		return
	}
	if steps := f.between(from, i, maxJump); steps != nil {
		offer(f.all[from].total+f.all[i].shown-jumpCost*int64(len(steps)), from, steps, false)
	}
}

// between returns the sequence of at most most moves from candidate j to candidate i. It returns nil if there is no such sequence, or if
// the rules and the frames between the two candidates allow several.
func (f *footage) between(j, i, most int) []game.Step {
	from, to := &f.all[j], &f.all[i]
	grown := to.board.Sum() - from.board.Sum()
	if grown == 4 && f.sightings[to.first].From-f.sightings[from.last].To > unseen {
		most = max(most, 2) // a move and a 4, or two moves and two 2
	}
	if grown > 2*int64(most) && (most > 1 || grown > 4) { // more moves may add up to it, too
		return nil
	}
	var paths [][]game.Step
	for n := range most {
		for path := range game.PathsOf(&from.board, &to.board, n+1) {
			if paths = append(paths, path); len(paths) > maxPaths {
				return nil
			}
		}
	}
	return confirmed(&from.board, paths, f.sightings[from.last+1:to.first])
}

// confirmed returns the only sequence of moves, nil if there are several. Of several single moves it is that whose tiles were
// seen at their ends, before the new one. Frames say less about several moves: tiles pass the places of others.
func confirmed(from *board.Board, paths [][]game.Step, seen []Sighting) (best []game.Step) {
	if len(paths) == 1 {
		return paths[0]
	}
	for _, path := range paths {
		after, _, _ := from.Slide(path[0].Move)
		switch {
		case len(path) > 1:
			return nil
		case !slices.ContainsFunc(seen, func(s Sighting) bool { return s.shows(&after) }):
		case best != nil:
			return nil
		default:
			best = path
		}
	}
	return best
}

// shows reports whether all tiles of a board, and no others, are seen for certain. Where one appears, a cell may be doubtful.
func (s *Sighting) shows(b *board.Board) bool {
	if s.Board.Size() != b.Size() || len(s.Doubts) > 2 {
		return false
	}
	for cell := range b.Size().Cells() {
		if doubtful := slices.Contains(s.Doubts, cell); doubtful && b.Cell(cell) > 0 || !doubtful && s.Board.Cell(cell) != b.Cell(cell) {
			return false
		}
	}
	return true
}

// games makes the parts of the chain that ends with a candidate, and the gaps around them.
func (f *footage) games(last int) (Games, error) {
	var chain []*candidate
	for i := last; i >= 0; i = f.all[i].before {
		chain = append(chain, &f.all[i])
	}
	slices.Reverse(chain)
	out := Games{}
	done := 0 // sightings up to the part before
	for len(chain) > 0 {
		n := 1
		for n < len(chain) && !chain[n].begins {
			n++
		}
		some := believed(chain[:n])
		chain = chain[n:]
		part, err := f.part(some)
		if err != nil {
			return Games{}, err
		}
		if len(part.Record.Moves) == 0 {
			continue
		}
		first := some[0]
		if _, fresh := game.StartTiles(&first.board); !fresh || done == 0 { // another game follows without a gap
			f.gap(&out, done, first.first)
		}
		for _, c := range some {
			out.Used += c.last - c.first + 1
			done = c.last + 1
		}
		out.Parts = append(out.Parts, part)
	}
	f.gap(&out, done, len(f.sightings))
	return out, nil
}

// believed returns a part of the chain without its ends that nothing confirms: tiles may have moved while they were seen.
func believed(chain []*candidate) []*candidate {
	moving := func(c *candidate) bool { return !c.sure || c.shown < settled }
	for len(chain) > 1 && moving(chain[len(chain)-1]) {
		chain = chain[:len(chain)-1]
	}
	for len(chain) > 1 && moving(chain[0]) {
		chain = chain[1:]
	}
	return chain
}

// gap adds the time of some sightings: between two parts from the end of the one before, and before the first and after the
// last one only where a certain board is seen for long enough.
func (f *footage) gap(out *Games, from, to int) {
	if from > 0 && to < len(f.sightings) {
		out.Gaps = append(out.Gaps, Span{f.sightings[from-1].To, f.sightings[to].From})
		return
	}
	sure := slices.IndexFunc(f.sightings[from:to], func(s Sighting) bool { return len(s.Doubts) == 0 })
	if sure >= 0 {
		if gap := (Span{f.sightings[from+sure].From, f.sightings[to-1].To}); gap.To-gap.From >= gapCost {
			out.Gaps = append(out.Gaps, gap)
		}
	}
}

// part replays a part of the chain.
func (f *footage) part(chain []*candidate) (p Part, err error) {
	first := chain[0]
	tiles, _ := game.StartTiles(&first.board)
	played, err := game.See(first.board, tiles)
	if err != nil {
		return p, err
	}
	var times []int64
	known := int64(-1) // since when the board has been seen; what is before the first move may be cut
	for _, c := range chain[1:] {
		now := f.sightings[c.first].From
		for _, step := range c.steps {
			if err := played.Make(step); err != nil {
				return p, err
			}
			if len(c.steps) > 1 || known < 0 {
				times = append(times, record.UnknownTime)
			} else {
				times = append(times, now-known)
			}
		}
		if len(c.steps) > 0 {
			known = now
		}
	}
	p.From, p.To = f.sightings[first.first].From, f.sightings[chain[len(chain)-1].last].To
	p.Record = record.Of(played.Game, record.Meta{Spawn: record.Imported})
	if slices.ContainsFunc(times, func(ms int64) bool { return ms >= 0 }) {
		p.Record.Times = times
	}
	return p, nil
}
