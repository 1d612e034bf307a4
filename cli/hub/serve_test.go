//go:build unix

package hub_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"afterstate/internal/clitest"
	"afterstate/internal/soak"
)

// The server starts experiments that workers play, and shows their games.
func TestServe(t *testing.T) {
	soak.Full(t, "TestHub plays by the commands; this needs games enough for a worker beside the server")
	l := newLab(t)
	l.startHub()
	worker := l.worker("--name", "one")
	server := l.startIn([]string{"env", "GOMAXPROCS=2"}, "afterstate", "serve", // plays with one core
		"--listen", "127.0.0.1:0", "--player", "greedy", "--nats", "hub")
	clitest.WaitFor(t, func() bool { return strings.Contains(server.stdout(), "\n") })
	at := strings.TrimSpace(server.stdout()) + "api"
	call := func(method string, params any) (result map[string]any) {
		t.Helper()
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.Post(at, "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ Result map[string]any }
		if err := json.Unmarshal(text, &answer); err != nil || answer.Result == nil {
			t.Fatalf("%v, %s", err, text)
		}
		return answer.Result
	}
	worker.says("worker one with")
	// A fast server may end an experiment before the worker looks for new ones: then it plays another one.
	played := regexp.MustCompile(`"name":"one".*"games":[1-9]`)
	var names []string
	clitest.WaitFor(t, func() bool {
		name := fmt.Sprint("x", len(names))
		names = append(names, name)
		call("experiments.start", map[string]any{"name": name, "players": []string{"random", "greedy", "snake(depth=0)"}, "size": "3x3", "games": 10000, "seed": 1})
		clitest.WaitFor(t, func() bool {
			info, _ := call("experiments.show", map[string]any{"name": name})["experiment"].(map[string]any)
			return info["running"] == false || l.played(name) == 30000
		})
		return played.MatchString(l.do("workers", "hub", "--json"))
	})
	l.equal(names[0], "10000")
	for _, name := range names[1:] {
		l.same(name, names[0])
	}
	worker.signal(syscall.SIGINT)
	worker.ends(0)
	server.signal(syscall.SIGINT)
	server.ends(0)
}
