//go:build !js

package experiment

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/player/bot"
)

// Limits on the folder of a program. If a folder exceeds them, only the files that the command names are
// hashed.
const (
	maxSources     = 2000
	maxSourceBytes = 100 << 20
	maxEntries     = 100_000
)

// sourceEndings are the file name extensions of source files.
var sourceEndings = strings.Fields(`.bash .c .cc .clj .cljs .cpp .cs .cxx .d .dart .ex .exs .fs .go .groovy .h .hpp .hs .hxx .java
	.jl .js .jsx .kt .kts .lisp .lua .m .mjs .cjs .ml .mli .nim .pas .php .pl .pm .ps1 .py .pyx .r .rb .rkt .rs .scala .scm .sh
	.sql .swift .tcl .ts .tsx .v .vb .zig .mod .toml`)

var errTooMany = errors.New("too many files")

// tooManySources replaces the hash of the sources if a program has too many of them.
const tooManySources = "not compared"

// sources returns "sha256:" and a hash over the names and contents of the source files below a program's folder, except
// the files that its command names. Links, hidden folders, and folders of installed packages are left out.
func sources(command string) (string, error) {
	words, err := bot.SplitCommand(command)
	if err != nil {
		return "", nil // not a valid command
	}
	folder := programFolder(words)
	if folder == "" {
		return "", nil
	}
	all := sha256.New()
	files, bytes, entries := 0, int64(0), 0
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if entries++; entries > maxEntries {
			return errTooMany
		}
		switch {
		case err != nil && path == folder:
			return err
		case err != nil:
			return fs.SkipDir
		case e.IsDir() && path != folder && installed(path):
			return fs.SkipDir
		case !e.Type().IsRegular() || !isSource(path) || isNamed(words, path):
			return nil
		}
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
		if files == maxSources || bytes > maxSourceBytes {
			return errTooMany
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil // skip the file: the program cannot read it either
		}
		files++
		name, err := filepath.Rel(folder, path)
		fmt.Fprintf(all, "%q %x\n", filepath.ToSlash(name), sha256.Sum256(data))
		return err
	})
	switch {
	case errors.Is(err, errTooMany):
		return tooManySources, nil
	case err != nil:
		return "", fmt.Errorf("the sources of %s: %w", command, err)
	case files == 0:
		return "", nil
	}
	return fmt.Sprintf("sha256:%x", all.Sum(nil)), nil
}

// programFolder returns the folder of the program that a command starts: the folder of the first
// file that the command names; else the first folder that it names, as in "go run ."; else the
// working directory, as for "python3 -m bot". It returns "" for a compiled program, and for a
// command that consists only of a name found in PATH.
func programFolder(words []string) string {
	for i, word := range words {
		_, value, _ := strings.Cut(word, "=")
		for _, path := range []string{word, value} {
			info, err := os.Stat(path)
			switch {
			case path == "" || err != nil:
			case info.IsDir():
				return path
			case i == 0 && !isSource(path) && !isScript(path):
				return ""
			case info.Mode().IsRegular():
				return filepath.Dir(path)
			}
		}
	}
	if len(words) < 2 {
		return ""
	}
	return "."
}

func isSource(path string) bool {
	return slices.Contains(sourceEndings, strings.ToLower(filepath.Ext(path)))
}

// isScript reports whether a file begins with #!.
func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var front [2]byte
	_, _ = f.Read(front[:])
	return string(front[:]) == "#!"
}

// isNamed reports whether a command names a file. The identity contains the hashes of such files anyway.
func isNamed(words []string, path string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		_, value, _ := strings.Cut(word, "=")
		return filepath.Clean(word) == filepath.Clean(path) || value != "" && filepath.Clean(value) == filepath.Clean(path)
	})
}

// installed reports whether a folder is hidden, or holds build output or installed packages.
func installed(folder string) bool {
	name := filepath.Base(folder)
	_, err := os.Stat(filepath.Join(folder, "pyvenv.cfg"))
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__" || name == "target" || err == nil
}

// HasTooManySources reports whether a program has too many source files to hash. The identity then covers only the
// files that the spec names.
func HasTooManySources(identity string) bool {
	return arena.Argument(identity, "sources") == tooManySources
}
