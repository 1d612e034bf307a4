package game

import "afterstate/board"

// line stores all moments of a game in little memory. Each move is two bytes in steps. Whole
// moments are stored only for every block-th move (marks) and for the current block (window);
// undoing into an earlier block replays that block from its mark.
type line struct {
	steps  []packed // all moves; those from at on are undone
	at     int      // moves made and not undone
	marks  []moment // after 0, block, 2*block ... moves
	window []moment // after first, first+1 ... moves
	first  int      // a multiple of block
}

const block = 64

// packed is a Step: the move in bits 0 and 1, the cell in 2 to 7, the exponent above.
type packed uint16

func pack(s Step) packed {
	return packed(s.Move) | packed(s.Spawn.Cell)<<2 | packed(s.Spawn.Exponent)<<8
}

func (p packed) unpack() Step {
	return Step{board.Direction(p & 3), Spawn{int(p >> 2 & 63), uint8(p >> 8)}}
}

func (l *line) begin(m moment) {
	l.marks = append(make([]moment, 0, 4), m)
	l.window = append(make([]moment, 0, block), m)
	l.steps = make([]packed, 0, block)
}

func (l *line) now() *moment { return &l.window[l.at-l.first] }

// add appends a move and drops undone ones.
func (l *line) add(p packed, m moment) {
	l.steps = append(l.steps[:l.at], p)
	l.marks = l.marks[:l.at/block+1]
	l.window = l.window[:l.at-l.first+1]
	l.at++
	l.arrive(m)
}

// arrive stores the moment after move at, which follows the window's last one.
func (l *line) arrive(m moment) {
	if l.at%block == 0 {
		if l.at/block == len(l.marks) {
			l.marks = append(l.marks, m)
		}
		l.first, l.window = l.at, l.window[:0]
	}
	l.window = append(l.window, m)
}

// back undoes a move; it returns false at the first board. The spawner's state is undefined
// afterwards.
func (l *line) back(s Spawner) bool {
	if l.at == 0 {
		return false
	}
	l.at--
	if l.at >= l.first {
		return true
	}
	to := l.at
	l.at -= block - 1
	l.first, l.window = l.at, append(l.window[:0], l.marks[l.at/block])
	for l.at < to {
		l.forward(s)
	}
	return true
}

// forward redoes a move; it returns false at the last board. The spawner's state is undefined
// afterwards.
func (l *line) forward(s Spawner) bool {
	switch {
	case l.at == len(l.steps):
		return false
	case l.at+1-l.first < len(l.window):
		l.at++
		return true
	}
	from, step := l.now(), l.steps[l.at].unpack()
	after, reward, _ := from.board.Slide(step.Move)
	next := from.after(after, reward, step.Spawn)
	s.Restore(from.spawn)
	s.Skip()
	next.spawn = s.State()
	l.at++
	l.arrive(next)
	return true
}

// after returns the moment after a move to the board slid and a spawn. Its spawner's state is not
// set.
func (m *moment) after(slid board.Board, reward int64, tile Spawn) moment {
	won := m.won || reward >= 1<<WinExponent && slid.Largest() >= WinExponent
	slid.Set(tile.Cell, tile.Exponent)
	return moment{board: slid, score: m.score + reward, won: won}
}
