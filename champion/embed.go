//go:build !race

package champion

import "embed"

//go:embed parts
var embedded embed.FS
