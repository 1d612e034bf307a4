//go:build !unix

package xdg

import "io/fs"

// Systems without owners and permissions of this kind keep the folders of users apart themselves.
func owned(fs.FileInfo) bool { return true }

func permissions(fs.FileInfo) fs.FileMode { return 0 }
