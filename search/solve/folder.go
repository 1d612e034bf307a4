//go:build !js

package solve

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/disk"
	"github.com/afterstate2048/afterstate/internal/filelock"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// Folder is the path of a folder of tables, one file per table. While Solve makes a table, it keeps two
// further files from which it can resume; it removes them when the table is complete. For a size without
// a table, a small file holds the value of the start.
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
	if err == nil && t.Problem() == p {
		t.path, t.keep = path, memory.Check(t.Bytes()) == nil
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

// Solve makes the table of a problem, or completes a table that an earlier process started, and opens it. If the
// table exists, Solve checks all its layers, and makes the table again if it is damaged. Solve fails for the same
// reasons as the function Solve, if there is too little disk space, and with ErrBusy (see Options.Busy).
func (f Folder) Solve(ctx context.Context, p Problem, o Options) (*Table, error) {
	p, err := p.normal()
	if err != nil {
		return nil, err
	}
	var t *Table
	err = f.once(ctx, p, o, func() (ok bool, err error) {
		t, ok, err = f.openWhole(p)
		return ok, err
	})
	if err != nil || t != nil {
		return t, err
	}
	return f.Open(p)
}

// once makes the files of a problem, unless done reports that they are complete.
func (f Folder) once(ctx context.Context, p Problem, o Options, done func() (bool, error)) error {
	if errors.Is(xdg.CheckOwn(string(f)), xdg.ErrNotOwn) { // MakeOwn removes the permissions of others
		if err := xdg.MakeOwn(string(f)); err != nil {
			return err
		}
	}
	if ok, err := done(); ok || err != nil {
		if ok {
			f.clean(&p)
		}
		return err
	}
	if err := f.checkSpace(&p, o.Memory); err != nil {
		return err
	}
	if err := xdg.MakeOwn(string(f)); err != nil {
		return err
	}
	lock, err := f.lock(ctx, &p, o.Busy)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Remove() }()
	if ok, err := done(); ok || err != nil { // another process made the files meanwhile
		return err
	}
	return f.make(ctx, p, o)
}

// checkSpace returns a *SpaceError if there is too little memory, or too little disk space for the
// part of the table that is not written yet. limit is Options.Memory.
func (f Folder) checkSpace(p *Problem, limit int64) error {
	if err := p.checkMemory(limit, true); err != nil {
		return err
	}
	e := p.extent()
	need := p.tableSize() + 24*e.Largest
	if begun, err := os.Stat(f.path(p, ".partial")); err == nil {
		need -= begun.Size()
	}
	free, ok := freeDisk(disk.Existing(string(f)))
	if ok && need > 0 && free < need {
		return &SpaceError{Size: p.Size, Needed: need, Free: free, Folder: string(f)}
	}
	return nil
}

// clean removes the files that a process leaves if it is killed just after it completed the table. It
// does nothing while another process holds the lock.
func (f Folder) clean(p *Problem) {
	lock, err := filelock.Acquire(f.path(p, ".lock"))
	if err != nil {
		return
	}
	_ = os.Remove(f.path(p, ".tail"))
	_ = os.Remove(f.path(p, ".partial"))
	_ = lock.Remove()
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

// make makes the file of a table, or of the value of the start.
func (f Folder) make(ctx context.Context, p Problem, o Options) error {
	partial, tailPath := f.path(&p, ".partial"), f.path(&p, ".tail")
	m, err := openFile(partial, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }()
	last, err := openFile(tailPath, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() { _ = last.Close() }()
	d, err := newSolver(p, o, m, newTail(last, p.bound())).run(ctx)
	if err != nil {
		return err
	}
	if d.Width == 0 {
		if err := f.writeStart(&d); err != nil {
			return err
		}
		return errors.Join(m.Close(), last.Close(), os.Remove(partial), os.Remove(tailPath))
	}
	if err := errors.Join(d.write(m), m.Sync(), m.Close()); err != nil {
		return err
	}
	if err := os.Rename(partial, f.path(&p, ".table")); err != nil {
		return err
	}
	_ = last.Close()
	return os.Remove(tailPath)
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

// SolveStart returns the value of the start of a game. It reads the value from the folder if it was computed before.
// If a table of the problem can be made, it calls Solve. Otherwise it keeps three layers of values at a time, and the
// keys of all layers in a file that it removes at the end. It can be resumed like Solve, and returns the same errors.
func (f Folder) SolveStart(ctx context.Context, p Problem, o Options) (StartValue, error) {
	p, err := p.normalStart()
	if err != nil {
		return StartValue{}, err
	}
	if p.width() > 0 && !o.startOnly {
		t, err := f.Solve(ctx, p, o)
		if err != nil {
			return StartValue{}, err
		}
		defer t.Close()
		return t.value(f.Path(p), t.Bytes()), nil
	}
	var s StartValue
	done := func() (ok bool, err error) {
		s, ok, err = f.readStart(&p)
		return ok, err
	}
	if err := f.once(ctx, p, o, done); err != nil {
		return StartValue{}, err
	}
	if s.Path == "" { // it was computed now
		if ok, err := done(); !ok {
			return StartValue{}, errors.Join(errDamaged, err)
		}
	}
	return s, nil
}

// writeStart writes the file with the value of the start: a directory without layers.
func (f Folder) writeStart(d *directory) error {
	var m inMemory
	if err := d.write(&m); err != nil {
		return err
	}
	return atomicfile.Write(f.path(&d.Problem, ".start"), m.data, 0o600)
}

// readStart reads the file with the value of the start. ok is false if it is missing or damaged; the
// caller then makes it.
func (f Folder) readStart(p *Problem) (s StartValue, ok bool, err error) {
	path := f.path(p, ".start")
	m, err := f.medium(path, p.bytes(p.bound()))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errDamaged) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	defer release(m)
	d, err := readDirectory(m)
	if err != nil || d.Problem != *p || d.Width != 0 {
		return s, false, nil
	}
	return d.value(path, m.size()), true, nil
}
