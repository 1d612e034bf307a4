package hub

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
)

// access is what proves the hub to clients and clients to the hub, as access.json stores it.
type access struct {
	Certificate string `json:"certificate"` // PEM
	Key         string `json:"key"`         // PEM
	OwnerToken  string `json:"owner_token"`
	WorkerToken string `json:"worker_token"`

	pair        tls.Certificate
	fingerprint string // SHA-256 of the certificate, 64 hexadecimal digits
}

// loadAccess reads access.json of a folder, and makes it if it does not exist.
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
		return nil, fmt.Errorf("%s: %w; remove it to make new tokens and a new certificate", path, err)
	}
	return a, nil
}

// check reads the certificate and returns an error if something is missing.
func (a *access) check() (err error) {
	if a.OwnerToken == "" || a.WorkerToken == "" || a.OwnerToken == a.WorkerToken {
		return errors.New("want two different tokens")
	}
	if a.pair, err = tls.X509KeyPair([]byte(a.Certificate), []byte(a.Key)); err != nil {
		return err
	}
	sum := sha256.Sum256(a.pair.Certificate[0])
	a.fingerprint = hex.EncodeToString(sum[:])
	return nil
}

// newToken returns a token of 130 random bits.
func newToken() string { return strings.ToLower(rand.Text()) }

// makeAccess makes a certificate and tokens, and stores them in a file that only the user can read.
func makeAccess(path string) (*access, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	// Clients compare the certificate's hash, so names and dates do not matter; the clocks of
	// some machines are wrong by years.
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "afterstate hub"}, DNSNames: []string{"localhost"},
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
		OwnerToken:  newToken(), WorkerToken: newToken(),
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
