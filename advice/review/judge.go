package review

import (
	"fmt"

	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Judge values the moves of a game. It may be used by several goroutines.
type Judge struct {
	// Spec is the player of the last look.
	Spec  string
	looks []catalog.Maker
}

// Look is a pass over the moves of a game.
type Look int

const (
	FirstLook Look = iota
	SecondLook
)

// Node limits of the default judge on 4x4. A game of n moves has the limit of nodes divided by n for
// each move, within bounds.
const (
	firstNodes, firstMin, firstMax    = 72_000_000, 4_000, 12_000
	secondNodes, secondMin, secondMax = 135_000_000, 12_000, 150_000
)

// The judge differs from the presets champion and master in what it prunes. Their margins fit boards of
// their own games. On boards of other players the network is less sure, so that the judge looks at
// moves that they skip (docs/review.md has the comparison).
const (
	firstSpec  = "champion(nodes=%d,prune_margin=40000)"
	secondSpec = "master(nodes=%d,clear_margin=0,min_prob=3e-3,prune_margin=40000,tt=4MB)"
)

// New returns the default judge of a game with this number of moves on boards of a size: on 4x4 the
// network that comes with the program, in two looks; elsewhere, and where parse refuses the network,
// the player best. parse is catalog.Parse with the caller's capabilities.
func New(parse func(spec string) (catalog.Maker, error), size board.Size, moves int) (*Judge, error) {
	if size == bitboard.Size {
		first, err := parse(fmt.Sprintf(firstSpec, limit(moves, firstNodes, firstMin, firstMax)))
		if err == nil {
			second, err := parse(fmt.Sprintf(secondSpec, limit(moves, secondNodes, secondMin, secondMax)))
			return &Judge{Spec: second.Spec, looks: []catalog.Maker{first, second}}, err
		}
	}
	best, err := parse("best")
	if err != nil {
		return nil, err
	}
	return By(best), nil
}

func limit(moves, nodes, low, high int) int { return min(max(nodes/max(moves, 1), low), high) }

// By returns the judge that is a player, with one look.
func By(m catalog.Maker) *Judge { return &Judge{Spec: m.Spec, looks: []catalog.Maker{m}} }

// Named returns the judge that is the player of a spec, with one look. A player that knows the coming
// spawns is refused. parse is catalog.Parse with the caller's capabilities.
func Named(parse func(spec string) (catalog.Maker, error), spec string) (*Judge, error) {
	m, err := parse(spec)
	if err != nil {
		return nil, err
	}
	if m.Foresees {
		return nil, fmt.Errorf("%s knows the coming spawns, which a judge does not: want another player", m.Spec)
	}
	return By(m), nil
}

// Quick returns the judge with only its first look, for many games.
func (j *Judge) Quick() *Judge { return By(j.looks[0]) }

// Looks returns the number of looks.
func (j *Judge) Looks() int { return len(j.looks) }
