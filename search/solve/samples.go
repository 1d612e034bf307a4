//go:build !js

package solve

import "embed"

//go:embed samples
var samples embed.FS
