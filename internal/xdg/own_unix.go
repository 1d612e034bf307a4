//go:build unix

package xdg

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a file belongs to the user.
func owned(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}

func permissions(info fs.FileInfo) fs.FileMode { return info.Mode().Perm() }

// noLink makes os.OpenFile fail on a link, and keeps it from waiting for a writer on a pipe.
const noLink = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
