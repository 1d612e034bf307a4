// Package output writes the results of commands: files that appear only when they are complete,
// JSON lines, and the flags --format and --out.
package output

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/inputfile"
)

// File is an output file. It is written to a temporary file next to it, which is renamed when it is
// complete.
type File struct {
	path string // the path as the user wrote it
	real string // the path with links resolved
	Temp *atomicfile.File
}

// Create opens the temporary file, so that an unwritable path fails before the work begins. It
// replaces regular files only; links to files are preserved. For "" it returns nil, which nothing is written to.
func Create(path string) (*File, error) {
	if path == "" {
		return nil, nil
	}
	o := &File{path: path, real: path}
	mode := fs.FileMode(0)
	failed := func(err error) error { return usage.Errorf("%s cannot be written: %w", path, inputfile.Cause(err)) }
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return nil, usage.Errorf("%s is %s: want a file", path, inputfile.Kind(info))
	case err == nil:
		mode = info.Mode().Perm()
		if o.real, err = filepath.EvalSymlinks(path); err != nil {
			return nil, failed(err)
		}
	}
	temp, err := atomicfile.Create(o.real, 0o666)
	if err != nil {
		return nil, failed(err)
	}
	o.Temp = temp
	if mode != 0 {
		if err := temp.Chmod(mode); err != nil {
			o.Discard()
			return nil, failed(err)
		}
	}
	return o, nil
}

// Commit writes the content and renames the file.
func (o *File) Commit(write func(io.Writer) error) error {
	if o == nil {
		return nil
	}
	err := write(o.Temp)
	if err == nil {
		err = o.Temp.Commit()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	o.Temp = nil
	return nil
}

// Write writes a complete file.
func Write(path string, write func(io.Writer) error) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	return file.Commit(write)
}

// Discard removes the temporary file of an output that was not committed.
func (o *File) Discard() {
	if o != nil && o.Temp != nil {
		o.Temp.Discard()
	}
}

// Distinct returns an error if two paths name the same file. Empty paths are ignored.
func Distinct(paths ...string) error {
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "" {
			continue
		}
		full, err := filepath.Abs(path)
		if err != nil {
			return usage.Wrap(err)
		}
		if real, err := filepath.EvalSymlinks(full); err == nil {
			full = real
		}
		if seen[full] {
			return usage.Errorf("%s is named twice: want a file for each", path)
		}
		seen[full] = true
	}
	return nil
}
