package jetstream

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Options say how to reach a NATS server, and how its queues behave. Only URL is required.
type Options struct {
	// URL is the server's, or several of one cluster separated by commas; see ParseURL.
	URL string
	// Token, or User and Password, authenticate this client, as does the file CredsFile. At most one
	// of the three is used.
	Token, User, Password, CredsFile string
	// CAFile is a PEM file with the certificates that the server's must descend from; "": those of
	// the system.
	CAFile string
	// CertSHA256 is the SHA-256 of the server's certificate, in hexadecimal. If it is set, exactly
	// this certificate is accepted, whatever its name, and the connection uses TLS.
	CertSHA256 string

	// Namespace begins all names of streams and subjects; "": afterstate.
	Namespace string
	// ID names this client's inbox. Clients with equal IDs read each other's messages, so it is
	// random unless set. Servers that give each worker permissions of its own (WorkerPermissions)
	// know it as the client's name.
	ID string
	// Lease is how long a worker may be silent before its chunk is handed out again; 0: 30 s.
	// Schedulers and workers use the same.
	Lease time.Duration
	// MaxAttempts is how often a chunk is handed out before it counts as failed; 0: 5.
	MaxAttempts int
	// Replicas is the number of servers that store each message, if this client creates the streams;
	// 0: 1. A cluster of three survives the loss of one with 3.
	Replicas int
	// OnState is called when the connection is lost (err is why) and when it is back (nil).
	OnState func(err error)
	// OnNotice is called with a sentence when the server has refused for seconds to store chunks or deliveries, when it
	// stores them again, and when it does not permit something. It must not use the client.
	OnNotice func(text string)
}

// ParseURL reads the URL of a server, or several separated by commas:
//
//	nats://TOKEN@host:4222?cert=SHA256
//	tls://user:password@host:4222?namespace=alice&replicas=3
//
// Its query may have cert (CertSHA256), namespace and replicas. The result's URL has neither query nor
// secrets, and can be shown.
func ParseURL(text string) (Options, error) {
	var o Options
	var hosts []string
	for _, part := range strings.Split(text, ",") {
		if err := o.readURL(strings.TrimSpace(part), &hosts); err != nil {
			return Options{}, err
		}
	}
	o.URL = strings.Join(hosts, ",")
	return o, o.check()
}

func (o *Options) readURL(text string, hosts *[]string) error {
	const want = "want nats://TOKEN@HOST:4222, tls://USER:PASSWORD@HOST:4222 or similar"
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		// The error of net/url repeats the text, which may hold a secret.
		return errors.New("this is no URL of a NATS server: " + want)
	}
	switch {
	case u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" && u.Scheme != "wss":
		return fmt.Errorf("scheme %q: %s", u.Scheme, want)
	case u.Hostname() == "":
		return errors.New("the URL names no host: " + want)
	case u.Path != "" && u.Path != "/":
		return fmt.Errorf("path %q: %s", u.Path, want)
	}
	if u.User != nil {
		if password, both := u.User.Password(); both {
			o.User, o.Password = u.User.Username(), password
		} else {
			o.Token = u.User.Username()
		}
	}
	for key, values := range u.Query() {
		switch key {
		case "cert":
			o.CertSHA256 = strings.ToLower(strings.ReplaceAll(values[0], ":", ""))
		case "namespace":
			o.Namespace = values[0]
		case "replicas":
			if o.Replicas, err = strconv.Atoi(values[0]); err != nil || o.Replicas < 1 {
				return fmt.Errorf("replicas=%s in the URL: want a number from 1 to 5", values[0])
			}
		default:
			return fmt.Errorf("%q in the URL: want cert, namespace or replicas", key)
		}
	}
	*hosts = append(*hosts, u.Scheme+"://"+net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "4222")))
	return nil
}

// namePattern is what namespaces and IDs may be: one token of a subject and a part of a stream's
// name.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

var certPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// check returns an error for values that cannot be used.
func (o *Options) check() error {
	switch {
	case o.URL == "":
		return errors.New("no URL of a NATS server is given")
	case o.Namespace != "" && !namePattern.MatchString(o.Namespace):
		return fmt.Errorf("namespace %q: want up to 64 letters, digits, _ and -", o.Namespace)
	case o.ID != "" && !namePattern.MatchString(o.ID):
		return fmt.Errorf("client ID %q: want up to 64 letters, digits, _ and -", o.ID)
	case o.CertSHA256 != "" && !certPattern.MatchString(o.CertSHA256):
		return fmt.Errorf("certificate %q: want its SHA-256, 64 hexadecimal digits", o.CertSHA256)
	case o.Lease < 0 || o.MaxAttempts < 0 || o.Replicas < 0 || o.Replicas > 5:
		return fmt.Errorf("lease %v, %d attempts, %d replicas: want none below 0, and up to 5 replicas", o.Lease, o.MaxAttempts, o.Replicas)
	}
	for _, file := range []string{o.CredsFile, o.CAFile} {
		if file == "" {
			continue
		}
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

// checked returns the options with defaults filled in.
func (o Options) checked() (Options, error) {
	if err := o.check(); err != nil {
		return o, err
	}
	o.Namespace, o.ID = cmp.Or(o.Namespace, defaultNamespace), cmp.Or(o.ID, rand.Text())
	o.Lease, o.MaxAttempts, o.Replicas = cmp.Or(o.Lease, 30*time.Second), cmp.Or(o.MaxAttempts, 5), cmp.Or(o.Replicas, 1)
	if o.OnState == nil {
		o.OnState = func(error) {}
	}
	if o.OnNotice == nil {
		o.OnNotice = func(string) {}
	}
	return o, nil
}
