package hub

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/filelock"
)

// Options configures a hub. Address and Folder are required.
type Options struct {
	Address string // HOST:PORT to listen on; port 0 means any free port
	Folder  string // folder for the certificate, the token and messages; created if missing
	// Log is called with warnings and errors of the server, by several goroutines. If Log is nil,
	// these are dropped.
	Log func(line string)
}

// Hub is a running server. Call Close to stop it.
type Hub struct {
	server *server.Server
	access *access
	lock   *filelock.Lock
	bound  *net.TCPAddr
}

// ErrInUse is returned by Start if another hub is using the folder.
var ErrInUse = errors.New("another hub is using this folder")

// readyTimeout is how long the server may take to start. It reads its complete store, which takes long for a
// large store on a slow disk.
const readyTimeout = 2 * time.Minute

// Start starts a hub. Errors name the address or the folder.
func Start(o Options) (*Hub, error) {
	at, err := net.ResolveTCPAddr("tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("%q is not an address to listen on: must be HOST:PORT such as 0.0.0.0:4222", o.Address)
	}
	if err := free(o.Address); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return nil, err
	}
	lock, err := filelock.Acquire(filepath.Join(o.Folder, "lock"))
	if errors.Is(err, filelock.ErrLocked) {
		return nil, fmt.Errorf("%s: %w", o.Folder, ErrInUse)
	}
	if err != nil {
		return nil, err
	}
	h := &Hub{lock: lock}
	if err := h.start(&o, at.Port); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

func (h *Hub) start(o *Options, port int) (err error) {
	if h.access, err = loadAccess(o.Folder); err != nil {
		return err
	}
	port = cmp.Or(port, server.RANDOM_PORT)
	host, _, _ := net.SplitHostPort(o.Address)
	log := &logger{print: o.Log}
	h.server, err = server.NewServer(&server.Options{
		ServerName: "afterstate-hub", Host: cmp.Or(host, "0.0.0.0"), Port: port, NoSigs: true,
		JetStream: true, StoreDir: o.Folder, DisableJetStreamBanner: true, Authorization: h.access.Token,
		MaxPayload: maxPayload, TLS: true, TLSConfig: &tls.Config{Certificates: []tls.Certificate{h.access.pair}, MinVersion: tls.VersionTLS13}, TLSTimeout: handshakeTimeout,
		AuthTimeout: 2 * handshakeTimeout,
		// A client that disappears without closing its connection is noticed within a minute.
		PingInterval: 20 * time.Second, MaxPingsOut: 2,
	})
	if err != nil {
		return fmt.Errorf("hub at %s: %w", o.Address, err)
	}
	h.server.SetLoggerV2(log, false, false, false)
	h.server.Start()
	if !h.server.ReadyForConnections(readyTimeout) || log.failed() != "" {
		return fmt.Errorf("hub at %s, folder %s: %s", o.Address, o.Folder, log.failed())
	}
	h.bound = h.server.Addr().(*net.TCPAddr)
	return nil
}

const (
	// handshakeTimeout is the time limit of a TLS handshake in seconds. It allows for machines whose cores
	// are all busy with games.
	handshakeTimeout = 20.0
	// maxPayload is the maximum size of a message in bytes. It leaves room for a delivery with some long
	// games.
	maxPayload = 8 << 20
)

// free returns an error if the hub cannot listen on the address. The NATS server itself would retry
// instead of failing.
func free(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return fmt.Errorf("%s: %w; must be a free HOST:PORT such as 0.0.0.0:4223", address, err)
	}
	return l.Close()
}

// Addr returns the address that the hub listens on.
func (h *Hub) Addr() net.Addr { return h.bound }

// URL returns the URL of the hub for a client that reaches it at host, a host name or an IP address. If host
// is "", the client must be on this machine.
func (h *Hub) URL(host string) string {
	if host == "" {
		if host = h.bound.IP.String(); h.bound.IP.IsUnspecified() {
			host = "127.0.0.1"
		}
	}
	return "nats://" + h.access.Token + "@" + net.JoinHostPort(host, strconv.Itoa(h.bound.Port)) + "?cert=" + h.access.fingerprint
}

// Close disconnects all clients and shuts the hub down. All messages are then on disk.
func (h *Hub) Close() {
	if h.server != nil {
		h.server.Shutdown()
		h.server.WaitForShutdown()
	}
	_ = h.lock.Close()
}

// logger passes warnings and errors of the server to print, and remembers why the server failed to start.
type logger struct {
	print func(line string)

	mu    sync.Mutex
	fatal string
}

func (l *logger) failed() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

func (l *logger) log(format string, v []any) {
	if l.print != nil {
		l.print(fmt.Sprintf(format, v...))
	}
}

func (l *logger) Fatalf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fatal = fmt.Sprintf(format, v...)
}

func (l *logger) Errorf(format string, v ...any) { l.log(format, v) }
func (l *logger) Warnf(format string, v ...any)  { l.log(format, v) }
func (*logger) Noticef(string, ...any)           {}
func (*logger) Debugf(string, ...any)            {}
func (*logger) Tracef(string, ...any)            {}

// access holds the credentials in access.json: the certificate authenticates the hub to clients, the token
// authenticates clients to the hub.
type access struct {
	Certificate string `json:"certificate"` // PEM
	Key         string `json:"key"`         // PEM
	Token       string `json:"token"`

	pair        tls.Certificate
	fingerprint string // SHA-256 of the certificate, 64 hexadecimal digits
}

// loadAccess reads the file access.json in a folder, and creates it if it does not exist.
func loadAccess(folder string) (*access, error) {
	path := filepath.Join(folder, "access.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeAccess(path)
	}
	if err != nil {
		return nil, err
	}
	a := new(access)
	if err = json.Unmarshal(data, a); err == nil {
		err = a.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove the file to make a new token and a new certificate", path, err)
	}
	return a, nil
}

// check parses the certificate, and returns an error if the credentials are incomplete or invalid.
func (a *access) check() (err error) {
	if a.Token == "" {
		return errors.New("the token is missing")
	}
	if a.pair, err = tls.X509KeyPair([]byte(a.Certificate), []byte(a.Key)); err != nil {
		return err
	}
	a.fingerprint = fmt.Sprintf("%x", sha256.Sum256(a.pair.Certificate[0]))
	return nil
}

// makeAccess creates a certificate and a token, and stores them in a file that only the user can read.
func makeAccess(path string) (*access, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	// Clients compare the certificate's hash, so names and dates do not matter; the clocks of
	// some machines are wrong by years.
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "afterstate hub"}, DNSNames: []string{"localhost"},
		NotBefore: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	a := &access{
		Certificate: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})),
		Key:         string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})),
		Token:       strings.ToLower(rand.Text()), // 130 random bits
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return nil, err
	}
	return a, atomicfile.Write(path, append(data, '\n'), 0o600)
}
