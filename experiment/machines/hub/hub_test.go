package hub_test

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/machines/hub"
	"github.com/afterstate2048/afterstate/internal/must"
)

func start(t *testing.T, o hub.Options) *hub.Hub {
	t.Helper()
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	h := must.Get(hub.Start(o))(t)
	t.Cleanup(h.Close)
	return h
}

// dial connects to the address of a hub as a client does that checks the certificate's hash.
func dial(address string, options ...nats.Option) (*nats.Conn, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	pinned := u.Query().Get("cert")
	u.RawQuery = ""
	return nats.Connect(u.String(), append(options, nats.Timeout(10*time.Minute), nats.Secure(&tls.Config{
		InsecureSkipVerify: true,
		VerifyConnection: func(s tls.ConnectionState) error {
			if sum := sha256.Sum256(s.PeerCertificates[0].Raw); hex.EncodeToString(sum[:]) != pinned {
				return errors.New("another certificate")
			}
			return nil
		},
	}))...)
}

func connect(t *testing.T, address string, options ...nats.Option) *nats.Conn {
	t.Helper()
	c := must.Get(dial(address, options...))(t)
	t.Cleanup(c.Close)
	return c
}

// A restarted hub has the same addresses and messages; only the user can read its secrets.
func TestRestart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "hub")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // ends a hang
	defer cancel()
	h := start(t, hub.Options{Folder: folder})
	owner, other := h.URL(""), h.URL("127.0.0.1")
	js, err := jetstream.New(connect(t, owner))
	if err != nil {
		t.Fatal(err)
	}
	must.Get(js.CreateStream(ctx, jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}}))(t)
	must.Get(js.Publish(ctx, "s", []byte("lasting")))(t)
	at := h.Addr().String()
	h.Close()
	h.Close() // twice is harmless

	h = start(t, hub.Options{Folder: folder, Address: at})
	if h.URL("") != owner || h.URL("127.0.0.1") != other {
		t.Errorf("addresses\n%s\n%s, before\n%s\n%s", h.URL(""), h.URL("127.0.0.1"), owner, other)
	}
	if js, err = jetstream.New(connect(t, h.URL(""))); err != nil {
		t.Fatal(err)
	}
	s := must.Get(js.Stream(ctx, "S"))(t)
	if m, err := s.GetMsg(ctx, 1); err != nil || string(m.Data) != "lasting" {
		t.Errorf("message %v, %v", m, err)
	}
	for _, file := range []string{"", "access.json"} {
		info := must.Get(os.Stat(filepath.Join(folder, file)))(t)
		if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("%s has mode %v", info.Name(), mode)
		}
	}
}

// Only the token opens the hub, and only the certificate of the address is trusted.
func TestStrangers(t *testing.T) {
	h := start(t, hub.Options{Folder: t.TempDir()})
	address := h.URL("127.0.0.1")
	token, _, _ := strings.Cut(strings.TrimPrefix(address, "nats://"), "@")
	for name, bad := range map[string]string{
		"wrong token": strings.Replace(address, token, "a"+token, 1),
		"no token":    strings.Replace(address, token+"@", "", 1),
		"password":    strings.Replace(address, token, "worker:"+token, 1),
	} {
		if c, err := dial(bad); !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("%s: %v", name, err)
			if err == nil {
				c.Close()
			}
		}
	}
	if _, err := dial(strings.Replace(address, "?cert=", "?cert=00", 1)); err == nil || !strings.Contains(err.Error(), "another certificate") {
		t.Errorf("another certificate: %v", err)
	}
	plain, _, _ := strings.Cut(address, "?")
	if _, err := nats.Connect(plain); err == nil {
		t.Error("connected without checking the certificate")
	}
}

// Errors name the address, the folder or the file. Tests of the commands cover a port or a folder in use.
func TestErrors(t *testing.T) {
	damaged := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(damaged, "access.json"), []byte(`{"token":"a"}`), 0o600))
	file := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	for want, o := range map[string]hub.Options{
		`"host:x" is not an address to listen on`:   {Address: "host:x", Folder: t.TempDir()},
		filepath.Join(damaged, "access.json") + ":": {Address: "127.0.0.1:0", Folder: damaged},
		file: {Address: "127.0.0.1:0", Folder: filepath.Join(file, "hub")},
	} {
		h, err := hub.Start(o)
		if err == nil {
			h.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestURLs(t *testing.T) {
	h := start(t, hub.Options{Address: ":0", Folder: t.TempDir()})
	connect(t, h.URL(""))
	if u := h.URL("lab.example"); !strings.Contains(u, "@lab.example:") {
		t.Error(u)
	}
	if u := h.URL("fd00::1"); !strings.Contains(u, "@[fd00::1]:") {
		t.Error(u)
	}
}
