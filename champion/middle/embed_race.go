//go:build race || js

package middle

import "embed"

// A build for the race detector has no networks; see package champion.
var embedded embed.FS
