package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
)

// startBot starts a program that prints "listening on URL" and returns the URL.
func startBot(t *testing.T, words ...string) (url string) {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	out := must.Get(cmd.StdoutPipe())(t)
	cmd.Stderr = os.Stderr
	must.Do(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		t.Fatalf("%q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return url
}

// The example bots over HTTP and WebSocket play the same games as those started as programs; package player/bot/remote tests TLS.
func TestRemoteBots(t *testing.T) {
	soak.Full(t, "builds and starts bots; TestRemoteInExperiments has a bot over HTTP, package player/bot/remote WebSocket and TLS")
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir+"/bot", "../examples/remote").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	inPython := startBot(t, testenv.Interpreter(t, "python3"), "../examples/remote/bot.py", "0")
	inGo := startBot(t, dir+"/bot", "127.0.0.1:0")
	want := games(t, `exec(cmd="`+testenv.Interpreter(t, "python3")+` ../examples/bot/bot.py")`)
	for _, spec := range []string{fmt.Sprintf("remote(url=%q)", inPython), fmt.Sprintf("remote(url=%q)", inGo)} {
		if diff := cmp.Diff(want, games(t, spec)); diff != "" {
			t.Errorf("%s plays differently (-started +remote):\n%s", spec, diff)
		}
	}

	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	address := "wss" + strings.TrimPrefix(secure.URL, "https")
	status, _, errOut := clitest.Run(t.Context(), nil, "watch", fmt.Sprintf("remote(url=%q)", address), "--seed", "1")
	if status != 1 || !strings.Contains(errOut, "no connection: "+address+": ") || !strings.Contains(errOut, "certificate signed by unknown authority") {
		t.Errorf("without its certificate authority: status %d, %s", status, errOut)
	}
}

// An experiment shows the name of a remote bot; a bot with another version is another player.
func TestRemoteInExperiments(t *testing.T) {
	version := "1"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		text, id := string(data), ""
		_, _ = fmt.Sscanf(text, `{"jsonrpc":"2.0","id":%s`, &id)
		id, _, _ = strings.Cut(id, ",")
		result := `{"name":"far","version":"` + version + `","protocol":1}`
		if _, legal, ok := strings.Cut(text, `"legal":[`); ok {
			result = `{"move":` + strings.SplitN(strings.SplitN(legal, ",", 2)[0], "]", 2)[0] + `}`
		}
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+id+`,"result":`+result+`}`)
	}))
	defer s.Close()
	spec, db := fmt.Sprintf("remote(url=%q)", s.URL), filepath.Join(t.TempDir(), "experiments.db")
	run := func(want int, args ...string) (out, errOut string) {
		t.Helper()
		status, out, errOut := clitest.Run(t.Context(), nil, append([]string{"arena"}, append(args, "--db", db)...)...)
		if status != want {
			t.Fatalf("%q: status %d, %s", args, status, errOut)
		}
		return out, errOut
	}
	if out, _ := run(0, "run", "far", spec, "greedy", "--games", "3", "--size", "2x2"); !strings.Contains(out, "\nfar 1  ") {
		t.Error(out)
	}
	version = "2"
	if _, errOut := run(2, "run", "far", "--games", "4"); !strings.Contains(errOut, "player 1, far 1, has changed since it played: it was ") {
		t.Error(errOut)
	}
	run(0, "run", "far", spec, "--games", "4")
	if out, _ := run(0, "show", "far"); !strings.Contains(out, "\n1 far 1 ") || !strings.Contains(out, "\n3 far 2 ") {
		t.Error(out)
	}
	if out, _ := run(0, "compare", "far/far 2", "far/far 1"); !strings.Contains(out, "far 2") {
		t.Error(out)
	}
}
