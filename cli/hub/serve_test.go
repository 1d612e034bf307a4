//go:build unix

package hub_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/protocol"
)

// serving starts a server that uses the hub, and returns a function that calls its API.
func (l *lab) serving() (call func(method string, params any) map[string]any) {
	l.Helper()
	return l.calls(l.startIn([]string{"env", "GOMAXPROCS=2"}, "afterstate", "serve", // plays with one core
		"--listen", "127.0.0.1:0", "--player", "greedy", "--nats", "hub"))
}

// calls returns a function that calls a server's API.
func (l *lab) calls(server *process) func(method string, params any) map[string]any {
	l.Helper()
	clitest.WaitFor(l, func() bool { return strings.Contains(server.stdout(), "\n") })
	at := strings.TrimSpace(server.stdout()) + "api"
	return func(method string, params any) map[string]any {
		l.Helper()
		body := must.Get(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))(l)
		r := must.Get(http.Post(at, "application/json", bytes.NewReader(body)))(l)
		defer r.Body.Close()
		text := must.Get(io.ReadAll(r.Body))(l)
		var answer struct{ Result map[string]any }
		if err := json.Unmarshal(text, &answer); err != nil || answer.Result == nil {
			l.Fatalf("%v, %s", err, text)
		}
		return answer.Result
	}
}

// workers asks a server for the workers by their names, and for its queues.
func workers(t *testing.T, call func(method string, params any) map[string]any) (map[string]protocol.Worker, []protocol.ExperimentQueue) {
	t.Helper()
	var list protocol.WorkerList
	text, err := json.Marshal(call("experiments.workers", map[string]any{}))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil || list.Server == "" || list.Error != "" {
		t.Fatalf("%v: %s", err, text)
	}
	all := map[string]protocol.Worker{}
	for _, w := range list.Workers {
		all[w.Name] = w
	}
	return all, list.Queues
}

// The server shows the workers with what they play. The command shows the same.
func TestServeWorkers(t *testing.T) {
	l := newLab(t)
	l.startHub()
	l.worker("--name", "free", "--allow-exec").says("worker free")
	l.worker("--name", "careful").says("worker careful")
	call := l.serving()
	bot := filepath.Join(t.TempDir(), "bot.sh")
	must.Do(t, os.WriteFile(bot, []byte("exec '"+l.bin+"/afterstate' rpc --player greedy\n"), 0o700))
	run := l.start("afterstate", "arena", "run", "bots", fmt.Sprintf("exec(cmd=%q)", "sh "+bot), "expectimax(eval=gradient,plies=2)", "--games", "10000", "--nats", "hub", "-j", "0")
	clitest.WaitFor(t, func() bool { return l.played("bots") > 0 })
	clitest.WaitFor(t, func() bool {
		all, queues := workers(t, call)
		careful := all["careful"]
		return len(queues) == 1 && queues[0].Name == "bots" && queues[0].Scheduler != "" && queues[0].Jobs > 0 &&
			careful.State == protocol.WorkerPlaying && len(careful.Playing) == 1 && careful.Playing[0].Experiment == "bots"
	})
	list := l.do("workers", "hub")
	for _, want := range []string{"careful", "free", "\nbots "} {
		must.Contains(t, list, want)
	}
	run.signal(syscall.SIGINT)
	<-run.ended
}

// The server lists what other machines play with the same workers: here another process with another store.
func TestServeLists(t *testing.T) {
	soak.Full(t, "TestHub plays by the commands")
	l := newLab(t)
	l.startHub()
	l.worker()
	call := l.serving()
	other := l.start("afterstate", "arena", "run", "night", "greedy", "random", "--size", "3x3", "--games", "1000000", "--nats", "hub", "-j", "0",
		"--db", filepath.Join(l.data, "other.db"))
	night := func() map[string]any {
		all, _ := call("experiments.list", map[string]any{})["remote"].([]any)
		if len(all) == 0 {
			return map[string]any{} // not open yet, or the hub is slow
		}
		night, _ := all[0].(map[string]any)
		if len(all) != 1 || night["name"] != "night" || night["size"] != "3x3" || fmt.Sprint(night["players"]) != "[greedy random]" || night["games"] != 1e6 {
			t.Fatalf("remote: %v", all)
		}
		return night
	}
	clitest.WaitFor(t, func() bool {
		x := night()
		games, _ := x["finished"].(float64)
		return x["scheduler"] != nil && games > 0
	})
	other.signal(syscall.SIGINT)
	<-other.ended
	clitest.WaitFor(t, func() bool { return night()["name"] == nil })
}
