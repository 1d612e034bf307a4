package frozen_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/afterstate2048/afterstate/cli/clitest"
)

// The answers of every method stay the same over stdio.
func TestAnswersOverStdio(t *testing.T) {
	p := clitest.NewProcess(t)
	in, out := talk(t, p)
	clitest.Golden(t, "answers-stdio.txt", clitest.Answers(t, func(message string) string {
		if _, err := io.WriteString(in, message+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}))
}

func talk(t *testing.T, p *clitest.Process) (io.Writer, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(clitest.Program(t), "rpc")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	return in, bufio.NewReader(started(t, p, cmd))
}

// started starts a command, which is killed at the end of the test, and returns its output.
func started(t *testing.T, p *clitest.Process, cmd *exec.Cmd) io.Reader {
	t.Helper()
	cmd.Env = append(cmd.Environ(), "XDG_DATA_HOME="+p.Data)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return out
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
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
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
		r, err := http.Post(url, "application/json", strings.NewReader(message))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(bytes.TrimSpace(text))
	}))
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// server starts the server and returns its address.
func server(t *testing.T) string {
	t.Helper()
	out := started(t, clitest.NewProcess(t), exec.Command(clitest.Program(t), "serve", "--listen", "127.0.0.1:0"))
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := address.FindString(lines.Text()); found != "" {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return found
		}
	}
	t.Fatal("the server printed no address")
	return ""
}
