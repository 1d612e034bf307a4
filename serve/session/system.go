//go:build !js

package session

import (
	"context"
	"crypto/rand"
	"errors"
	"log"
	"os"
	"regexp"
	"strings"

	"github.com/afterstate2048/afterstate/protocol"
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

// Workers is what Experiments implement where other machines may play.
type Workers interface {
	// Workers returns the workers that play for this server, and what waits for them.
	Workers(ctx context.Context) (*protocol.WorkerList, error)
}

// workerMethods are those of servers. A browser's engine is smaller without them.
var workerMethods = []Method{
	stored[protocol.WorkerList]("experiments.workers", Immediate, func(x Experiments, ctx context.Context, _ *none) (any, error) {
		if w, ok := x.(Workers); ok {
			return w.Workers(ctx)
		}
		return nil, errors.New("no other machine plays for this server")
	}),
}

// logf logs by the standard logger.
func logf(format string, args ...any) { log.Printf(format, args...) }

// secret returns a text that nobody can guess.
func secret() string { return rand.Text() }
