//go:build race

package champion

import "embed"

// A build for the race detector has no network, since decoding takes it most of a minute. Tests
// look for races with smaller ones.
var embedded embed.FS
