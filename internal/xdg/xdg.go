// Package xdg finds the program's folders according to the XDG Base Directory Specification:
// https://specifications.freedesktop.org/basedir-spec/latest/.
//
//	folder, err := xdg.Data() // ~/.local/share/afterstate, or below XDG_DATA_HOME
//
// The folders need not exist. Create and check cache folders with [MakeOwn] and [CheckOwn], and
// open their files with [OpenOwn]. These refuse files and folders that other users may have
// written.
package xdg

import (
	"os"
	"path/filepath"
)

const program = "afterstate"

// Data returns the folder for data: experiments and training runs.
func Data() (string, error) { return folder("XDG_DATA_HOME", ".local", "share") }

// State returns the folder for state, such as an unfinished game.
func State() (string, error) { return folder("XDG_STATE_HOME", ".local", "state") }

// Cache returns the folder for data that can be computed again.
func Cache() (string, error) { return folder("XDG_CACHE_HOME", ".cache") }

// folder returns the program's folder in a base directory. It fails if neither the variable nor a
// home directory is set.
func folder(variable string, below ...string) (string, error) {
	base := os.Getenv(variable)
	if !filepath.IsAbs(base) { // the specification says to ignore relative paths
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		base = filepath.Join(append([]string{home}, below...)...)
	}
	return filepath.Join(base, program), nil
}
