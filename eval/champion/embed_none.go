//go:build race || js

package champion

import "embed"

// A build for the race detector has no network, since decoding takes it most of a minute. Tests
// look for races with smaller ones. A build for browsers has none either: the page loads networks
// when it has started.
var embedded embed.FS
