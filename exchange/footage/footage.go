// Package footage reconstructs games from the boards that were read from a screen recording.
//
//	games, err := footage.Read(ctx, sightings)
//	for _, p := range games.Parts {
//		err := record.Write(file, p.Record)
//	}
//
// Frames of moving tiles are read as boards that the rules do not allow, and sometimes as a wrong board that looks
// certain. So no sighting is trusted alone. [Read] considers the chains of sightings in which each board follows from
// the previous one by the rules, and takes the chain that explains most of the recording's time. It discards sightings
// outside the chain. It does not guess: where several sequences of moves lead from one board to the next, and the
// frames in between do not show which was played, it reports a gap.
package footage

import (
	"context"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Part is a game, or a part of a game, that was seen without a gap.
type Part struct {
	protocol.TimeSpan
	Record record.Record
}

// Games is the result of reading a recording.
type Games struct {
	Parts []Part              // each with at least one move
	Gaps  []protocol.TimeSpan // where moves are missing
	Used  int                 // number of sightings that belong to Parts
}

// A sighting is the board that was read from a run of frames that look the same. Times and costs are
// in milliseconds. The best chain is the one with the largest explained time minus costs.
const (
	// frame is the duration of one frame.
	frame = 33
	// gapCost is the cost of starting a new part. A board that is seen for less time than gapCost
	// counts as a misread frame.
	gapCost = 300
	// jumpCost is the cost of each move in a jump over several moves. It rejects boards that are seen only briefly.
	jumpCost = 100
	// settled is the minimum time for which the first and the last board of a part are seen. Tiles may be moving on
	// boards that are seen for less time.
	settled = 200
	// margin is by how much more the best chain to the board before a move must explain than the best chain to another
	// board from which one move leads to the same board. Otherwise the moves are not clear.
	margin = 60
	// unseen is the time without a board after which two moves may have been made.
	unseen = 300
	// maxJump is the maximum number of moves that are inferred between two boards, if only one sequence is possible.
	maxJump = 3
	// maxPaths is the maximum number of candidate sequences of moves that are compared with the frames.
	maxPaths = 200
	// window is the number of preceding candidates, including misread frames of moving tiles, that are tried
	// as the board before a move. back is the number of preceding candidates that are tried as the board to
	// which undone moves return.
	window, back = 32, 200
)

// candidate is a run of consecutive sightings of the same board.
type candidate struct {
	board       board.Board
	first, last int   // indices of its first and last sighting
	shown       int64 // time for which the board was seen; doubtful sightings count half
	sure        bool  // at least one of its sightings has no doubtful cell

	// total is the time that the best chain up to this candidate explains, minus the chain's costs;
	// valid only if reached is set
	total int64
	// reached is set if some chain ends at this candidate, and begins if this candidate starts a
	// new part of the best such chain. before is the index of the previous candidate in that chain,
	// or -1 if this candidate is the first. steps holds the moves from the previous candidate; it is
	// empty if the board is the same or begins is set.
	reached, begins bool
	before          int
	steps           []game.Step
}

// Read finds the games of a recording. Sightings must be in chronological order.
func Read(ctx context.Context, all []protocol.FootageFrame) (Games, error) {
	f := &footage{sightings: all}
	f.gather()
	last := f.chain(ctx)
	if err := ctx.Err(); err != nil {
		return Games{}, err
	}
	return f.games(last)
}

type footage struct {
	sightings []protocol.FootageFrame
	all       []candidate
}

// gather groups the sightings into candidates. A doubtful sighting counts for half of its time.
func (f *footage) gather() {
	for i := range f.sightings {
		s := &f.sightings[i]
		n := len(f.all)
		if n == 0 || f.all[n-1].board != s.Board {
			f.all = append(f.all, candidate{board: s.Board, first: i, before: -1})
			n++
		}
		c, shown := &f.all[n-1], s.ToMS-s.FromMS+frame
		if len(s.Doubts) > 0 {
			shown /= 2
		} else {
			c.sure = true
		}
		c.last = i
		c.shown += shown
	}
}

// chain computes, for each candidate, the best chain that ends there. It returns the index of the
// last candidate of the best chain of all, or -1 if there is no chain.
func (f *footage) chain(ctx context.Context) int {
	best := -1
	for i := range f.all {
		if ctx.Err() != nil {
			return best
		}
		c := &f.all[i]
		offer := func(total int64, before int, steps []game.Step, begins bool) {
			if !c.reached || total > c.total {
				c.reached, c.total, c.before, c.steps, c.begins = true, total, before, steps, begins
			}
		}
		if c.sure || c.last > c.first && f.sightings[c.last].ToMS-f.sightings[c.first].FromMS >= gapCost {
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

// follow passes the possible predecessors of candidate i to offer: the candidate whose board is one move earlier, and the
// last candidate with the same board, because that board may still be shown, or restored by undoing moves. If it is not
// clear which move leads to candidate i from the best chain, no other chain is taken instead.
func (f *footage) follow(i int, offer func(int64, int, []game.Step, bool)) {
	c := &f.all[i]
	skipped := int64(0)               // time of the candidates between j and i, whose moves may have been undone
	from, same := -1, -1              // the candidates before a move and with the same board
	var steps []game.Step             // from candidate from, or nil if several moves are possible
	rival := int64(math.MinInt64 / 2) // total of the best candidate before a move with another board
	for j := i - 1; j >= max(0, i-back) && (same < 0 || i-j <= window); j-- {
		p := &f.all[j]
		if p.reached && p.board == c.board {
			if same < 0 {
				if same = j; min(p.shown, c.shown) < gapCost { // too short for undone moves: a misread frame
					skipped = 0
				}
			}
			continue
		}
		if same < 0 {
			skipped += p.shown
		}
		if !p.reached || i-j > window {
			continue
		}
		path, one := f.between(j, i, 1)
		if !one {
			continue
		}
		low := p.total
		if from < 0 || p.total > f.all[from].total {
			if low = rival; from >= 0 && p.board != f.all[from].board {
				low = f.all[from].total
			}
			from, steps = j, path
		} else if p.board == f.all[from].board {
			low = rival
		}
		rival = max(rival, low)
	}
	if len(steps) == 1 && f.all[from].total-rival >= margin {
		offer(f.all[from].total+c.shown-1, from, steps, false)
	}
	if same >= 0 {
		offer(f.all[same].total+skipped+c.shown, same, nil, false)
	}
}

// jump passes the best recent candidate to offer as the predecessor of candidate i, if a sequence
// of moves that were not seen one by one leads from it to candidate i.
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
	if steps, _ := f.between(from, i, maxJump); steps != nil {
		offer(f.all[from].total+f.all[i].shown-jumpCost*int64(len(steps)), from, steps, false)
	}
}

// between returns the sequence of up to maxMoves moves from candidate j to candidate i. It returns nil if there is no
// such sequence, or if the rules and the frames between the two candidates allow several. one is true if the rules
// allow a single move.
func (f *footage) between(j, i, maxMoves int) (steps []game.Step, one bool) {
	from, to := &f.all[j], &f.all[i]
	grown := to.board.Sum() - from.board.Sum()
	if grown == 4 && f.sightings[to.first].FromMS-f.sightings[from.last].ToMS > unseen {
		maxMoves = max(maxMoves, 2) // the new tiles may be one 4 or two 2s
	}
	// Each move adds 2 or 4. If the sum grew by more than 2 for each of maxMoves moves, a sequence
	// of more than maxMoves moves could explain it too. Only a single move with a 4 is still
	// accepted.
	if grown > 2*int64(maxMoves) && (maxMoves > 1 || grown > 4) {
		return nil, false
	}
	var paths [][]game.Step
	for n := range maxMoves {
		for path := range game.PathsOf(&from.board, &to.board, n+1) {
			one = one || n == 0
			if paths = append(paths, path); len(paths) > maxPaths {
				return nil, one
			}
		}
	}
	return confirmed(&from.board, paths, f.sightings[from.last+1:to.first]), one
}

// confirmed returns the sequence of moves that was played, or nil if this is not clear. If several single moves are
// possible, it returns the move whose afterstate was seen before the new tile appeared. For longer sequences the
// frames do not decide, because moving tiles pass over the places of other tiles.
func confirmed(from *board.Board, paths [][]game.Step, seen []protocol.FootageFrame) (best []game.Step) {
	if len(paths) == 1 {
		return paths[0]
	}
	for _, path := range paths {
		after, _, _ := from.Slide(path[0].Move)
		switch {
		case len(path) > 1:
			return nil
		case !slices.ContainsFunc(seen, func(s protocol.FootageFrame) bool { return shows(&s, &after) }):
		case best != nil:
			return nil
		default:
			best = path
		}
	}
	return best
}

// shows reports whether the sighting certainly shows board b. Up to two empty cells of b may be
// doubtful, because a tile may be appearing there.
func shows(s *protocol.FootageFrame, b *board.Board) bool {
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

// games builds the parts of the chain that ends with candidate last, and the gaps around them.
func (f *footage) games(last int) (Games, error) {
	var chain []*candidate
	for i := last; i >= 0; i = f.all[i].before {
		chain = append(chain, &f.all[i])
	}
	slices.Reverse(chain)
	out := Games{}
	done := 0 // number of sightings up to the end of the previous part
	for len(chain) > 0 {
		n := 1
		for n < len(chain) && !chain[n].begins {
			n++
		}
		candidates := believed(chain[:n])
		chain = chain[n:]
		part, err := f.part(candidates)
		if err != nil {
			return Games{}, err
		}
		if len(part.Record.Moves) == 0 {
			continue
		}
		first := candidates[0]
		if _, fresh := game.StartTiles(&first.board); !fresh || done == 0 { // no gap between two games
			f.gap(&out, done, first.first)
		}
		for _, c := range candidates {
			out.Used += c.last - c.first + 1
			done = c.last + 1
		}
		out.Parts = append(out.Parts, part)
	}
	f.gap(&out, done, len(f.sightings))
	return out, nil
}

// believed removes unconfirmed candidates from both ends of a part of the chain: their tiles may have been moving.
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

// gap adds a gap for f.sightings[from:to]. Between two parts it reaches from the end of one part to
// the start of the next. Before the first part and after the last one it begins at the first
// certain board, and is added only if it is at least gapCost long.
func (f *footage) gap(out *Games, from, to int) {
	if from > 0 && to < len(f.sightings) {
		out.Gaps = append(out.Gaps, protocol.TimeSpan{FromMS: f.sightings[from-1].ToMS, ToMS: f.sightings[to].FromMS})
		return
	}
	sure := slices.IndexFunc(f.sightings[from:to], func(s protocol.FootageFrame) bool { return len(s.Doubts) == 0 })
	if sure >= 0 {
		if gap := (protocol.TimeSpan{FromMS: f.sightings[from+sure].FromMS, ToMS: f.sightings[to-1].ToMS}); gap.ToMS-gap.FromMS >= gapCost {
			out.Gaps = append(out.Gaps, gap)
		}
	}
}

// part replays a part of the chain as a game.
func (f *footage) part(chain []*candidate) (p Part, err error) {
	first := chain[0]
	tiles, _ := game.StartTiles(&first.board)
	played, err := game.NewReplica(first.board, tiles)
	if err != nil {
		return p, err
	}
	var times []int64
	known := int64(-1) // when the current board appeared; -1 before the first move, since the start may be cut off
	for _, c := range chain[1:] {
		now := f.sightings[c.first].FromMS
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
	p.FromMS, p.ToMS = f.sightings[first.first].FromMS, f.sightings[chain[len(chain)-1].last].ToMS
	p.Record = record.Of(played.Game, record.Meta{Spawn: record.Imported})
	if slices.ContainsFunc(times, func(ms int64) bool { return ms >= 0 }) {
		p.Record.Times = times
	}
	return p, nil
}
