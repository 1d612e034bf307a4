package xdg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrNotOwn means that a file or folder may contain what another user wrote: another user owns it
// or may write to it, or it is a link or has another type.
var ErrNotOwn = errors.New("must be a file or folder of this user that is no link and that nobody else may write to")

// CheckOwn returns an error unless a folder belongs to the user alone. The error is ErrNotOwn if it
// is a link or no folder, if another user owns it, or if others may write to it.
func CheckOwn(folder string) error {
	info, err := os.Lstat(folder)
	if err == nil && (!info.IsDir() || !private(info)) {
		err = notOwn(folder)
	}
	return err
}

// MakeOwn creates a folder with mode 0700. If the folder exists, belongs to the user and gives
// permissions to others, MakeOwn sets that mode. It then returns the error of CheckOwn.
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

// OpenOwn opens a regular file that belongs to the user alone, with flags of os.OpenFile. Otherwise
// it fails with ErrNotOwn. It creates files with mode 0600. If another process replaces the file
// meanwhile, OpenOwn tries again, at most ten times in all.
func OpenOwn(path string, flags int) (file *os.File, err error) {
	for range 10 {
		if file, err = openSame(path, flags); !errors.Is(err, errReplaced) {
			break
		}
	}
	return file, err
}

var errReplaced = errors.New("it was replaced meanwhile")

// openSame makes one attempt for OpenOwn. It fails with errReplaced if the file is replaced between
// the check and the opening.
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
	case !private(opened):
		return nil, errors.Join(notOwn(path), file.Close())
	}
	return file, nil
}

// private reports whether a file belongs to the user and others may not write to it.
func private(info fs.FileInfo) bool { return owned(info) && permissions(info)&0o022 == 0 }

func notOwn(path string) error { return fmt.Errorf("%s: %w", path, ErrNotOwn) }
