//go:build !js

package models

import (
	"fmt"
	"os"

	"github.com/afterstate2048/afterstate/internal/names"
)

// Locate returns the path of the model that a user names: a file, or else the checkpoint of the
// training run with this name, which run returns. The names of the embedded networks, and what can be no run's,
// are returned unchanged for Open.
func Locate(name string, run func(name string) (path string, err error)) (path string, err error) {
	if _, known := named[name]; known || isFile(name) || !names.Valid(name) {
		return name, nil
	}
	if path, err = run(name); err != nil {
		return "", fmt.Errorf("%s is no file, and %w", name, err)
	}
	return path, nil
}

// isFile reports whether there is something at the path that is not a folder.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
