package game

import "github.com/afterstate2048/afterstate/rules/board"

// line stores a game of any length in little memory. Each move is two bytes in steps. Whole moments
// are stored only for every block-th move (marks) and for the present; undoing a move replays its
// block from the mark.
type line struct {
	steps   []packed // all moves; those from at on are undone
	at      int      // moves made and not undone
	marks   []moment // after 0, block, 2*block ... moves
	present moment
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
	l.steps = make([]packed, 0, block)
	l.present = m
}

// add appends a move and drops undone ones.
func (l *line) add(p packed, m *moment) {
	l.steps = append(l.steps[:l.at], p)
	l.marks = l.marks[:l.at/block+1]
	l.at++
	l.present = *m
	if l.at%block == 0 {
		l.marks = append(l.marks, *m)
	}
}

// back undoes a move; it returns false at the first board. The spawner's state is undefined
// afterwards.
func (l *line) back(s Spawner) bool {
	if l.at == 0 {
		return false
	}
	to := l.at - 1
	l.at, l.present = to/block*block, l.marks[to/block]
	for l.at < to {
		l.forward(s)
	}
	return true
}

// forward redoes a move; it returns false at the last board. The spawner's state is undefined
// afterwards.
func (l *line) forward(s Spawner) bool {
	if l.at == len(l.steps) {
		return false
	}
	from, step := &l.present, l.steps[l.at].unpack()
	after, reward, _ := from.board.Slide(step.Move)
	next := from.after(after, reward, step.Spawn)
	s.Restore(from.spawn)
	s.Skip()
	next.spawn = s.State()
	l.at++
	l.present = next
	return true
}

// after returns the moment after a move to the board slid and a spawn. Its spawner's state is not
// set.
func (m *moment) after(slid board.Board, reward int64, tile Spawn) moment {
	won := m.won || reward >= 1<<WinExponent && slid.Largest() >= WinExponent
	slid.Set(tile.Cell, tile.Exponent)
	return moment{board: slid, score: m.score + reward, won: won}
}
