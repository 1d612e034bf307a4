//go:build unix

package cli_test

import (
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/qrcode"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// visit opens an address as a browser without cookies, and returns the status and the final address.
func visit(t *testing.T, address string) (status int, at string) {
	t.Helper()
	jar := must.Get(cookiejar.New(nil))(t)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	res := must.Get((&http.Client{Jar: jar, Transport: transport}).Get(address))(t)
	res.Body.Close()
	return res.StatusCode, res.Request.URL.String()
}

// serveOnTerminal serves on a terminal until the test ends, and returns the printed addresses.
func serveOnTerminal(t *testing.T, args ...string) (s *clitest.Session, addresses []string) {
	t.Helper()
	s = clitest.Start(t, clitest.Options{Rows: 50, Cols: 100}, append([]string{"serve", "--no-open", "--player", "greedy"}, args...)...)
	s.Sees(`serving; Ctrl-C ends`)
	t.Cleanup(func() {
		s.Press("ctrl+c")
		s.Ends(0)
	})
	return s, regexp.MustCompile(`(?m)^http://\S+`).FindAllString(strings.ReplaceAll(s.Output(), "\r", ""), -1)
}

// Browsers need the token of the printed addresses; the terminal shows the first one as a QR code.
func TestServeHouse(t *testing.T) {
	t.Parallel()
	s, addresses := serveOnTerminal(t, "--listen", "0.0.0.0:0")
	if !strings.HasPrefix(addresses[0], "http://localhost:") {
		t.Fatalf("this machine's address is %s", addresses[0])
	}
	for _, address := range addresses {
		page, token, ok := strings.Cut(address, "?token=")
		if !ok || len(token) != 16 {
			t.Fatalf("the address is %s", address)
		}
		if status, at := visit(t, address); status != http.StatusOK || at != page {
			t.Errorf("%s: %d at %s", address, status, at)
		}
		if status, _ := visit(t, page); status != http.StatusUnauthorized {
			t.Errorf("%s: %d", page, status)
		}
	}
	if len(addresses) == 1 {
		s.Sees(`no other device can reach this machine now; the addresses for them will end in /\?token=[a-z2-7]{16}`)
		return
	}
	lines, _, err := qrcode.Draw(addresses[1])
	if err != nil {
		t.Fatal(err)
	}
	must.Contains(t, s.Output(), strings.Join(lines, "\r\n"), "the QR code of", addresses[1])
}

// A token given by --token is required from all clients; with --open-to-all none is.
func TestServeTokens(t *testing.T) {
	soak.Full(t, "serves from programs on terminals; TestServeHouse has a token of its own")
	t.Parallel()
	s, addresses := serveOnTerminal(t, "--listen", "127.0.0.1:0", "--token", "my-own-token")
	if len(addresses) != 1 || strings.Contains(s.Output(), "▀") {
		t.Errorf("on loopback there are addresses %v", addresses)
	}
	page, ok := strings.CutSuffix(addresses[0], "?token=my-own-token")
	if status, at := visit(t, addresses[0]); !ok || status != http.StatusOK || at != page {
		t.Errorf("%s: %d at %s", addresses[0], status, at)
	}
	if status, _ := visit(t, page); status != http.StatusUnauthorized {
		t.Errorf("%s: %d", page, status)
	}
	s, addresses = serveOnTerminal(t, "--listen", "0.0.0.0:0", "--open-to-all")
	s.Sees(`anyone who can reach this machine can use the page`)
	for _, address := range addresses {
		if status, at := visit(t, address); status != http.StatusOK || at != address {
			t.Errorf("%s: %d at %s", address, status, at)
		}
	}
}

// Without a terminal there is no QR code, and a window that is too narrow has none either.
func TestServeWithoutQR(t *testing.T) {
	soak.Full(t, "serves from programs on terminals; TestServeHouse has the code")
	t.Parallel()
	for _, env := range [][]string{{"TERM=dumb"}, nil} {
		s := clitest.Start(t, clitest.Options{Rows: 50, Cols: 36, Env: env}, "serve", "--no-open", "--player", "greedy", "--listen", "0.0.0.0:0")
		s.Sees(`Ctrl-C\s+ends`)
		s.Press("ctrl+c")
		s.Ends(0)
		if strings.ContainsAny(s.Output(), "▀▄") {
			t.Errorf("%v: %s", env, s.Output())
		}
	}
}

// If the program that opens pages is missing, serve prints nothing about it.
func TestServeOpensNothing(t *testing.T) {
	t.Parallel()
	s := clitest.Start(t, clitest.Options{Rows: 50, Cols: 100, Env: []string{"DISPLAY=:7", "PATH=" + t.TempDir()}}, "serve", "--player", "greedy", "--listen", "127.0.0.1:0")
	s.Sees(`serving; Ctrl-C ends`)
	s.Press("ctrl+c")
	s.Ends(0)
	if text := s.Output(); strings.Contains(text, "xdg-open") || strings.Count(text, "afterstate:") != 1 {
		t.Error(text)
	}
}
