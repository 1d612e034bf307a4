//go:build !race

package middle

import "embed"

//go:embed networks
var embedded embed.FS
