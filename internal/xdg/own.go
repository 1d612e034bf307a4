package xdg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrNotOwn means that a file or a folder is not the user's alone, so its content may be somebody else's.
var ErrNotOwn = errors.New("must be a file or folder of this user that is no link and that nobody else may write to")

// CheckOwn returns an error unless a folder is the user's own: ErrNotOwn if it is a link, belongs to another
// user, or others may write to it.
func CheckOwn(folder string) error {
	info, err := os.Lstat(folder)
	if err == nil && (!info.IsDir() || !own(info)) {
		err = notOwn(folder)
	}
	return err
}

// MakeOwn makes a folder with mode 0700, or gives a folder of the user that mode. Otherwise it fails as CheckOwn.
func MakeOwn(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if info.IsDir() && owned(info) && permissions(info)&0o077 != 0 {
		if err := os.Chmod(folder, 0o700); err != nil {
			return err
		}
	}
	return CheckOwn(folder)
}

// OpenOwn opens a regular file that is the user's own, with flags of os.OpenFile, and else fails with ErrNotOwn.
// Files are created with mode 0600. If another process replaces the file meanwhile, OpenOwn looks again.
func OpenOwn(path string, flags int) (file *os.File, err error) {
	for range 10 {
		if file, err = openSame(path, flags); !errors.Is(err, errReplaced) {
			break
		}
	}
	return file, err
}

var errReplaced = errors.New("it was replaced meanwhile")

// openSame is OpenOwn, unless the file is replaced meanwhile.
func openSame(path string, flags int) (*os.File, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && flags&os.O_CREATE != 0 {
		file, err := os.OpenFile(path, flags|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("%s: %w", path, errReplaced)
		}
		return file, err
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for a writer
		return nil, notOwn(path)
	}
	file, err := os.OpenFile(path, flags&^os.O_CREATE, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: %w", path, errReplaced, err)
	}
	if err != nil {
		return nil, err
	}
	switch opened, err := file.Stat(); {
	case err != nil:
		return nil, errors.Join(err, file.Close())
	case !os.SameFile(info, opened):
		return nil, errors.Join(fmt.Errorf("%s: %w", path, errReplaced), file.Close())
	case !own(opened):
		return nil, errors.Join(notOwn(path), file.Close())
	}
	return file, nil
}

// own reports whether a file is the user's, and others may not write to it.
func own(info fs.FileInfo) bool { return owned(info) && permissions(info)&0o022 == 0 }

func notOwn(path string) error { return fmt.Errorf("%s: %w", path, ErrNotOwn) }
