package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// output is a file to be written: to a temporary file beside it, which takes its
// name once everything is in it.
type output struct {
	path string
	temp *os.File
}

// newOutput opens the temporary file, so that a path that cannot be written is
// told before the work begins.
func newOutput(path string) (*output, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, usagef("%s is a folder: want a file", path)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, usagef("%s cannot be written: %w", path, rootCause(err))
	}
	return &output{path, temp}, nil
}

// rootCause is the reason without the temporary file's name.
func rootCause(err error) error {
	if p, ok := err.(*os.PathError); ok {
		return p.Err
	}
	return err
}

// commit fills the file and gives it its name.
func (o *output) commit(write func(io.Writer) error) error {
	err := write(o.temp)
	if err == nil {
		err = o.temp.Chmod(0o644)
	}
	if err == nil {
		err = o.temp.Sync()
	}
	if closed := o.temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(o.temp.Name(), o.path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	o.temp = nil
	return nil
}

// discard removes the temporary file of an output that was not committed.
func (o *output) discard() {
	if o != nil && o.temp != nil {
		o.temp.Close()
		os.Remove(o.temp.Name())
	}
}
