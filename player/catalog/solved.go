package catalog

import (
	"context"
	"errors"
	"sync"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

// solved are the tables of small boards, which all players share. Tables do not depend on
// Capabilities, and the library limits how much memory they take.
var solved solve.Library

// Standard is what auto looks up: the expected score of the original game.
func Standard(size board.Size) solve.Problem { return solve.Problem{Size: size, P4: game.P4} }

// exact reports whether auto plays a size by its table.
func exact(size board.Size) bool { return solve.HasTable(size) && Solved(Standard(size)) }

// Solved reports whether a problem has a table. Without the cache only small problems have one.
func Solved(p solve.Problem) bool {
	_, cached := models.CacheFolder()
	return solved.Has(p) && (cached || solve.Instant(p.Size))
}

// Offer returns the problem that [Solve] would solve, so that a player of m has exact values on a size;
// ok is false if the player has them or cannot have them.
func Offer(m *Maker, size board.Size) (p solve.Problem, ok bool) {
	if m.Table == nil {
		return p, false
	}
	p, ok = m.Table(size)
	_, cached := models.CacheFolder()
	return p, ok && cached && !solved.Has(p)
}

// Solve makes the table of a problem in the cache. Players of new Makers use it, and those of a Maker
// that has not been used on the size yet. Errors are those of solve.Folder.Solve.
func Solve(ctx context.Context, p solve.Problem, o solve.Options) error {
	return solved.Solve(ctx, p, o)
}

// CheckSpace returns a *solve.SpaceError if Solve would fail for lack of memory or disk space.
func CheckSpace(p solve.Problem) error { return solved.CheckSpace(p) }

// Table returns the table of a problem: that of the cache, or of a small problem one in memory. The caller
// does not close it.
func Table(ctx context.Context, p solve.Problem) (*solve.Table, error) {
	t, err := solved.Table(ctx, p)
	return t, unable(err)
}

// Chances returns the greatest chance of each move to make each tile, by play that aims at this tile
// alone, if a 4 spawns with probability p4. It has the tiles whose goal is solved, and none of a board that
// no game reaches.
func Chances(ctx context.Context, b board.Board, p4 float64) ([]solve.Goal, error) {
	if !solve.HasTable(b.Size()) {
		return nil, nil
	}
	goals, err := solved.AskGoals(ctx, b, solve.Problem{P4: p4})
	if errors.Is(err, solve.ErrUnreached) {
		return nil, nil
	}
	return goals, unable(err)
}

// decisions are the sizes that auto plays by their tables. Each size is decided once, so that all
// players of a Maker play alike, whatever happens to the tables meanwhile.
type decisions struct {
	mu    sync.Mutex
	sizes map[board.Size]bool
}

func (d *decisions) exact(size board.Size) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	yes, ok := d.sizes[size]
	if !ok {
		yes = exact(size)
		if d.sizes == nil {
			d.sizes = map[board.Size]bool{}
		}
		d.sizes[size] = yes
	}
	return yes
}

// outdated reports whether a size would be decided otherwise now.
func (d *decisions) outdated() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for size, was := range d.sizes {
		if exact(size) != was {
			return true
		}
	}
	return false
}
