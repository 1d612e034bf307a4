package footage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// shoot is how a recording shows a game.
type shoot struct {
	rng     *rand.Rand
	frame   int64   // between two sightings
	pause   int64   // the least time of a move
	more    int64   // the most time beyond
	dropped float64 // share of sightings that are lost
	misread float64 // share of sightings of moving tiles that look certain
	all     []protocol.FootageFrame
	now     int64
	boards  []board.Board
	steps   []game.Step
}

// playAll plays a game of random moves and records it, with slides of 100 ms and tiles that appear in the 100 ms after.
func (s *shoot) playAll(tb must.T, size board.Size, moves int) {
	g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(s.rng.Uint64(), 0, game.P4)}))(tb)
	s.boards = []board.Board{g.Board()}
	s.still(g.Board(), 500)
	for range moves {
		legal := g.Board()
		dirs := legal.Legal()
		if len(dirs) == 0 {
			break
		}
		from := g.Board()
		d := dirs[s.rng.IntN(len(dirs))]
		must.Do(tb, g.Move(d))
		step, _ := g.LastStep()
		s.boards, s.steps = append(s.boards, g.Board()), append(s.steps, step)
		s.move(from, step)
		s.still(g.Board(), s.pause-200+s.rng.Int64N(s.more+1))
	}
	s.still(g.Board(), 500)
}

// see adds a sighting, unless it is lost.
func (s *shoot) see(b board.Board, doubts []int) {
	if s.rng.Float64() >= s.dropped {
		if n := len(s.all); n > 0 && s.all[n-1].Board == b && slices.Equal(s.all[n-1].Doubts, doubts) {
			s.all[n-1].ToMS = s.now
		} else {
			s.all = append(s.all, protocol.FootageFrame{TimeSpan: protocol.TimeSpan{FromMS: s.now, ToMS: s.now}, Board: b, Doubts: doubts})
		}
	}
	s.now += s.frame
}

func (s *shoot) still(b board.Board, ms int64) {
	for range ms / s.frame {
		s.see(b, nil)
	}
}

// move shows tiles on their way and then one that appears.
func (s *shoot) move(from board.Board, step game.Step) {
	after, _, _ := from.Slide(step.Move)
	for range 100 / s.frame {
		b := after
		var doubts []int
		for cell := range b.Size().Cells() { // each shows its tile from before, that after, none, or anything that is not certain
			switch s.rng.IntN(5) {
			case 0:
				b.Set(cell, from.Cell(cell))
			case 1:
				b.Set(cell, 0)
			case 2:
				b.Set(cell, uint8(s.rng.IntN(5)))
				doubts = append(doubts, cell)
				continue
			default:
				continue
			}
			if s.rng.Float64() >= s.misread {
				doubts = append(doubts, cell)
			}
		}
		s.see(b, doubts)
	}
	for range 100 / s.frame {
		b := after
		switch s.rng.IntN(4) {
		case 0: // the tile is not seen yet
			s.see(b, nil)
		case 1: // or something of it
			s.see(b, []int{step.Spawn.Cell})
		case 2:
			b.Set(step.Spawn.Cell, 1+uint8(s.rng.IntN(2)))
			s.see(b, []int{step.Spawn.Cell})
		default:
			b.Set(step.Spawn.Cell, step.Spawn.Exponent)
			s.see(b, nil)
		}
	}
}

// recovered counts the moves of the parts, all of which were made in the order of the game.
func (s *shoot) recovered(tb must.T, games Games) (moves int) {
	at := 0
	for _, p := range games.Parts {
		g := must.Get(p.Record.Replay())(tb)
		start := g.Board()
		for g.Undo() {
			start = g.Board()
		}
		for g.Redo() {
		}
		for at < len(s.boards) && s.boards[at] != start {
			at++
		}
		for i, step := range g.Steps() {
			if at >= len(s.steps) || s.steps[at] != step {
				tb.Fatal(fmt.Sprintf("move %d of the part from %d to %d ms, %v, was not made", i+1, p.FromMS, p.ToMS, step))
			}
			at++
		}
		moves += g.Moves()
	}
	return moves
}

// No move is invented, whichever frames of a recording are missing.
func TestInventsNothing(t *testing.T) {
	for _, size := range []board.Size{{Rows: 3, Cols: 4}, {Rows: 4, Cols: 4}, {Rows: 5, Cols: 5}} {
		for _, frame := range []int64{16, 33, 50} {
			for _, dropped := range []float64{0, 0.2, 0.5} {
				for seed := range uint64(soak.Count(3, 100)) {
					s := &shoot{rng: rand.New(rand.NewPCG(seed, 7)), frame: frame, pause: 250, more: 400, dropped: dropped, misread: 0.1}
					s.playAll(t, size, 40)
					s.recovered(t, must.Get(Read(t.Context(), s.all))(t))
				}
			}
		}
	}
}

// Nearly all moves are recovered from recordings with 30 frames a second and no missing frames.
func TestRecovers(t *testing.T) {
	made, found := 0, 0
	for seed := range uint64(soak.Count(10, 300)) {
		s := &shoot{rng: rand.New(rand.NewPCG(seed, 1)), frame: 33, pause: 250, more: 600, misread: 0.1}
		s.playAll(t, board.Size{Rows: 4, Cols: 4}, 60)
		games := must.Get(Read(t.Context(), s.all))(t)
		made, found = made+len(s.steps), found+s.recovered(t, games)
		if n := len(games.Parts) - len(games.Gaps); n != 1 && n != 0 { // 0: the last move is not clear
			t.Errorf("seed %d: %d parts and %d gaps", seed, len(games.Parts), len(games.Gaps))
		}
	}
	if 100*found < 99*made {
		t.Errorf("%d of %d moves: must be 99 %%", found, made)
	}
}

// sightings are boards that are seen for 400 ms each, or for 30 with ~, with 100 ms between.
func sightings(t *testing.T, boards []string) (all []protocol.FootageFrame) {
	t.Helper()
	now := int64(0)
	for _, text := range boards {
		ms := int64(400)
		if strings.HasPrefix(text, "~") {
			ms = 30
		}
		all = append(all, protocol.FootageFrame{TimeSpan: protocol.TimeSpan{FromMS: now, ToMS: now + ms}, Board: must.Get(board.Parse(strings.Trim(text, "~")))(t)})
		now += ms + 100
	}
	return all
}

// What recordings show, as moves and gaps.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name   string
		boards []string
		moves  []string
		gaps   []protocol.TimeSpan
	}{
		{"nothing", nil, nil, nil},
		{"one board", []string{"2,0/0,2"}, nil, []protocol.TimeSpan{{FromMS: 0, ToMS: 400}}},
		{"two moves", []string{"2,0/0,2", "2,2/0,2", "4,2/0,2"}, nil, []protocol.TimeSpan{{FromMS: 0, ToMS: 1400}}}, // the second one cannot be
		{"a game", []string{"2,0,0/0,2,0/0,0,4", "0,0,2/0,0,2/2,0,4", "2,0,4/0,0,4/0,0,2"}, []string{"[right up]"}, nil},
		{"left or right", []string{"0,2,0/4,8,4/0,0,0", "2,0,2/4,8,4/0,0,0"}, nil, []protocol.TimeSpan{{FromMS: 0, ToMS: 900}}},
		{"right, as a frame shows", []string{"0,2,0/4,8,4/0,0,0", "~0,0,2/4,8,4/0,0,0", "2,0,2/4,8,4/0,0,0"}, []string{"[right]"}, nil},
		{"a move that is not seen", []string{"2,4,8/4,8,16/8,16,0", "2,4,8/4,16,32/2,2,0"}, []string{"[right up]"}, nil},
		{"a hidden part", []string{"2,0,0/0,2,0/0,0,4", "0,0,2/0,0,2/2,0,4", "16,0,2/0,0,2/2,0,4", "2,16,2/0,0,2/0,2,4"}, []string{"[right]", "[right]"}, []protocol.TimeSpan{{FromMS: 900, ToMS: 1000}}},
		{"a move taken back", []string{"2,0,0/0,2,0/0,0,4", "0,0,2/0,0,2/2,0,4", "2,0,0/0,2,0/0,0,4", "2,2,4/0,0,0/0,0,2"}, []string{"[up]"}, nil},
		{"another game", []string{"2,0,0/0,2,0/0,0,4", "0,0,2/0,0,2/2,0,4", "2,0,0/2,0,0/0,0,0", "4,0,0/0,0,0/2,0,0"}, []string{"[right]", "[up]"}, nil},
	} {
		games := must.Get(Read(t.Context(), sightings(t, c.boards)))(t)
		var moves []string
		for _, p := range games.Parts {
			moves = append(moves, fmt.Sprint(p.Record.Moves))
		}
		if !slices.Equal(moves, c.moves) || !slices.Equal(games.Gaps, c.gaps) {
			t.Errorf("%s: moves %v, gaps %v; want %v, %v", c.name, moves, games.Gaps, c.moves, c.gaps)
		}
	}
}
