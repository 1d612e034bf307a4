//go:build unix

package hub_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
)

// An experiment runs over TLS with the server configuration and the certificate of docs/administration.md.
func TestDocumentedServer(t *testing.T) {
	l := newLab(t)
	page := must.Get(os.ReadFile("../../docs/administration.md"))(t)
	text := "listen: " + between(t, string(page), "```text\nlisten: ", "```")
	folder := t.TempDir()
	if _, err := exec.LookPath("openssl"); err != nil {
		notRun(t, "there is no openssl")
	}
	shell(t, folder, block(t, "TestDocumentedServer"))
	for was, now := range map[string]string{
		"0.0.0.0:4222": "127.0.0.1:-1", "/var/lib/nats": folder,
		"/etc/nats/cert.pem": filepath.Join(folder, "cert.pem"), "/etc/nats/key.pem": filepath.Join(folder, "key.pem"),
	} {
		if !strings.Contains(text, was) {
			t.Fatalf("no %s in %s", was, text)
		}
		text = strings.Replace(text, was, now, 1)
	}
	file := filepath.Join(folder, "nats.conf")
	writeFile(t, file, text)
	o := must.Get(server.ProcessConfigFile(file))(t)
	o.NoSigs, o.NoLog = true, true
	o.AuthTimeout, o.TLSTimeout = clitest.Hang.Seconds(), clitest.Hang.Seconds() // a busy machine may be slow to connect
	s := must.Get(server.NewServer(o))(t)
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server does not start")
	}
	at := s.Addr().(*net.TCPAddr).String()
	hash := must.Get(os.ReadFile(filepath.Join(folder, "hash")))(t)
	url := "tls://lab:SECRET@" + at + "?cert=" + strings.TrimSpace(string(hash))
	l.start("afterstate", "worker", url, "-j", "1").says("worker ")
	l.do(append(words("first", "40"), "--nats", url, "-j", "0")...)
	clitest.WaitFor(t, func() bool { return strings.Contains(l.do("workers", url), " 120 ") })
	stranger := l.start("afterstate", "worker", "tls://lab:SECRET@"+at) // the system does not know the certificate
	stranger.ends(2)
	must.Contains(t, stranger.stderr(), "certificate")
	l.equal("first", "40")
}

// The first commands of docs/machines.md work, with other addresses and fewer games: a hub, a worker on a second machine,
// started with the printed command, and experiments that it plays.
func TestDocumentedHub(t *testing.T) {
	l := newLab(t)
	page := must.Get(os.ReadFile("../../docs/machines.md"))(t)
	section := between(t, string(page), "## A hub and three workers\n", "\n## ")
	start := func(l *lab, line string) *process {
		t.Helper()
		words := strings.Fields(strings.ReplaceAll(line, "'", ""))
		return l.start(words[0], words[1:]...)
	}

	hub := start(l, "afterstate-hub --listen 127.0.0.1:0"+between(t, section, "afterstate-hub --listen 0.0.0.0:4222", "\n"))
	var printed []string
	clitest.WaitFor(t, func() bool {
		if !hub.running() {
			t.Fatal(hub.stderr())
		}
		printed = regexp.MustCompile(`afterstate worker '\S+'`).FindStringSubmatch(hub.stdout())
		return printed != nil
	})
	second := *l
	second.data = t.TempDir() // it shares no file with the first
	worker := start(&second, printed[0]+between(t, section, "afterstate worker 'nats://TOKEN@10.0.0.1:4222?cert=SHA256'", "\n"))
	worker.says("worker rack-1 with ")
	for line := range strings.Lines(between(t, section, "# not run: it needs the hub\n", "```")) {
		start(l, strings.NewReplacer("--games 2000", "--games 20", "first.html", filepath.Join(l.data, "first.html")).Replace(line)).ends(0)
	}
	worker.signal(syscall.SIGINT)
	worker.ends(0)
	if !regexp.MustCompile(`ended after [1-9]`).MatchString(worker.stderr()) {
		t.Error(worker.stderr())
	}
	l.do("arena", "run", "alone", "snake", "greedy", "--games", "20")
	l.same("first", "alone")
}
