package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"afterstate/arena"
	"afterstate/internal/inputfile"
)

// Identity returns a spec with files replaced by the SHA-256 of their contents (see
// arena.Identity). The value of a key "model" may be the name of a training run instead of a file;
// checkpoint returns the run's file. Words of a command are files if they name regular ones from here:
// the interpreter that PATH finds is not one of them.
func Identity(spec string, checkpoint func(run string) (path string, err error)) (string, error) {
	return identity(spec, checkpoint, func(string, string, string) {})
}

// Files returns the paths of the files that a spec names outside of commands, by the SHA-256 of their
// contents; see Identity.
func Files(spec string, checkpoint func(run string) (path string, err error)) (map[string]string, error) {
	all := map[string]string{}
	_, err := identity(spec, checkpoint, func(key, sum, path string) {
		if key != "cmd" {
			all[sum] = path
		}
	})
	return all, err
}

// identity calls found for every file.
func identity(spec string, checkpoint func(run string) (string, error), found func(key, sum, path string)) (string, error) {
	return arena.Identity(spec, func(key, path string) (string, bool, error) {
		if info, err := os.Stat(path); key == "cmd" && (err != nil || !info.Mode().IsRegular()) {
			return "", false, nil
		} else if key == "model" && (err != nil || !info.Mode().IsRegular()) {
			if path, err = checkpoint(path); err != nil {
				return "", false, nil
			}
		}
		f, err := inputfile.Open(path)
		if err != nil {
			return "", false, err
		}
		defer f.Close()
		sum := sha256.New()
		if _, err := io.Copy(sum, f); err != nil {
			return "", false, fmt.Errorf("%s: %w", path, inputfile.Cause(err))
		}
		hash := hex.EncodeToString(sum.Sum(nil))
		found(key, hash, path)
		return "sha256:" + hash, true, nil
	})
}
