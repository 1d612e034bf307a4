package xdg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrNotOwn means that a file or folder may contain what another user wrote: another user owns it
// or may write to it, or it is a link or has another type.
var ErrNotOwn = errors.New("must be a file or folder that this user owns, not a link, and that nobody else may write to")

// CheckOwn returns an error unless a folder belongs to the user alone. The error is ErrNotOwn if
// the path is a link or not a folder, if another user owns it, or if others may write to it.
func CheckOwn(folder string) error {
	info, err := os.Lstat(folder)
	if err == nil && (!info.IsDir() || !private(info)) {
		err = notOwn(folder)
	}
	return err
}

// MakeOwn creates a folder with mode 0700. If the folder exists, belongs to the user and gives
// permissions to others, MakeOwn changes its mode to 0700. In all cases it checks the result with CheckOwn.
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
// it fails with ErrNotOwn. It creates files with mode 0600.
func OpenOwn(path string, flags int) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, notOwn(path)
	}
	file, err := os.OpenFile(path, flags|noLink, 0o600) // noLink: a link may have replaced the file after Lstat
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !(info.Mode().IsRegular() && private(info)) {
		err = notOwn(path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// private reports whether a file belongs to the user and others may not write to it.
func private(info fs.FileInfo) bool { return owned(info) && permissions(info)&0o022 == 0 }

func notOwn(path string) error { return fmt.Errorf("%s: %w", path, ErrNotOwn) }
