package jetstream

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// chunkMessage is a chunk in the stream.
type chunkMessage struct {
	Chunk arena.Chunk `json:"chunk"`
	Lease string      `json:"lease"`
}

// resultMessage is a delivery in the stream.
type resultMessage struct {
	arena.Delivery
	Lease     string `json:"lease"`
	From      string `json:"from"` // secret of the worker, see Worker
	Signature string `json:"signature,omitempty"`
	Version   string `json:"version"`
}

// newLease returns a lease for a chunk of an experiment: a random part, and a hash over both that
// nobody else can compute.
func newLease(key []byte, experiment string, c *arena.Chunk) string {
	nonce := rand.Text()
	return nonce + "." + leaseSum(key, experiment, nonce, c)
}

func leaseSum(key []byte, experiment, nonce string, c *arena.Chunk) string {
	h := hmac.New(sha256.New, key)
	chunk, _ := json.Marshal(c) // strings and numbers
	for _, part := range [][]byte{[]byte(experiment), []byte(nonce), chunk} {
		h.Write(part)
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// validLease reports whether a lease is one for this chunk.
func validLease(key []byte, experiment, lease string, c *arena.Chunk) bool {
	nonce, sum, ok := strings.Cut(lease, ".")
	return ok && hmac.Equal([]byte(sum), []byte(leaseSum(key, experiment, nonce, c)))
}

// publicID is the ID that others see of a worker. The worker's deliveries have its secret, so that
// nobody else can deliver in its name.
func publicID(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:6])
}
