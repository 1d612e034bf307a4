package hub

import (
	"crypto/sha256"
	"crypto/subtle"
	"regexp"

	"github.com/nats-io/nats-server/v2/server"
)

// Permissions are the subjects, with NATS wildcards, that clients may publish and subscribe to.
type Permissions struct{ Publish, Subscribe []string }

// authenticator admits clients by their tokens. It implements server.Authentication.
type authenticator struct {
	owner, worker [sha256.Size]byte // hashes of the tokens, which hide their lengths
	permissions   func(name string) Permissions
}

func newAuthenticator(a *access, permissions func(name string) Permissions) *authenticator {
	return &authenticator{sha256.Sum256([]byte(a.OwnerToken)), sha256.Sum256([]byte(a.WorkerToken)), permissions}
}

// clientName excludes names that are more than one token of a subject, or a wildcard.
var clientName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Check implements server.Authentication.
func (a *authenticator) Check(c server.ClientAuthentication) bool {
	given := sha256.Sum256([]byte(c.GetOpts().Token))
	switch name := c.GetOpts().Name; {
	case subtle.ConstantTimeCompare(given[:], a.owner[:]) == 1:
		c.RegisterUser(&server.User{Username: "owner"})
	case subtle.ConstantTimeCompare(given[:], a.worker[:]) == 1 && clientName.MatchString(name):
		var p Permissions
		if a.permissions != nil {
			p = a.permissions(name)
		}
		c.RegisterUser(&server.User{Username: "worker", Permissions: &server.Permissions{Publish: only(p.Publish), Subscribe: only(p.Subscribe)}})
	default:
		return false
	}
	return true
}

// only permits these subjects. The server takes an empty list for all subjects.
func only(subjects []string) *server.SubjectPermission {
	if len(subjects) == 0 {
		return &server.SubjectPermission{Deny: []string{">"}}
	}
	return &server.SubjectPermission{Allow: subjects}
}
