package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"afterstate/internal/atomicfile"
	"afterstate/internal/inputfile"
)

// output is a file to be written: to a temporary file beside it, which takes its
// name once everything is in it.
type output struct {
	path string // as the user wrote it
	real string // where links lead
	temp *atomicfile.File
}

// newOutput opens the temporary file, so that a path that cannot be written is
// told before the work begins. Only files are replaced, and links to files keep
// pointing where they do.
func newOutput(path string) (*output, error) {
	o := &output{path: path, real: path}
	mode := fs.FileMode(0)
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return nil, usagef("%s is %s: want a file", path, inputfile.Kind(info))
	case err == nil:
		mode = info.Mode().Perm()
		if o.real, err = filepath.EvalSymlinks(path); err != nil {
			return nil, usagef("%s cannot be written: %w", path, rootCause(err))
		}
	}
	temp, err := atomicfile.Create(o.real, 0o666)
	if err != nil {
		return nil, usagef("%s cannot be written: %w", path, rootCause(err))
	}
	o.temp = temp
	if mode != 0 {
		if err := temp.Chmod(mode); err != nil {
			o.discard()
			return nil, usagef("%s cannot be written: %w", path, rootCause(err))
		}
	}
	return o, nil
}

// rootCause is the reason without the temporary file's name.
func rootCause(err error) error { return inputfile.Cause(err) }

// commit fills the file and gives it its name.
func (o *output) commit(write func(io.Writer) error) error {
	err := write(o.temp)
	if err == nil {
		err = o.temp.Commit()
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
		o.temp.Discard()
	}
}

// distinct refuses to have one file named twice. Empty paths are none.
func distinct(paths ...string) error {
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "" {
			continue
		}
		full, err := filepath.Abs(path)
		if err != nil {
			return usage(err)
		}
		if real, err := filepath.EvalSymlinks(full); err == nil {
			full = real
		}
		if seen[full] {
			return usagef("%s is named twice: want a file for each", path)
		}
		seen[full] = true
	}
	return nil
}

// openInput opens a file for reading, no device and no pipe: those may never end.
func openInput(path string) (*os.File, error) {
	f, err := inputfile.Open(path)
	return f, usage(err)
}

// maxSpecFile is the largest file that a spec may name; weights take a few lines.
const maxSpecFile = 1 << 20

// readSpecFile reads a file that a spec names.
func readSpecFile(path string) ([]byte, error) {
	f, err := openInput(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSpecFile+1))
	if err == nil && len(data) > maxSpecFile {
		err = fmt.Errorf("%s has more than %d bytes: want a small file of weights", path, maxSpecFile)
	}
	return data, err
}
