//go:build !js

package solve

import (
	"context"
	"errors"
	"io/fs"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
)

// StartValue is the value of the start of a game: two start tiles under the problem's spawn rule.
type StartValue struct {
	Problem     Problem // its size has at most as many rows as columns
	Value       float64
	Boards      int64  // on which the player is to move, up to symmetry
	Afterstates int64  // up to symmetry
	Path        string // of the table, or of a small file with these figures
	Bytes       int64  // size of the file
}

// SolveStart returns the value of the start of a game, from the folder if it was computed before. For
// sizes that have tables it is Solve. For others it keeps three layers of values at a time, and the
// keys of all layers in a file that is removed at the end. It resumes and fails as Solve does.
func (f Folder) SolveStart(ctx context.Context, p Problem, o Options) (StartValue, error) {
	p, err := p.normalStart()
	if err != nil {
		return StartValue{}, err
	}
	if HasTable(p.Size) && !o.startOnly {
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
	if s.Path == "" { // computed now
		if ok, err := done(); !ok {
			return StartValue{}, errors.Join(errDamaged, err)
		}
	}
	return s, nil
}

func (d *directory) value(path string, bytes int64) StartValue {
	return StartValue{d.Problem, d.Start, d.Boards, d.Afterstates, path, bytes}
}

// writeStart writes the file with the value of the start: a directory without layers.
func (f Folder) writeStart(d *directory) error {
	var m inMemory
	if err := d.write(&m); err != nil {
		return err
	}
	return atomicfile.Write(f.path(&d.Problem, ".start"), m.data, 0o600)
}

// readStart reads it. ok is false if the file is missing or damaged: the caller then makes it.
func (f Folder) readStart(p *Problem) (s StartValue, ok bool, err error) {
	path := f.path(p, ".start")
	m, err := f.medium(path, p.tableSize())
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
