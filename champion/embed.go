//go:build !race && !js

package champion

import "embed"

//go:embed parts
var embedded embed.FS
