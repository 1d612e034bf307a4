//go:build !js

package bot

import (
	"bufio"
	"context"
	"crypto/rand"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"afterstate/internal/child"
	"afterstate/internal/console"
	"afterstate/wire"
)

// process is a running bot program.
//
// It is running until kill, which may be called from any goroutine (a timer, the end of a context).
// A killed process and its children are dead but not yet reaped, so the pid cannot be reused and a
// repeated kill cannot hit an unrelated process. Only end reaps it.
type process struct {
	cmd    *exec.Cmd
	mark   string   // value of AFTERSTATE_BOT in the environment of all its descendants
	in     *os.File // its stdin
	out    *os.File // its stdout
	lines  *bufio.Reader
	errors *tail
	reap   chan struct{} // closed: reap the process
	reaped <-chan struct{}
	dog    watchdog // kills the process when an answer is late
	once   sync.Once
	exchange
}

// botMark is the environment variable that identifies a bot's descendants.
const botMark = "AFTERSTATE_BOT"

func startProcess(words []string) (*process, error) {
	p := &process{
		cmd:  exec.Command(words[0], words[1:]...),
		mark: rand.Text(),
		reap: make(chan struct{}),
	}
	if outer := os.Getenv(botMark); outer != "" { // nested bots carry the marks of both
		p.mark = outer + "," + p.mark
	}
	p.cmd.Env = append(os.Environ(), botMark+"="+p.mark)
	var theirs [3]*os.File
	var stderr *os.File
	for i, ours := range []**os.File{&p.in, &p.out, &stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			p.close(append(theirs[:], p.in, p.out, stderr)...)
			return nil, err
		}
		theirs[i], *ours = w, r
		if i == 0 {
			theirs[i], *ours = r, w
		}
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	var err error
	p.reaped, err = child.Start(p.cmd, p.reap)
	p.close(theirs[:]...)
	if err != nil {
		p.close(p.in, p.out, stderr)
		return nil, err
	}
	p.dog.bite = p.kill
	p.lines = wire.NewReader(p.out)
	p.errors = newTail(stderr)
	return p, nil
}

func (p *process) close(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // closing a pipe loses no data
		}
	}
}

// kill kills the program and its descendants and closes the pipes, which unblocks readers.
func (p *process) kill() {
	p.once.Do(func() {
		killTree(p.cmd.Process, p.mark)
		p.close(p.in, p.out)
	})
}

// end kills and reaps the program. It returns how the program exited and the last lines of its
// stderr.
func (p *process) end() (exit, stderr string) {
	p.dog.stop()
	p.kill()
	close(p.reap)
	select {
	case <-p.reaped:
		exit = p.cmd.ProcessState.String()
	case <-time.After(5 * time.Second): // stuck in the kernel: give up
	}
	return exit, p.errors.end()
}

func (p *process) ask(ctx context.Context, limit time.Duration, method string, params, result any) error {
	request, err := p.request(method, params)
	if err != nil {
		return err
	}
	if p.lines.Buffered() > 0 {
		unasked, _ := p.lines.Peek(min(p.lines.Buffered(), 200))
		if printed(unasked) {
			return printedFault(unasked)
		}
		return unaskedFault(unasked)
	}
	unwatch := context.AfterFunc(ctx, p.kill)
	if limit > 0 {
		p.dog.guard(limit)
	}
	_, _ = p.in.Write(request) // after an exit the remaining output explains more than a write error
	line, failed := wire.ReadLine(p.lines)
	inTime, running := p.dog.rest(), unwatch()
	switch {
	case !running:
		return ctx.Err()
	case !inTime:
		return lateFault(method, limit)
	case failed == wire.ErrTooLong:
		return longFault(line)
	case failed != nil:
		return fault(goneReason, "")
	case printed(line):
		return printedFault(line)
	}
	return p.understand(line, method, result)
}

// bye sends bye and waits up to the byeTimeout limit for the program to exit.
func (p *process) bye() {
	p.dog.guard(byeTimeout)
	defer p.dog.rest()
	request, _ := p.request(wire.MethodBye, nil)
	_, _ = p.in.Write(request)        // the program may already have exited,
	_ = p.in.Close()                  // or exit when its input ends
	_, _ = io.Copy(io.Discard, p.out) // wait until it closes its output
}

// tail drains a stream and retains its last bytes, so that a bot's stderr never blocks.
type tail struct {
	file *os.File
	done chan struct{}

	mu   sync.Mutex
	last []byte
}

const maxTail = 4096

func newTail(f *os.File) *tail {
	t := &tail{file: f, done: make(chan struct{})}
	go func() {
		defer close(t.done)
		_, _ = io.Copy(t, f) // ends when the stream or the file does
	}()
	return t
}

// Write retains the last bytes.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, data[max(0, len(data)-maxTail):]...)
	if extra := len(t.last) - maxTail; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return len(data), nil
}

// end drains the remaining data and returns the last three lines joined into one.
func (t *tail) end() string {
	select {
	case <-t.done:
	case <-time.After(time.Second): // another process still holds the pipe open
	}
	_ = t.file.Close()
	<-t.done
	var lines []string
	for line := range strings.Lines(string(t.last)) {
		line = strings.TrimSpace(line)
		if strings.Trim(line, "~^ ") != "" { // Python marks a place in the line above
			lines = append(lines, shortened(console.Line(line), 300))
		}
	}
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}
