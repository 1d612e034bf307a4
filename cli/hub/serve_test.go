//go:build unix

package hub_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
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
	server := l.start("afterstate", "serve", "--listen", "127.0.0.1:0", "--player", "greedy", "--nats", "hub")
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
	other := l.start("afterstate", "arena", "run", "night", "greedy", "random", "--size", "3x3", "--games", "1000000", "--nats", "hub", "-j", "0", "--db", filepath.Join(l.data, "other.db"))
	clitest.WaitFor(t, func() bool {
		all, _ := call("experiments.list", map[string]any{})["elsewhere"].([]any)
		if len(all) == 0 {
			return false
		}
		night, _ := all[0].(map[string]any)
		if len(all) != 1 || night["name"] != "night" || night["size"] != "3x3" || fmt.Sprint(night["players"]) != "[greedy random]" || night["games"] != 1e6 {
			t.Fatalf("elsewhere: %v", all)
		}
		return night["scheduler"] != nil && night["finished"] != 0.0
	})
	other.signal(syscall.SIGINT)
	<-other.ended
	const games = "10000"
	call("experiments.start", map[string]any{"name": "first", "players": []string{"random", "greedy", "snake(depth=0)"}, "size": "3x3", "games": 10000, "seed": 1})
	clitest.WaitFor(t, func() bool {
		for _, x := range call("experiments.list", map[string]any{})["elsewhere"].([]any) {
			if name := x.(map[string]any)["name"]; name != "night" {
				t.Fatalf("%v is of this store", name)
			}
		}
		return call("experiments.show", map[string]any{"name": "first"})["running"] == false
	})
	l.equal("first", games)
	worker.signal(syscall.SIGINT)
	worker.ends(0)
	if strings.Contains(worker.stderr(), "ended after 0 games") {
		t.Error("the worker played nothing")
	}
	server.signal(syscall.SIGINT)
	server.ends(0)
}
