//go:build !race && !js

package middle

import "embed"

//go:embed networks
var embedded embed.FS
