//go:build unix

package arena

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/testenv"
)

// TestMain lets the test binary be a bot, so that the tests of misbehaving ones
// need no other program.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "bot" {
		botMain(os.Args[2])
		return
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // by default, the race detector lets a program sleep for a second at its end
	testenv.Main(m)
}

type request struct {
	ID     int
	Method string
	Params struct {
		Legal []string
		Turn  int
		Game  int
		Size  string
	}
}

// badGame is the game in which bots misbehave, at badTurn.
const (
	badGame = 2
	badTurn = 3
)

// botMain is a bot that plays the first legal move of up, right, down, left, which
// is their order in the request, and misbehaves in its own way. os.Args are
// "bot", the way, and a mark by which its processes can be found, see botEntrant.
func botMain(way string) {
	if way == "sleep" {
		time.Sleep(time.Hour)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		answer := func(result string) { fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", r.ID, result) }
		switch r.Method {
		case "hello":
			if f := atHello[way]; f != nil {
				f(&r)
			}
			answer(`{"name":"test","protocol":1,"wants_seed":true,"more":[]}`)
		case "best_move":
			if f := atMove[way]; f != nil && r.Params.Game == badGame && r.Params.Turn == badTurn {
				f(&r)
			}
			if way == "two answers" && r.Params.Game == badGame && r.Params.Turn == badTurn-1 {
				answer(fmt.Sprintf(`{"move":"%s"}`, r.Params.Legal[0]))
			}
			answer(fmt.Sprintf(`{"move":"%s"}`, r.Params.Legal[0]))
			if way == "print after" && r.Params.Game == badGame && r.Params.Turn == badTurn-1 {
				fmt.Println("thinking...")
			}
		case "bye":
			if f := atBye[way]; f != nil {
				f(&r)
			}
			answer("{}")
		}
	}
}

// say writes a line to stdout, with the request's id in place of ID.
func say(line string) func(*request) {
	return func(r *request) {
		fmt.Println(strings.ReplaceAll(line, "ID", fmt.Sprint(r.ID)))
		time.Sleep(time.Hour)
	}
}

func hang(*request) {
	if err := os.WriteFile(os.Args[3], nil, 0o666); err != nil {
		panic(err)
	}
	time.Sleep(time.Hour)
}

func die(*request) {
	fmt.Fprintln(os.Stderr, "out of\x1b[31m luck")
	os.Exit(3)
}

// flood writes without end.
func flood(f *os.File, text string) func(*request) {
	text = strings.Repeat(text, 10000)
	return func(*request) {
		for {
			if _, err := f.WriteString(text); err != nil {
				os.Exit(1)
			}
		}
	}
}

// spawn starts a child that sleeps.
func spawn(attributes *syscall.SysProcAttr, env []string, keepPipes bool) {
	cmd := exec.Command(os.Args[0], "bot", "sleep", os.Args[3])
	cmd.SysProcAttr, cmd.Env = attributes, env
	if keepPipes {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

var atHello = map[string]func(*request){
	"hello: hang":     hang,
	"hello: die":      die,
	"hello: protocol": say(`{"jsonrpc":"2.0","id":ID,"result":{"name":"test","protocol":7}}`),
	"hello: nothing":  say(`{"jsonrpc":"2.0","id":ID,"result":{}}`),
	"hello: loads": func(r *request) { // a bot that loads what it needs for a size
		if r.Params.Size != small.String() {
			fmt.Fprintln(os.Stderr, "nobody said the size:", r.Params.Size)
			os.Exit(3)
		}
	},
	"hello: size": say(`{"jsonrpc":"2.0","id":ID,"result":{"name":"test","protocol":1,"sizes":["4x4"]}}`),
}

var atMove = map[string]func(*request){
	"hang":        hang,
	"die":         die,
	"panic":       func(*request) { panic("bot is lost") },
	"close":       func(*request) { os.Stdout.Close(); time.Sleep(time.Hour) },
	"no move":     say(`{"jsonrpc":"2.0","id":ID,"result":{"move":null}}`),
	"sideways":    say(`{"jsonrpc":"2.0","id":ID,"result":{"move":"sideways"}}`),
	"number":      say(`{"jsonrpc":"2.0","id":ID,"result":2}`),
	"other id":    say(`{"jsonrpc":"2.0","id":1ID,"result":{"move":"up"}}`),
	"text id":     say(`{"jsonrpc":"2.0","id":"ID","result":{"move":"up"}}`),
	"no id":       say(`{"jsonrpc":"2.0","result":{"move":"up"}}`),
	"no version":  say(`{"id":ID,"result":{"move":"up"}}`),
	"error":       say(`{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"no idea"}}`),
	"confused":    say(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`),
	"rubbish":     say("thinking..."),
	"Python dict": say("{'move': 'up'}"),
	"empty line":  say(""),
	"binary":      say("\x00\xff\x1b[2J"),
	"flood":       flood(os.Stdout, "x"),
	"flood lines": flood(os.Stdout, "x\n"),
	"flood stderr": func(*request) {
		go flood(os.Stderr, "many words\n")(nil)
		time.Sleep(50 * time.Millisecond)
	},
	"illegal": func(r *request) {
		for _, d := range []string{"up", "right", "down", "left"} {
			if !strings.Contains(strings.Join(r.Params.Legal, " "), d) {
				say(`{"jsonrpc":"2.0","id":ID,"result":{"move":"` + d + `"}}`)(r)
			}
		}
	},
	"child, die": func(r *request) { spawn(nil, nil, false); die(r) },
	"child with pipes, die": func(r *request) {
		spawn(nil, nil, true)
		die(r)
	},
	"child in a session of its own, hang": func(r *request) {
		spawn(&syscall.SysProcAttr{Setsid: true}, nil, true)
		hang(r)
	},
	"child in a session without environment, hang": func(*request) {
		spawn(&syscall.SysProcAttr{Setsid: true}, []string{"A=1"}, true)
		time.Sleep(time.Hour)
	},
	"orphan in a session of its own, die": func(r *request) {
		spawn(&syscall.SysProcAttr{Setsid: true}, nil, true)
		die(r)
	},
}

var atBye = map[string]func(*request){
	"bye: hang": hang,
	"bye: die":  die,
	"bye: child": func(*request) {
		spawn(&syscall.SysProcAttr{Setsid: true}, nil, false)
		os.Exit(0)
	},
}
