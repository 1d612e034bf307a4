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
// arena.Identity). The values of the keys "model" and "endings" may be names of training runs instead of files;
// checkpoint returns the run's file. Words of a command are files if they name regular ones from here:
// the interpreter that PATH finds is not one of them.
func Identity(spec string, checkpoint func(run string) (path string, err error)) (string, error) {
	return arena.Identity(spec, func(key, value string) (string, bool, error) {
		_, hash, err := identified(key, value, checkpoint)
		return hash, hash != "", err
	})
}

// identified returns the file that a key's value names, and the hash of its contents; "" if the
// value names none.
func identified(key, path string, checkpoint func(run string) (path string, err error)) (file, hash string, err error) {
	if info, err := os.Stat(path); key == "cmd" && (err != nil || !info.Mode().IsRegular()) {
		return "", "", nil
	} else if (key == "model" || key == "endings") && (err != nil || !info.Mode().IsRegular()) {
		if path, err = checkpoint(path); err != nil {
			return "", "", nil
		}
	}
	f, err := inputfile.Open(path)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", "", fmt.Errorf("%s: %w", path, inputfile.Cause(err))
	}
	return path, "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}
