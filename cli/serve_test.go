package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// Text of clients reaches the server's log without its control characters.
func TestDoorOfTheLog(t *testing.T) {
	_, stop := clitest.StartServer(t, "serve", "--listen", "127.0.0.1:0", "--player", "greedy", "--db", filepath.Join(t.TempDir(), "x.db"))
	log.Print(payload)
	_, errOut := stop()
	safe(t, "the log", errOut)
	must.Contains(t, errOut, "caught", "the log")
}

func post(t *testing.T, address, body string) string {
	t.Helper()
	res := must.Get(http.Post(address+"api", "application/json", strings.NewReader(body)))(t)
	defer res.Body.Close()
	data := must.Get(io.ReadAll(res.Body))(t)
	return strings.TrimSpace(string(data))
}

// The page and arena share a store: each shows what the other had played.
func TestServeStore(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	address, stop := clitest.StartServer(t, "serve", "--listen", "127.0.0.1:0", "--player", "greedy")
	list := func() string { return post(t, address, `{"jsonrpc":"2.0","id":1,"method":"experiments.list"}`) }
	must.Equal(t, list(), `{"jsonrpc":"2.0","id":1,"result":{"experiments":[],"can_start":true}}`)
	succeeds(t, "arena", "run", "first", "greedy", "--games", "3", "--size", "3x3")
	if got := post(t, address, `{"jsonrpc":"2.0","id":1,"method":"experiments.start","params":{"name":"second","players":["random"],"games":4,"size":"2x2"}}`); got != `{"jsonrpc":"2.0","id":1,"result":{"name":"second"}}` {
		t.Fatal(got)
	}
	const want = `{"jsonrpc":"2.0","id":1,"result":{"experiments":[` +
		`{"name":"second","size":"2x2","players":["random"],"games":4,"finished":4,"running":false},` +
		`{"name":"first","size":"3x3","players":["greedy"],"games":3,"finished":3,"running":false}],"can_start":true}}`
	for begin := time.Now(); list() != want; time.Sleep(20 * time.Millisecond) {
		if time.Since(begin) > clitest.Hang {
			t.Fatal(list())
		}
	}
	if status, out, errOut := clitest.Run(t.Context(), nil, "arena", "show", "second", "--json"); status != 0 || !strings.Contains(out, `"games":4`) {
		t.Errorf("arena show: %d, %s%s", status, out, errOut)
	}
	if status, errOut := stop(); status != 0 {
		t.Errorf("status %d, %s", status, errOut)
	}
}

// Without a command the page is served, at another port if the usual one is in use.
func TestServeBare(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	const usual = "127.0.0.1:2048"
	if l, err := net.Listen("tcp", usual); err == nil {
		defer l.Close()
	}
	address, stop := clitest.StartServer(t)
	if address == "http://"+usual+"/" {
		t.Errorf("it serves at %s, which is in use", address)
	}
	if got := post(t, address, `{"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":"2,2/0,4","player":"exec(cmd=\"true\")"}}`); !strings.Contains(got, "-32602") {
		t.Error(got)
	}
	res := must.Get(http.Get(address))(t)
	res.Body.Close()
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		t.Errorf("the page: %s %v", res.Status, res.Header)
	}
	if status, errOut := stop(); status != 0 || !strings.Contains(errOut, "cannot listen on") || !strings.Contains(errOut, "Ctrl-C ends") {
		t.Errorf("status %d, %s", status, errOut)
	}
}

// Clients may name the network of a run, but no file or path.
func TestNetworksOfRuns(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	succeeds(t, "train", "2x3", "--size", "3x3", "--games", "20", "--name", "tiny", "--threads", "1")
	tiny := must.Get(program.RunNetworks.Find("tiny", false))(t)
	if n, err := tiny.Load(); err != nil || n.Size.Cells() != 9 {
		t.Errorf("%v, %v", n, err)
	}
	if _, err := program.RunNetworks.Find("/etc/passwd", true); err == nil {
		t.Error("a spec with a file is accepted")
	}
	if _, err := program.RunNetworks.Find("../tiny", false); err == nil {
		t.Error("a spec with a path is accepted")
	}
}

// Every example of docs/api.md gives the answer shown there; numbers that differ between runs are not
// compared.
func TestAPIExamples(t *testing.T) {
	soak.Full(t, "starts curl and searches with the network; TestServeStore has requests")
	text := must.Get(os.ReadFile("../docs/api.md"))(t)
	if _, err := exec.LookPath("curl"); err != nil && os.Getenv("CI") != "true" {
		t.Skip("NOT RUN: there is no curl")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	if champion.Main().Embedded() { // it may take longer than an answer on a loaded machine
		source := must.Get(program.RunNetworks.Find("", false))(t)
		must.Get(source.Load())(t)
	}
	address, stop := clitest.StartServer(t, "serve", "--listen", "127.0.0.1:0")
	defer stop()
	examples := regexp.MustCompile("(?s)```sh\n(curl .*?)\n```\n+```json\n(.*?)\n```").FindAllStringSubmatch(string(text), -1)
	if len(examples) < 5 {
		t.Errorf("found %d examples", len(examples))
	}
	for _, e := range examples {
		ctx, cancel := context.WithTimeout(t.Context(), clitest.Hang)
		command := strings.ReplaceAll(e[1], "http://127.0.0.1:2048/", address)
		got, err := exec.CommandContext(ctx, "sh", "-c", command).Output()
		cancel()
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		if err := compare(got, []byte(e[2])); err != nil {
			t.Errorf("%s\n gives %s\n want  %s\n %v", e[1], got, e[2], err)
		}
	}
}

// alike compares two answers, except values that differ between runs; "..." matches
// anything.
func compare(got, want []byte) error {
	var a, b any
	if err := errors.Join(json.Unmarshal(got, &a), json.Unmarshal(want, &b)); err != nil {
		return err
	}
	return alikeValues("", a, b)
}

func alikeValues(at string, a, b any) error {
	if b == "..." {
		return nil
	}
	x, isObject := a.(map[string]any)
	y, both := b.(map[string]any)
	if !isObject || !both {
		if p, q := fmt.Sprint(a), fmt.Sprint(b); p != q {
			return fmt.Errorf("%s is %s, not %s", at, p, q)
		}
		return nil
	}
	for name := range x {
		if _, ok := y[name]; !ok {
			return fmt.Errorf("the page does not show %s.%s", at, name)
		}
	}
	for name, want := range y {
		got, ok := x[name]
		if !ok {
			return fmt.Errorf("%s.%s is missing", at, name)
		}
		if name == "elapsed_ms" {
			continue
		}
		if err := alikeValues(at+"."+name, got, want); err != nil {
			return err
		}
	}
	return nil
}
