package session

import (
	"fmt"
	"math/rand/v2"
)

// secret returns a random text. The page is the only client of an engine in a browser, so the text only
// needs to be different each time; crypto/rand would make the engine larger.
func secret() string { return fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64()) }
