// Package inputfile opens input files that a user names, with clear errors.
package inputfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a regular file for reading. It refuses folders, pipes and devices, since reading some
// of them never ends. Errors contain the path as given.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, unreadable(path, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is %s: must be a file", path, Kind(info))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return f, nil
}

// Read returns the contents of a regular file, with the errors of Open.
func Read(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return data, nil
}

func unreadable(path string, err error) error {
	return fmt.Errorf("%s cannot be read: %w", path, Cause(err))
}

// Kind returns a description of a file that is not regular: a folder, a pipe or a device.
func Kind(info fs.FileInfo) string {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	default:
		return "a device"
	}
}

// Cause returns the reason in an *fs.PathError, without operation and path. It returns other errors
// unchanged.
func Cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
