// Package atomicfile replaces files atomically: data is written to a temporary file in the same
// folder, which is renamed at the end.
//
//	f, err := atomicfile.Create("game.json", 0o666)
//	...
//	_, err = f.Write(data)
//	...
//	err = f.Commit()
//
// A process that is killed leaves its temporary file behind. The next Create in that folder removes
// it. Create locks each temporary file, and removes a file only if it is a regular file, has the name of
// a temporary file, and is not locked. Where files cannot be locked (Windows, some network file
// systems), nothing is removed.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/afterstate2048/afterstate/internal/filelock"
)

// File is a temporary file that will replace another file. End it with Commit or Discard.
type File struct {
	*os.File
	path string
	lock *filelock.Lock // nil where files cannot be locked
	done bool
}

// suffix is the end of a temporary name, which consists of a dot, the first bytes of the file's
// name, a dot, random digits and the suffix.
const suffix = ".afterstate"

// maxStem is the maximum number of bytes of the file's name in a temporary name: names are limited
// to 255 bytes.
const maxStem = 200

// IsTemporary reports whether a file name has the form that Create gives to temporary files.
func IsTemporary(name string) bool {
	stem, ends := strings.CutSuffix(name, suffix)
	dot := len(stem) - 9 // index of the dot before the digits
	return ends && dot > 1 && stem[0] == '.' && stem[dot] == '.' && strings.Trim(stem[dot+1:], "0123456789abcdef") == ""
}

// Create opens a temporary file next to path with these permissions (before umask), and removes
// leftovers of killed processes from the folder.
func Create(path string, perm fs.FileMode) (*File, error) {
	folder, name := filepath.Split(path)
	removeLeftovers(filepath.Clean(folder + "."))
	if len(name) > maxStem {
		name = strings.ToValidUTF8(name[:maxStem], "")
	}
	for {
		f, err := os.OpenFile(fmt.Sprintf("%s.%s.%08x%s", folder, name, rand.Uint32(), suffix), os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return nil, err
		}
		lock, err := filelock.Open(f.Name())
		if !errors.Is(err, filelock.ErrLocked) {
			return &File{File: f, path: path, lock: lock}, nil
		}
		_ = f.Close() // another process found the file before it was locked, and removes it as a leftover
	}
}

// removeLeftovers removes the temporary files of killed processes from a folder.
func removeLeftovers(folder string) {
	entries, _ := os.ReadDir(folder) // if this fails, leftovers remain, which is harmless
	for _, e := range entries {
		if e.Type().IsRegular() && IsTemporary(e.Name()) {
			if lock, err := filelock.Open(filepath.Join(folder, e.Name())); err == nil {
				_ = lock.Remove()
			}
		}
	}
}

// Close closes the file and releases its lock.
func (f *File) Close() error {
	err := f.File.Close()
	if f.lock != nil {
		err = errors.Join(err, f.lock.Close())
	}
	return err
}

// Commit syncs the file and renames it to its path. After an error the temporary file is removed.
func (f *File) Commit() error {
	err := f.Sync()
	if runtime.GOOS == "windows" { // Windows cannot rename open files
		err = errors.Join(err, f.Close())
	}
	if err == nil { // rename before closing, which releases the lock
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		f.Discard()
		return err
	}
	f.done = true
	if runtime.GOOS != "windows" {
		return f.Close()
	}
	return nil
}

// Discard removes the temporary file, unless it was committed.
func (f *File) Discard() {
	if !f.done {
		f.done = true
		if runtime.GOOS == "windows" { // Windows cannot remove open files
			_ = f.Close()
		}
		_ = os.Remove(f.Name())
		_ = f.Close()
	}
}

// Write replaces the content of a file atomically.
func Write(path string, data []byte, perm fs.FileMode) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.File.Write(data); err != nil {
		return err
	}
	return f.Commit()
}
