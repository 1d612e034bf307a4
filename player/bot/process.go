//go:build !js

package bot

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/internal/child"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/protocol"
)

// process is a running bot program.
//
// kill may be called from any goroutine (a timer, the end of a context). After kill returns, the process is dead but
// not yet reaped, so its pid cannot be reused and a repeated kill cannot hit an unrelated process. Only end reaps the
// process.
type process struct {
	cmd    *exec.Cmd
	mark   string         // value of AFTERSTATE_BOT in the environment of all descendants
	in     io.WriteCloser // stdin of the program
	out    io.ReadCloser  // stdout of the program
	lines  *bufio.Reader
	errors tail
	reap   chan struct{} // closed by end, so that the process is reaped
	reaped <-chan struct{}
	late   *time.Timer // kills the process when an answer is late
	once   sync.Once
}

// botMark is the environment variable that identifies a bot's descendants.
const botMark = "AFTERSTATE_BOT"

func startProcess(words []string) (line, error) {
	p := &process{
		cmd:  exec.Command(words[0], words[1:]...),
		mark: rand.Text(),
		reap: make(chan struct{}),
	}
	if outer := os.Getenv(botMark); outer != "" { // a bot that another bot started has the marks of both
		p.mark = outer + "," + p.mark
	}
	p.cmd.Env = append(os.Environ(), botMark+"="+p.mark)
	p.cmd.Stderr = &p.errors
	// The maximum delay of Wait if another process, such as a child of the bot, keeps stderr open.
	p.cmd.WaitDelay = time.Second
	var errIn, errOut error
	p.in, errIn = p.cmd.StdinPipe()
	p.out, errOut = p.cmd.StdoutPipe()
	err := errors.Join(errIn, errOut)
	if err == nil {
		p.reaped, err = child.Start(p.cmd, p.reap)
	}
	if err != nil {
		return nil, err
	}
	p.late = time.AfterFunc(byeTimeout, p.kill)
	p.late.Stop()
	p.lines = bufio.NewReaderSize(p.out, protocol.MaxAnswer)
	return p, nil
}

// kill kills the program and its descendants and closes the pipes, which unblocks readers.
func (p *process) kill() {
	p.once.Do(func() {
		killTree(p.cmd.Process, p.mark)
		_ = p.in.Close() // ignore the error: nothing is buffered that could be lost
		_ = p.out.Close()
	})
}

// end kills and reaps the program. It returns the exit status as text and the last lines of stderr.
func (p *process) end() (exit, stderr string) {
	p.late.Stop()
	p.kill()
	close(p.reap)
	select {
	case <-p.reaped:
		exit = p.cmd.ProcessState.String()
	case <-time.After(5 * time.Second): // the process is stuck in the kernel: give up
	}
	return exit, p.errors.lines()
}

func (p *process) send(ctx context.Context, limit time.Duration, request []byte) (response []byte, err error) {
	if p.lines.Buffered() > 0 {
		unasked, _ := p.lines.Peek(min(p.lines.Buffered(), 200))
		return unasked, cmp.Or(printed(unasked), ErrUnasked)
	}
	unwatch := context.AfterFunc(ctx, p.kill)
	if limit > 0 {
		p.late.Reset(limit)
	}
	// Ignore the error: if the program has exited, its remaining output explains the failure better.
	_, _ = p.in.Write(request)
	response, err = protocol.ReadLine(p.lines)
	inTime, running := p.late.Stop() || limit == 0, unwatch()
	switch {
	case !running:
		return nil, ctx.Err()
	case !inTime:
		return nil, errLate
	case err == protocol.ErrTooLong:
		return response, err
	case err != nil:
		return nil, fault(goneReason, "")
	}
	return response, printed(response)
}

// printed checks a line that the program wrote to stdout. It returns a fault if the line is not a JSON object; such a
// line is most likely debugging output.
func printed(line []byte) error {
	if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("{")) {
		return nil
	}
	return fault("the program printed something other than an answer to stdout", Quoted(line)+"; print to stderr instead")
}

func (p *process) bye(request []byte) {
	p.late.Reset(byeTimeout)
	defer p.late.Stop()
	_, _ = p.in.Write(request)        // ignore the error: the program may have exited already
	_ = p.in.Close()                  // a program that ignores bye exits at the end of its input
	_, _ = io.Copy(io.Discard, p.out) // wait until the program closes its output
}

// tail is an io.Writer that accepts all data and keeps the last maxTail bytes. A bot therefore never blocks on
// stderr.
type tail struct {
	mu   sync.Mutex
	last []byte
}

const maxTail = 4096

// Write implements io.Writer.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, data[max(0, len(data)-maxTail):]...)
	if extra := len(t.last) - maxTail; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return len(data), nil
}

// lines returns the last three lines joined into one.
func (t *tail) lines() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range strings.Lines(string(t.last)) {
		line = strings.TrimSpace(line)
		if strings.Trim(line, "~^ ") != "" { // skip the lines of ^ with which Python marks the position of an error
			lines = append(lines, console.Short(console.Line(line), 300))
		}
	}
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}
