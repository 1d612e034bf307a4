package session

import (
	"fmt"
	"math/rand/v2"
	"os"
)

// serverMethods is empty, because a browser is not a server.
var serverMethods []Method

// logf logs to the browser's console, without package log, which would make the engine larger.
func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// secret returns a random text. The page is the only client of an engine in a browser, so the text only
// needs to be different each time; crypto/rand would make the engine larger.
func secret() string { return fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64()) }
