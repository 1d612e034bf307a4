//go:build race

package champion

import "embed"

// A build for the race detector has no network: it would take such a program most of a
// minute to decode it. Races are looked for with smaller ones.
var embedded embed.FS
