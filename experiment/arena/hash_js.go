package arena

import (
	"hash"
	"hash/fnv"
)

// newHash returns the hash function of [Digest]. Digests of a browser stay in the browser, so they need
// not equal those of stores; crypto/sha256 would make the engine larger.
func newHash() hash.Hash { return fnv.New128a() }
