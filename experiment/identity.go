//go:build !js

package experiment

// This file is not compiled for browsers: they have no files to hash, and crypto/sha256 would make the engine
// larger.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/player/spec"
)

// Identity returns a spec in which file names are replaced by the SHA-256 of the files' contents (see
// arena.Identity). The values of the keys "model" and "endings" may be names of training runs instead of
// files; checkpoint returns the run's file. A word of a command counts as a file if it names a regular file
// relative to the working directory; so an interpreter that is found in PATH is not hashed. The other source
// files in a program's folder are hashed too.
func Identity(text string, checkpoint func(run string) (path string, err error)) (string, error) {
	id, err := arena.Identity(text, func(key, value string) (string, bool, error) {
		_, hash, err := identified(key, value, checkpoint)
		return hash, hash != "", err
	})
	if err != nil {
		return "", err
	}
	s, err := spec.Parse(text)
	if err != nil || s.Name != "exec" {
		return id, err
	}
	command, _ := s.Get("cmd")
	files, err := sources(command.Text)
	if err != nil {
		return "", err
	}
	return arena.With(id, spec.Arg{Key: "sources", Value: spec.Value{Text: files, Quoted: true}})
}

// identified returns the file that a key's value names, and the hash of its contents. Both are "" if the
// value names no file.
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

// Files returns the files that a spec names, as a map from the hash in the spec's identity ("sha256:...") to the
// path. Files in the command of an exec player are left out. checkpoint is used as in Identity.
func Files(spec string, checkpoint func(run string) (path string, err error)) (map[string]string, error) {
	all := map[string]string{}
	_, err := arena.Identity(spec, func(key, value string) (string, bool, error) {
		path, hash, err := identified(key, value, checkpoint)
		if hash != "" && key != "cmd" {
			all[hash] = path
		}
		return hash, hash != "", err
	})
	return all, err
}

// MatchName returns the default name for a match's experiment: the players' names, and four
// hexadecimal digits of a hash of their identities and the setup.
func MatchName(setup arena.Setup, entrants []Entrant) string {
	var names, all []string
	for _, e := range entrants {
		name, _, _ := strings.Cut(e.Spec, "(")
		names, all = append(names, name), append(all, e.Identity)
	}
	sum := sha256.Sum256([]byte(strings.Join(append(all, setup.Hash()), "\n")))
	return fmt.Sprintf("%s-%x", strings.Join(names, "-vs-"), sum[:2])
}
