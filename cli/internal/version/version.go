// Package version has the version of Afterstate's programs. It imports nothing, so that afterstate-hub
// links no players and networks for it.
package version

// Version is the version of afterstate and afterstate-hub.
const Version = "0.1.0"
