package solve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/rules/board"
)

// MissingError means that a problem has no table in the folder and is too large to be solved on demand.
type MissingError struct{ Problem Problem }

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not solved yet: use %s (%s)", e.Problem.Size, HowTo(e.Problem), e.Problem.Cost())
}

// DamagedError means that the file of a table is damaged. Folder.Solve repairs it.
type DamagedError struct {
	Path    string // "" for a table in memory
	Problem Problem
}

func (e *DamagedError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("the table of %v is damaged", e.Problem.Size)
	}
	return fmt.Sprintf("%s is damaged: to rebuild it, use %s", e.Path, HowTo(e.Problem))
}

// ErrBusy means that another process is making the same table.
var ErrBusy = errors.New("another process is already solving this problem")

// HowTo returns the text that error messages use to say how to solve a problem. A program whose user cannot run the
// command replaces HowTo.
var HowTo = Problem.Command

// Command returns the command that solves the problem.
func (p Problem) Command() string {
	c := "afterstate solve " + p.arguments()
	if p.Goal != 0 {
		c += fmt.Sprintf(" --goal %d", p.Goal)
	}
	if p.Spawn == Adversary || p.Spawn == Friendly {
		return c + " --spawn " + string(p.Spawn)
	}
	if p.P4 != 0.1 {
		c += fmt.Sprintf(" --p4 %v", p.P4)
	}
	return c
}

// Estimate returns the time that solving takes on two idle cores, from the measurements in
// docs/solved.md, and the disk space in bytes. Most problems with a goal take less.
func (p Problem) Estimate() (time.Duration, int64) {
	e := p.extent()
	perSecond := int64(5_000_000) // boards
	if p.Walls != "" {
		perSecond = 3_000_000
	}
	return time.Duration(1+e.Boards/perSecond) * time.Second, p.tableSize()
}

// Cost returns the estimate as text.
func (p Problem) Cost() string {
	d, bytes := p.Estimate()
	return fmt.Sprintf("about %.0f s, %.0f MB", d.Seconds(), float64(bytes)/1e6)
}

// Instant reports whether problems of a size are solved in memory on demand, in less than a second.
func Instant(s board.Size) bool {
	e, ok := ExtentOf(s)
	return ok && e.Boards < 100_000
}

// Library opens tables, each once, and shares them. It solves small problems in memory; for others it
// opens the tables of the folder, which stay open. It is safe for concurrent use.
type Library struct {
	Folder Folder // empty: DefaultFolder

	mu     sync.Mutex
	tables map[string]opened // open tables of the folder, by path
	recent []*Table          // tables solved in memory, at most maxRecent, the most recently used first
	added  []sample          // samples added by AddSample
}

// opened is an open table of the folder, with the state of its file when it was opened.
type opened struct {
	*Table
	file os.FileInfo
}

// replaced reports whether the table's file has been replaced by another file since it was opened.
func (o *opened) replaced() bool {
	now, err := os.Stat(o.Path)
	return err == nil && !os.SameFile(now, o.file)
}

// maxRecent is the maximum number of tables solved in memory that a Library keeps. The largest of
// them takes 165 kB.
const maxRecent = 16

// Has reports whether Table returns a table without long computation: the problem is small, or the
// folder contains its table.
func (l *Library) Has(p Problem) bool {
	p, folder, err := l.at(p)
	if err != nil || Instant(p.Size) {
		return err == nil
	}
	l.mu.Lock()
	_, open := l.tables[folder.Path(p)]
	l.mu.Unlock()
	return open || folder.Has(p)
}

func (l *Library) folder() (Folder, error) {
	if l.Folder != "" {
		return l.Folder, nil
	}
	return DefaultFolder()
}

// at returns a problem in its normal form, and the folder of its table. Instant problems need no folder.
func (l *Library) at(p Problem) (_ Problem, folder Folder, err error) {
	if p, err = p.normal(); err == nil && !Instant(p.Size) {
		folder, err = l.folder()
	}
	return p, folder, err
}

// Solve makes the table of a problem in the folder, as Folder.Solve does. For Instant sizes it does
// nothing.
func (l *Library) Solve(ctx context.Context, p Problem, o Options) error {
	p, folder, err := l.at(p)
	if err != nil || Instant(p.Size) {
		return err
	}
	t, err := folder.Solve(ctx, p, o)
	if err == nil {
		t.Close() // closed here, since players open the table with Library.Table
	}
	return err
}

// CheckSpace returns an error that wraps a *memory.Error if Solve would fail for lack of memory or disk space.
func (l *Library) CheckSpace(p Problem) error {
	p, folder, err := l.at(p)
	if err != nil || Instant(p.Size) {
		return err
	}
	return folder.checkSpace(&p)
}

// Table returns the table of a problem. It fails with a *MissingError if the table does not exist, and
// with a *DamagedError if it is damaged. If the file was replaced since it was opened, Table opens the
// new file. The old file stays open, because players may use it.
func (l *Library) Table(ctx context.Context, p Problem) (*Table, error) {
	p, folder, err := l.at(p)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if Instant(p.Size) {
		return l.instant(ctx, p)
	}
	path := folder.Path(p)
	if t, ok := l.tables[path]; ok && !t.replaced() {
		return t.Table, nil
	}
	t, err := folder.open(p)
	if err != nil {
		return nil, err
	}
	if l.tables == nil {
		l.tables = map[string]opened{}
	}
	l.tables[path] = t
	return t.Table, nil
}

// instant returns the table of a small problem. It solves the problem unless the table was used
// recently. Tables in memory need not be closed.
func (l *Library) instant(ctx context.Context, p Problem) (*Table, error) {
	if i := slices.IndexFunc(l.recent, func(t *Table) bool { return t.Problem == p }); i >= 0 {
		t := l.recent[i]
		l.recent = slices.Insert(slices.Delete(l.recent, i, i+1), 0, t)
		return t, nil
	}
	t, err := Solve(ctx, p, Options{})
	if err != nil {
		return nil, err
	}
	l.recent = slices.Insert(l.recent[:min(len(l.recent), maxRecent-1)], 0, t)
	return t, nil
}

// AddSample adds a sample of an ending to the samples in the binary. data is the decompressed content of its file.
func (l *Library) AddSample(data []byte) error {
	t, err := newTable(&inMemory{data}, sampleWidth)
	if err != nil {
		return fmt.Errorf("the sample of an ending is damaged: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.added = append(l.added, sample{t.Problem, func() (*Table, error) { return t, nil }})
	return nil
}

// Goals returns the tiles that can be a goal on a board of this size, in ascending order from 8.
func Goals(s board.Size) (goals []int64) {
	for goal := int64(8); goal <= 1<<maxExponent(s.Cells()); goal *= 2 {
		goals = append(goals, goal)
	}
	return goals
}

// BestTile returns the largest tile that can be made with a chance of 1: with the rule Adversary the largest tile
// that the player can always make, with Friendly the largest tile that the player can ever make.
func BestTile(ctx context.Context, p Problem, o Options) (int64, error) {
	o.Progress = nil
	best := int64(0)
	for _, goal := range Goals(p.Size) {
		p.Goal = goal
		t, err := Solve(ctx, p, o)
		if err != nil {
			return 0, err
		}
		made := t.Start == 1
		t.Close()
		if !made {
			break
		}
		best = goal
	}
	return best, nil
}
