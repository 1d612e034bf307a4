//go:build !js

package session

import "crypto/rand"

// secret returns a text that nobody can guess.
func secret() string { return rand.Text() }
