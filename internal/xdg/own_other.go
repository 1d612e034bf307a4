//go:build !unix

package xdg

import "io/fs"

// owned returns true: this system has no Unix owners and permissions, and protects the folders of
// its users by other means.
func owned(fs.FileInfo) bool { return true }

func permissions(fs.FileInfo) fs.FileMode { return 0 }

const noLink = 0
