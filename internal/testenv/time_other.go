//go:build !unix

package testenv

import "time"

var started = time.Now()

// ProcessorTime returns the time since the process started, as a bound of the time that it has computed.
func ProcessorTime() time.Duration { return time.Since(started) }
