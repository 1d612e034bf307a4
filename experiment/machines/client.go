package machines

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

// Client is a connection to a NATS server. It is safe for concurrent use.
type Client struct {
	o    Options
	conn *nats.Conn
	js   js.JetStream
	life context.Context // cancelled when the connection ends

	fetching sync.Mutex // held while a file is downloaded
}

// ErrRefused is the error for a token, password or certificate that the server or this
// client does not accept. Trying again does not help.
var ErrRefused = errors.New("refused")

// ErrClosed is returned by a client that was closed.
var ErrClosed = errors.New("the connection was closed")

// Connect connects to a server. It retries until ctx ends or the server refuses the client (ErrRefused). If
// the connection is lost later, the client reconnects; the number of attempts is not limited.
func Connect(ctx context.Context, o Options) (c *Client, err error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	c = &Client{o: o}
	var end context.CancelFunc
	c.life, end = context.WithCancel(context.Background())
	options := append(c.options(), nats.ClosedHandler(func(*nats.Conn) { end() }))
	for {
		if c.conn, err = nats.Connect(o.URL, options...); err == nil {
			break
		}
		if refused(err) {
			return nil, fmt.Errorf("%s: %w: %w", o.URL, ErrRefused, err)
		}
		if !wait(ctx, retryEvery) {
			return nil, fmt.Errorf("%s: no connection: %w", o.URL, err)
		}
	}
	if c.js, err = js.New(c.conn); err != nil {
		c.conn.Close()
		return nil, err
	}
	return c, nil
}

// options returns the options of the NATS connection.
func (c *Client) options() []nats.Option {
	o := &c.o
	options := []nats.Option{
		nats.MaxReconnects(-1), nats.ReconnectWait(retryEvery), nats.PingInterval(10 * time.Second), nats.Timeout(5 * time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			o.OnState(cmp.Or(err, errors.New("the server closed the connection")))
		}),
		nats.ReconnectHandler(func(*nats.Conn) { o.OnState(nil) }),
	}
	if o.User != "" {
		options = append(options, nats.UserInfo(o.User, o.Password))
	} else if o.Token != "" {
		options = append(options, nats.Token(o.Token))
	}
	if o.CertSHA256 != "" {
		options = append(options, nats.Secure(pinned(o.CertSHA256)))
	}
	return options
}

// pinned returns a TLS configuration that accepts only the certificate with this SHA-256.
func pinned(sum string) *tls.Config {
	return &tls.Config{
		InsecureSkipVerify: true, // VerifyConnection compares the certificate itself
		VerifyConnection: func(s tls.ConnectionState) error {
			if have := fmt.Sprintf("%x", sha256.Sum256(s.PeerCertificates[0].Raw)); have != sum {
				return fmt.Errorf("%w has SHA-256 %s, must be %s", errCertificate, have, sum)
			}
			return nil
		},
	}
}

// errCertificate means that the server's certificate is not the expected one.
var errCertificate = errors.New("the server's certificate")

// refused reports whether err is permanent: connecting again does not help.
func refused(err error) bool {
	var verification *tls.CertificateVerificationError
	return errors.As(err, &verification) || slices.ContainsFunc([]error{
		errCertificate, nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrSecureConnRequired, nats.ErrSecureConnWanted,
	}, func(reason error) bool { return errors.Is(err, reason) })
}

// Close sends buffered messages, which takes at most a second, and closes the connection.
func (c *Client) Close() {
	_ = c.conn.FlushTimeout(time.Second)
	c.conn.Close()
}

// closedError returns why the connection has ended for good; nil if it is still usable.
func (c *Client) closedError() error {
	if c.life.Err() == nil {
		return nil
	}
	if err := c.conn.LastError(); refused(err) {
		return fmt.Errorf("%s: %w: %w", c.o.URL, ErrRefused, err)
	}
	return ErrClosed
}

// Options configures a Client: how it reaches a NATS server, and how its queues behave. Only URL is required.
type Options struct {
	URL string // URL of the server; see ParseURL
	// The client authenticates with User and Password, else with Token.
	Token, User, Password string
	// CertSHA256 is the SHA-256 of the server's certificate, in hexadecimal. If it is set, only this
	// certificate is accepted, for any host name, and the connection uses TLS.
	CertSHA256 string

	// Silence is how long the worker of a job may report nothing before the job goes to another
	// worker; 0 means 30 s. Schedulers and workers must use the same value.
	Silence time.Duration
	// OnState is called with the reason when the connection is lost, and with nil when it is back.
	OnState func(err error)
	// OnNotice is called with a message when the server has refused to store data for some seconds, and when it
	// stores data again. It must not use the client.
	OnNotice func(text string)
}

// ParseURL parses the URL of a server:
//
//	nats://TOKEN@host:4222?cert=SHA256
//	tls://user:password@host:4222
//
// The query may set cert (CertSHA256). The URL in the result contains neither the query nor
// secrets, so it can be shown.
func ParseURL(text string) (o Options, err error) {
	const want = "must be nats://TOKEN@HOST:4222, tls://USER:PASSWORD@HOST:4222 or similar"
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		// The error of net/url repeats the text, which may hold a secret.
		return Options{}, errors.New("not the URL of a NATS server: " + want)
	}
	switch {
	case u.Scheme != "nats" && u.Scheme != "tls":
		return Options{}, fmt.Errorf("scheme %q: %s", u.Scheme, want)
	case u.Hostname() == "":
		return Options{}, errors.New("the URL has no host: " + want)
	case u.Path != "" && u.Path != "/":
		return Options{}, fmt.Errorf("path %q: %s", u.Path, want)
	}
	if u.User != nil {
		if password, both := u.User.Password(); both {
			o.User, o.Password = u.User.Username(), password
		} else {
			o.Token = u.User.Username()
		}
	}
	for key, values := range u.Query() {
		if key != "cert" {
			return Options{}, fmt.Errorf("parameter %q in the URL: must be cert", key)
		}
		o.CertSHA256 = strings.ToLower(strings.ReplaceAll(values[0], ":", ""))
	}
	o.URL = u.Scheme + "://" + net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "4222"))
	return o, o.check()
}

// namePattern matches valid IDs of queues and jobs, which become tokens of subjects.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

var certPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// check returns an error if an option is missing or invalid.
func (o *Options) check() error {
	switch {
	case o.URL == "":
		return errors.New("no URL of a NATS server is given")
	case o.CertSHA256 != "" && !certPattern.MatchString(o.CertSHA256):
		return fmt.Errorf("certificate fingerprint %q: must be the SHA-256 of the server's certificate, 64 hexadecimal digits", o.CertSHA256)
	}
	return nil
}

// fill replaces zeros with defaults and checks the options.
func (o *Options) fill() error {
	o.Silence = cmp.Or(o.Silence, 30*time.Second)
	if o.OnState == nil {
		o.OnState = func(error) {}
	}
	if o.OnNotice == nil {
		o.OnNotice = func(string) {}
	}
	return o.check()
}
