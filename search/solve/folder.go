//go:build !js

package solve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/internal/disk"
	"github.com/afterstate2048/afterstate/internal/filelock"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// Folder is the path of a folder of tables, one file per table. While Solve makes a table, its file has a
// temporary name.
type Folder string

// DefaultFolder returns the folder "solved" in the program's cache folder (below XDG_CACHE_HOME). It
// fails if the home folder is unknown.
func DefaultFolder() (Folder, error) {
	cache, err := xdg.Cache()
	return Folder(filepath.Join(cache, "solved")), err
}

func (f Folder) path(p *Problem, suffix string) string {
	return filepath.Join(string(f), p.name()+suffix)
}

// Path returns the path of the file for a problem's table. The file need not exist.
func (f Folder) Path(p Problem) string {
	p, _ = p.normal()
	return f.path(&p, ".table")
}

// endings returns the endings whose tables are in the folder, first those with free walls. If free is true, it
// returns only endings with free walls.
func (f Folder) endings(free bool) (all []Problem) {
	files, err := os.ReadDir(string(f))
	if err != nil {
		return nil
	}
	for _, file := range files {
		if free && !strings.HasPrefix(file.Name(), "4x4-free-") {
			continue
		}
		if p, ok := endingOf(file.Name()); ok {
			all = append(all, p)
		}
	}
	return all
}

// Has reports whether the folder contains a table of a problem. It does not read the table.
func (f Folder) Has(p Problem) bool {
	info, err := os.Lstat(f.Path(p))
	return err == nil && info.Mode().IsRegular() && xdg.CheckOwn(string(f)) == nil
}

// Open opens the table of a problem. The error is fs.ErrNotExist if the table does not exist, xdg.ErrNotOwn if others
// may write to the folder, and a *DamagedError if others may have written the file or if the directory record in it
// is damaged. Damage to a layer is found only when the layer is read. The caller must close the table.
func (f Folder) Open(p Problem) (*Table, error) {
	p, err := p.normal()
	if err != nil {
		return nil, err
	}
	path := f.path(&p, ".table")
	m, err := f.medium(path, p.bytes(p.bound()))
	var t *Table
	if err == nil {
		t, err = newTable(m, p.width())
	}
	if err == nil && t.Problem == p {
		t.Path, t.keep = path, memory.Check(t.Bytes()) == nil
		return t, nil
	}
	release(m)
	if err == nil || errors.Is(err, errDamaged) {
		err = &DamagedError{Path: path, Problem: p}
	}
	return nil, err
}

// medium opens a file to read a table from. It fails with errDamaged if the file is larger than maximum bytes, or if
// others may have written it.
func (f Folder) medium(path string, maximum int64) (medium, error) {
	if _, err := os.Lstat(path); err != nil {
		return nil, err
	}
	if err := xdg.CheckOwn(string(f)); err != nil {
		return nil, err
	}
	opened, err := openFile(path, os.O_RDONLY)
	switch {
	case errors.Is(err, xdg.ErrNotOwn):
		return nil, errDamaged
	case err != nil:
		return nil, err
	case opened.size() > maximum:
		_ = opened.Close()
		return nil, errDamaged
	case runtime.GOOS == "windows": // an open file cannot be replaced or removed there, so read and close it
		data, err := opened.bytes(0, opened.size())
		return &inMemory{data}, errors.Join(err, opened.Close())
	}
	return opened, nil
}

// openWhole opens a table and checks every layer. ok is false if the table is missing or damaged; the
// caller then makes it.
func (f Folder) openWhole(p Problem) (t *Table, ok bool, err error) {
	t, err = f.Open(p)
	if err == nil {
		if err = t.check(); err != nil {
			t.Close()
		}
	}
	var damaged *DamagedError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &damaged) {
		return nil, false, nil
	}
	return t, err == nil, err
}

// freeDisk is replaced by tests.
var freeDisk = disk.Free

// Solve makes the table of a problem and opens it. If the table exists, Solve checks all its layers, and makes the
// table again if it is damaged. Solve fails for the same reasons as the function Solve, if there is too little disk
// space, and with ErrBusy (see Options.Busy).
func (f Folder) Solve(ctx context.Context, p Problem, o Options) (*Table, error) {
	p, err := p.normal()
	if err != nil {
		return nil, err
	}
	if errors.Is(xdg.CheckOwn(string(f)), xdg.ErrNotOwn) { // MakeOwn removes the permissions of others
		if err := xdg.MakeOwn(string(f)); err != nil {
			return nil, err
		}
	}
	if t, ok, err := f.openWhole(p); ok || err != nil {
		return t, err
	}
	if err := f.checkSpace(&p); err != nil {
		return nil, err
	}
	if err := xdg.MakeOwn(string(f)); err != nil {
		return nil, err
	}
	lock, err := f.lock(ctx, &p, o.Busy)
	if err != nil {
		return nil, err
	}
	defer func() { _ = lock.Remove() }()
	if t, ok, err := f.openWhole(p); ok || err != nil { // another process made the table meanwhile
		return t, err
	}
	if err := f.make(ctx, p, o); err != nil {
		return nil, err
	}
	return f.Open(p)
}

// checkSpace returns an error that wraps a *memory.Error if there is too little memory or disk space.
func (f Folder) checkSpace(p *Problem) error {
	if err := p.checkMemory(true); err != nil {
		return err
	}
	need := p.tableSize()
	// the file of a killed process, which make overwrites
	if begun, err := os.Stat(f.path(p, ".partial")); err == nil {
		need -= begun.Size()
	}
	free, ok := freeDisk(disk.Existing(string(f)))
	if ok && need > 0 && free < need {
		return fmt.Errorf("solving %v: %w", p.Size, &memory.Error{Needed: need, Free: free, Folder: string(f)})
	}
	return nil
}

// lock locks the table of a problem. If another process holds the lock, it calls busy once and waits; if
// busy is nil, it fails with ErrBusy.
func (f Folder) lock(ctx context.Context, p *Problem, busy func()) (*filelock.Lock, error) {
	const patience = 20 // number of attempts before giving up: a killed process may take a while to exit
	for tries := 0; ; tries++ {
		lock, err := filelock.Acquire(f.path(p, ".lock"))
		switch {
		case !errors.Is(err, filelock.ErrLocked):
			return lock, err
		case tries == patience && busy == nil:
			return nil, ErrBusy
		case tries == patience:
			busy()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// make solves the problem and writes its table to a file.
func (f Folder) make(ctx context.Context, p Problem, o Options) error {
	partial := f.path(&p, ".partial")
	m, err := openFile(partial, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	m.end = 0
	err = m.Truncate(0) // a killed process may have left data in the file
	var d Directory
	if err == nil {
		d, err = newSolver(p, o, m).run(ctx)
	}
	if err == nil {
		err = errors.Join(d.write(m), m.Sync())
	}
	if err = errors.Join(err, m.Close()); err == nil {
		err = os.Rename(partial, f.path(&p, ".table"))
	}
	if err != nil {
		return errors.Join(err, os.Remove(partial))
	}
	return nil
}

// openFile opens a file as a medium. It fails with xdg.ErrNotOwn if others may have written the
// file.
func openFile(path string, flags int) (*file, error) {
	f, err := xdg.OpenOwn(path, flags)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &file{f, info.Size()}, nil
}

// open opens the table of a problem, or returns a *MissingError.
func (f Folder) open(p Problem) (o opened, err error) {
	o.file, err = os.Stat(f.Path(p)) // before Open: if the file is replaced in between, Library.Table opens it again
	if err == nil {
		o.Table, err = f.Open(p)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = &MissingError{p}
	}
	return o, err
}
