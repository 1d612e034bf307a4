//go:build !js

package arena

import (
	"crypto/sha256"
	"hash"
)

// newHash returns the hash function of [Digest].
func newHash() hash.Hash { return sha256.New() }
