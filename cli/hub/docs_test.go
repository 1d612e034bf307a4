//go:build unix

package hub_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

// The configuration of docs/administration.md for a server of one's own has the permissions of workers, and
// an experiment runs with it over TLS, by the certificates that the page makes.
func TestDocumentedServer(t *testing.T) {
	l := newLab(t)
	page, err := os.ReadFile("../../docs/administration.md")
	if err != nil {
		t.Fatal(err)
	}
	text := "listen: " + between(t, string(page), "```text\nlisten: ", "```")
	folder := t.TempDir()
	if _, err := exec.LookPath("openssl"); err != nil {
		notRun(t, "there is no openssl")
	}
	shell(t, folder, block(t, "TestDocumentedServer"))
	for was, is := range map[string]string{
		"0.0.0.0:4222": "127.0.0.1:-1", "/var/lib/nats": folder,
		"/etc/nats/cert.pem": filepath.Join(folder, "cert.pem"), "/etc/nats/key.pem": filepath.Join(folder, "key.pem"),
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
	const worker, owner = "tls://worker:WORKER_SECRET@", "tls://owner:OWNER_SECRET@"
	authority := filepath.Join(folder, "ca.pem")
	l.start("afterstate", "worker", worker+at, "--nats-ca", authority, "-j", "1").says("worker ")
	l.do(append(words("first", "40"), "--nats", owner+at, "--nats-ca", authority, "-j", "0")...)
	clitest.WaitFor(t, func() bool { return strings.Contains(l.do("workers", owner+at, "--nats-ca", authority), " 120 ") })
	stranger := l.start("afterstate", "worker", worker+at) // the system does not know the authority
	stranger.ends(2)
	if !strings.Contains(stranger.stderr(), "certificate") {
		t.Error(stranger.stderr())
	}
	l.equal("first", "40")
}
