package solve

import "embed"

// A build for browsers has no samples, so that it loads quickly.
var samples embed.FS
