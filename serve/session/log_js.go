package session

import (
	"fmt"
	"os"
)

// logf logs to the browser's console, without package log, which would make the engine larger.
func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
