//go:build !race && !js

package champion

import "embed"

//go:embed parts middle/networks
var embedded embed.FS
