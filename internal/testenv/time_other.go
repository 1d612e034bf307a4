//go:build !unix

package testenv

import "time"

var started = time.Now()

// ProcessorTime returns the time since the process started, as an upper bound of the processor time
// that it has used.
func ProcessorTime() time.Duration { return time.Since(started) }
