package frozen_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/cli"
	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
)

// The answers of every method stay the same over stdio.
func TestAnswersOverStdio(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	requests, in := io.Pipe()
	answers, out := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- cli.Run(t.Context(), []string{"rpc"}, requests, out, io.Discard)
		_ = out.Close()
	}()
	lines := bufio.NewReader(answers)
	clitest.Golden(t, "answers-stdio.txt", clitest.Answers(t, func(message string) string {
		must.Get(io.WriteString(in, message+"\n"))(t)
		return must.Get(lines.ReadString('\n'))(t)
	}))
	_ = in.Close()
	must.Equal(t, <-status, 0, "exit status")
}

// The answers of every method stay the same over a WebSocket.
func TestAnswersOverWebSocket(t *testing.T) {
	conn, _, err := websocket.Dial(t.Context(), server(t)+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 24)
	clitest.Golden(t, "answers-websocket.txt", clitest.Answers(t, func(message string) string {
		must.Do(t, conn.Write(t.Context(), websocket.MessageText, []byte(message)))
		for {
			_, text, err := conn.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var notification struct {
				Method string `json:"method"`
			}
			if json.Unmarshal(text, &notification) == nil && notification.Method == "" {
				return string(text)
			}
		}
	}))
}

// The answers of every method stay the same over HTTP.
func TestAnswersOverHTTP(t *testing.T) {
	url := server(t) + "/api"
	clitest.Golden(t, "answers-http.txt", clitest.Answers(t, func(message string) string {
		r := must.Get(http.Post(url, "application/json", strings.NewReader(message)))(t)
		defer r.Body.Close()
		text := must.Get(io.ReadAll(r.Body))(t)
		return string(bytes.TrimSpace(text))
	}))
}

// server serves until the test ends, and returns the address.
func server(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	address, stop := clitest.StartServer(t, "serve", "--listen", "127.0.0.1:0")
	t.Cleanup(func() { stop() })
	return strings.TrimSuffix(address, "/")
}
