package arena

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Start is a board from which games begin.
type Start struct {
	Board board.Board
	// Parent names the game from which the board comes. Games from boards of one parent are correlated; the
	// intervals account for this. If Parent is "", the board shares its parent with no other board.
	Parent string
}

// maxStarts is the maximum number of start boards in a file.
const maxStarts = 100_000

// ReadStarts reads start boards, one per line: a board as [board.Parse] reads it. If the
// board's text has no spaces, a space and the name of its parent game may follow. Empty lines
// and text after # are ignored. All boards must have the same size and a legal move.
func ReadStarts(r io.Reader) (starts []Start, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		s, err := parseStart(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", n, err)
		case len(starts) > 0 && s.Board.Size() != starts[0].Board.Size():
			return nil, fmt.Errorf("line %d: the board is %v, but the first is %v: all must have the same size", n, s.Board.Size(), starts[0].Board.Size())
		case len(starts) == maxStarts:
			return nil, fmt.Errorf("line %d: too many boards: must be at most %d", n, maxStarts)
		}
		starts = append(starts, s)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(starts) == 0 {
		return nil, errors.New("no boards: must be one per line")
	}
	return starts, nil
}

func parseStart(text string) (s Start, err error) {
	if s.Board, err = board.Parse(text); err != nil {
		fields := strings.Fields(text)
		first, wrong := board.Parse(fields[0])
		switch {
		case wrong != nil || len(fields) == 1:
			return Start{}, err
		case len(fields) > 2:
			return Start{}, fmt.Errorf("%q after the board and its parent: must be BOARD [PARENT]", fields[2])
		}
		s = Start{Board: first, Parent: fields[1]}
	}
	if s.Board.Terminal() {
		return Start{}, fmt.Errorf("board %v has no legal move", s.Board)
	}
	return s, nil
}

// CheckStarts returns an error if the boards differ in size, if one has no legal move, or if one already
// meets the stop condition.
func CheckStarts(starts []Start, stop game.Stop) error {
	for i := range starts {
		b := &starts[i].Board
		switch {
		case b.Size() != starts[0].Board.Size():
			return fmt.Errorf("start board %d is %v, but the first is %v: all must have the same size", i+1, b.Size(), starts[0].Board.Size())
		case b.Terminal():
			return fmt.Errorf("start board %d, %v, has no legal move", i+1, *b)
		case stop.Reached(b):
			return fmt.Errorf("start board %d, %v, already meets the goal %v", i+1, *b, stop)
		}
	}
	return nil
}

// Starts holds the start boards of an experiment: game i begins from board i % len(Boards), with a score of
// 0.
type Starts struct {
	Boards []Start
	Digest string // hash of the boards' text
}

// NewStarts returns the start boards as Starts; nil if there are none.
func NewStarts(boards []Start) *Starts {
	if len(boards) == 0 {
		return nil
	}
	s := &Starts{Boards: boards}
	s.Digest = Digest(s.String())
	return s
}

// Len returns the number of boards; 0 if s is nil.
func (s *Starts) Len() int {
	if s == nil {
		return 0
	}
	return len(s.Boards)
}

// hash returns Digest; "" if s is nil.
func (s *Starts) hash() string {
	if s == nil {
		return ""
	}
	return s.Digest
}

// String returns the boards as text in the format of ReadStarts; "" if s is nil.
func (s *Starts) String() string {
	if s == nil {
		return ""
	}
	text, _ := s.MarshalText()
	return string(text)
}

// MarshalText returns the boards as text in the format of ReadStarts.
func (s *Starts) MarshalText() (text []byte, err error) {
	for _, b := range s.Boards {
		text = fmt.Appendln(text, strings.TrimSpace(b.Board.String()+" "+b.Parent))
	}
	return text, nil
}

// UnmarshalText parses the format of ReadStarts.
func (s *Starts) UnmarshalText(text []byte) error {
	boards, err := ReadStarts(bytes.NewReader(text))
	if err == nil {
		*s = *NewStarts(boards)
	}
	return err
}

// Of returns the start board of a game.
func (s *Starts) Of(index uint64) *Start { return &s.Boards[index%uint64(len(s.Boards))] }

// cluster returns the name of the cluster to which game index belongs. Games of one cluster may be
// correlated: they begin from boards of one parent or, if the parent is unknown, from the same board.
func (s *Starts) cluster(index uint64) string {
	if parent := s.Of(index).Parent; parent != "" {
		return parent
	}
	return fmt.Sprintf("#%d", index%uint64(len(s.Boards))) // cannot be the name of a parent: # begins a comment
}

// BoardsAtSums returns, for each of the sums, the first board of the game whose tiles have at least
// this sum. It leaves out sums that the game did not reach, and boards without a legal move. It
// undoes moves of g.
func BoardsAtSums(g *game.Game, sums []int64) []board.Board {
	sums = slices.Sorted(slices.Values(sums))
	first := make([]board.Board, len(sums))
	for {
		b := g.Board()
		sum := b.Sum()
		for i, want := range sums {
			if sum >= want {
				first[i] = b // moves are undone, so the board written last is the earliest
			}
		}
		if len(sums) == 0 || sum < sums[0] || !g.Undo() {
			break
		}
	}
	first = slices.DeleteFunc(first, func(b board.Board) bool { return b.Size() == board.Size{} || b.Terminal() })
	return slices.Compact(first)
}
