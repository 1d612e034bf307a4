//go:build race || js

package champion

import "embed"

// A build for the race detector has no networks, since decoding would take most of a minute. Tests
// look for races with smaller networks. A build for browsers has none either: the page downloads
// networks after it has started.
var embedded embed.FS
