package experiment

import (
	"cmp"
	"math"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// Progress sums up the games of players while they are played. The zero value has no players.
// It is not for several goroutines at once.
type Progress struct{ Players []*PlayerProgress }

// PlayerProgress sums up a player's games.
type PlayerProgress struct {
	Spec          string // or name and version of an external program
	Games, Wanted int

	number        int // of the player
	elapsed       time.Duration
	mean, squares float64 // of scores, and the sum of squared differences from it (Welford)
}

// Player adds a player with the games that it has of those that are wanted.
func (p *Progress) Player(of *arena.Player, have []arena.Outcome, wanted int) {
	t := &PlayerProgress{number: of.Number, Spec: cmp.Or(arena.Name(of.Identity), of.Spec), Wanted: max(wanted, len(have))}
	for i := range have {
		t.add(&have[i])
	}
	p.Players = append(p.Players, t)
}

// Want changes how many games of a player are wanted.
func (p *Progress) Want(of *arena.Player, games int) {
	for _, t := range p.Players {
		if t.number == of.Number {
			t.Wanted = max(games, t.Games)
		}
	}
}

// Add counts games of a player that were kept.
func (p *Progress) Add(of *arena.Player, games []arena.Recorded) {
	for _, t := range p.Players {
		for i := range games {
			if t.number == of.Number {
				t.add(&games[i].Outcome)
			}
		}
	}
}

func (t *PlayerProgress) add(g *arena.Outcome) {
	t.Games++
	t.elapsed = arena.AddTimes(t.elapsed, g.Elapsed)
	d := float64(g.Score) - t.mean
	t.mean += d / float64(t.Games)
	t.squares += d * (float64(g.Score) - t.mean)
}

// Score is the mean score and its 95 % interval, in words.
func (t *PlayerProgress) Score() string {
	if t.Games == 0 {
		return "-"
	}
	half := "?"
	if t.Games > 1 {
		half = numfmt.Rounded(stats.HalfWidth(t.squares, t.Games))
	}
	return numfmt.Rounded(t.mean) + " ± " + half
}

// Count is how many games all players have, and how many are wanted.
func (p *Progress) Count() (games, wanted int) {
	for _, t := range p.Players {
		games += t.Games
		wanted += t.Wanted
	}
	return games, wanted
}

// Left is how long the rest will take that many workers: players differ, so that each player's
// own games say how long those that are left will last. It is not ok until each has a game.
func (p *Progress) Left(workers int) (left time.Duration, ok bool) {
	together := 0.0
	for _, t := range p.Players {
		if t.Games == 0 {
			return 0, false
		}
		together += float64(t.elapsed) / float64(t.Games) * float64(t.Wanted-t.Games)
	}
	return time.Duration(min(together/float64(workers), math.MaxInt64/2)), true
}
