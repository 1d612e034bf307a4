//go:build !js

package session

import (
	"crypto/rand"
	"log"
	"os"
	"regexp"
	"strings"
)

// absolutePath matches paths at the beginning of a word. Board notations contain no word that
// begins with a slash.
var absolutePath = regexp.MustCompile(`(?:^|[\s"'(=\[<:,])(?:/[^\s"'():;,\\/]+(?:/[^\s"'():;,\\/]*)+|[A-Za-z]:\\[^\s"'():;,]+)`)

var home, _ = os.UserHomeDir() // "" on systems without home folders

// WithoutPaths replaces each absolute path in a text by its last element, unless the path occurs in
// known.
func WithoutPaths(text, known string) string {
	if len(home) > 1 && !strings.Contains(known, home) {
		text = strings.ReplaceAll(text, home+string(os.PathSeparator), "/~/") // the home folder's name may contain spaces
	}
	return absolutePath.ReplaceAllStringFunc(text, func(found string) string {
		at := strings.IndexAny(found, `/\`)
		if at > 1 && found[at-1] == ':' && found[at] == '\\' {
			at -= 2 // include the drive letter
		}
		path := found[at:]
		if strings.Contains(known, path) {
			return found
		}
		path = strings.TrimRight(path, `/\`)
		return found[:at] + path[strings.LastIndexAny(path, `/\`)+1:]
	})
}

// logf logs by the standard logger.
func logf(format string, args ...any) { log.Printf(format, args...) }

// secret returns a text that nobody can guess.
func secret() string { return rand.Text() }
