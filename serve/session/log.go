//go:build !js

package session

import "log"

// logf logs by the standard logger.
func logf(format string, args ...any) { log.Printf(format, args...) }
