// Package version holds the version of the program, which commands, servers and stored results
// report, and the commit that it was built from.
package version

import "runtime/debug"

// Version is the program's version. Releases set it at link time, together with the variables
// commit and modified:
//
//	go build -ldflags "-X github.com/afterstate2048/afterstate/internal/version.Version=0.1.0"
var Version = "0.1.0"

// commit is the full hash of the commit. modified is "true" if the work tree had uncommitted changes.
// If the build does not set them, Commit uses the values that Go stored in the binary.
var commit, modified string

// Commit returns the revision that the program was built from, and whether the work tree had uncommitted
// changes. The revision is "" if it is unknown.
func Commit() (revision string, changed bool) {
	if commit != "" {
		return commit, modified == "true"
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	return revision, changed
}
