//go:build unix

package hub_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

// The configuration of docs/machines.md for a server of one's own has the permissions of workers, and
// an experiment runs with it.
func TestDocumentedServer(t *testing.T) {
	l := newLab(t)
	page, err := os.ReadFile("../../docs/machines.md")
	if err != nil {
		t.Fatal(err)
	}
	text := "listen: " + between(t, string(page), "```text\nlisten: ", "```")
	folder := t.TempDir()
	for was, is := range map[string]string{
		"0.0.0.0:4222": "127.0.0.1:-1", "/var/lib/nats": folder,
		"tls { cert_file: /etc/nats/cert.pem, key_file: /etc/nats/key.pem }": "",
	} {
		if !strings.Contains(text, was) {
			t.Fatalf("no %s in %s", was, text)
		}
		text = strings.Replace(text, was, is, 1)
	}
	file := filepath.Join(folder, "nats.conf")
	writeFile(t, file, text)
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range o.Users {
		if u.Username != "worker" {
			continue
		}
		want := jetstream.WorkerPermissions("", "*")
		if !slices.Equal(u.Permissions.Publish.Allow, want.Publish) || !slices.Equal(u.Permissions.Subscribe.Allow, want.Subscribe) {
			t.Errorf("permissions %q, %q, want %q", u.Permissions.Publish.Allow, u.Permissions.Subscribe.Allow, want)
		}
	}
	o.NoSigs, o.NoLog = true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server does not start")
	}
	at := s.Addr().(*net.TCPAddr).String()
	worker := l.start("afterstate", "worker", "nats://worker:WORKER_SECRET@"+at, "-j", "1")
	worker.says("worker ")
	l.do(append(words("first", "40"), "--nats", "nats://owner:OWNER_SECRET@"+at, "-j", "0")...)
	l.equal("first", "40")
}
