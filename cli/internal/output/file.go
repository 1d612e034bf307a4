// Package output writes what commands find: files that appear only when they are whole, JSON
// lines, and the flags --format and --out.
package output

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"afterstate/cli/internal/usage"
	"afterstate/internal/atomicfile"
	"afterstate/internal/inputfile"
)

// File is a file to be written: to a temporary file beside it, which takes its
// name once everything is in it.
type File struct {
	path string // as the user wrote it
	real string // where links lead
	Temp *atomicfile.File
}

// Create opens the temporary file, so that a path that cannot be written is
// told before the work begins. Only files are replaced, and links to files keep
// pointing where they do.
func Create(path string) (*File, error) {
	o := &File{path: path, real: path}
	mode := fs.FileMode(0)
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return nil, usage.Errorf("%s is %s: want a file", path, inputfile.Kind(info))
	case err == nil:
		mode = info.Mode().Perm()
		if o.real, err = filepath.EvalSymlinks(path); err != nil {
			return nil, usage.Errorf("%s cannot be written: %w", path, inputfile.Cause(err))
		}
	}
	temp, err := atomicfile.Create(o.real, 0o666)
	if err != nil {
		return nil, usage.Errorf("%s cannot be written: %w", path, inputfile.Cause(err))
	}
	o.Temp = temp
	if mode != 0 {
		if err := temp.Chmod(mode); err != nil {
			o.Discard()
			return nil, usage.Errorf("%s cannot be written: %w", path, inputfile.Cause(err))
		}
	}
	return o, nil
}

// Commit fills the file and gives it its name.
func (o *File) Commit(write func(io.Writer) error) error {
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

// Write makes a whole file.
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

// Distinct refuses to have one file named twice. Empty paths are none.
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
