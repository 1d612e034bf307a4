package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Durations of an animation: a slide as in the original game, then a short time in which the new
// tile is small.
const (
	slideTime = 100 * time.Millisecond
	popTime   = 50 * time.Millisecond
	frameTime = time.Second / 60
)

// slide is the animation of one move. The game has already changed; starting another animation ends
// this one.
type slide struct {
	off     bool // disabled by the user or because the terminal is slow
	number  int  // number of the move, so that ticks of an older one are ignored
	running bool
	begin   time.Time
	due     time.Time // when the next frame is due
	late    int       // number of frames that were much too late
	before  board.Board
	motions []board.Motion
	spawn   game.Spawn
}

// frameMsg requests the next frame of the slide with a number.
type frameMsg int

// start animates a move. It returns nil if there is no animation.
func (s *slide) start(now time.Time, before board.Board, d board.Direction, spawn game.Spawn) tea.Cmd {
	s.stop()
	if s.off {
		return nil
	}
	s.running, s.begin, s.before, s.spawn = true, now, before, spawn
	s.motions = before.Motions(d)
	return s.next(now)
}

// stop ends the animation.
func (s *slide) stop() {
	s.running = false
	s.number++
}

func (s *slide) next(now time.Time) tea.Cmd {
	s.due = now.Add(frameTime)
	number := s.number
	return tea.Tick(frameTime, func(time.Time) tea.Msg { return frameMsg(number) })
}

// tooLate is the delay of a frame from which the terminal counts as too slow; after a few such
// frames animations are disabled.
const (
	tooLate  = 80 * time.Millisecond
	maxDelay = 3
)

// frame continues the animation.
func (s *slide) frame(now time.Time, m frameMsg) tea.Cmd {
	if int(m) != s.number || !s.running {
		return nil
	}
	if now.Sub(s.due) > tooLate {
		if s.late++; s.late >= maxDelay {
			s.off = true
		}
	}
	if s.off || now.Sub(s.begin) >= slideTime+popTime {
		s.stop()
		return nil
	}
	return s.next(now)
}

// picture returns the current picture of the move; b is the board after it.
func (s *slide) picture(now time.Time, b *board.Board) picture {
	t := now.Sub(s.begin)
	switch {
	case !s.running:
		return still(b)
	case t >= slideTime:
		p := still(b)
		at := resting(b, s.spawn.Cell, s.spawn.Exponent)
		for i := range p.tiles {
			p.tiles[i].small = p.tiles[i].x == at.x && p.tiles[i].y == at.y
		}
		return p
	}
	left := 1 - float64(t)/float64(slideTime)
	done := 1 - left*left // ease-out
	p := picture{size: b.Size()}
	var moving []tile
	for _, m := range s.motions {
		from := resting(b, m.From, s.before.Cell(m.From))
		if m.From == m.To {
			p.tiles = append(p.tiles, from)
			continue
		}
		to := resting(b, m.To, 0)
		from.x += (to.x - from.x) * done
		from.y += (to.y - from.y) * done
		moving = append(moving, from)
	}
	p.tiles = append(p.tiles, moving...)
	return p
}
