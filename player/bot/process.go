package bot

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"afterstate/internal/console"
	"afterstate/player"
	"afterstate/wire"
)

// process is a bot's program while it runs.
//
// Its life has three stages. It runs until kill, which anyone may call at any time:
// a timer, the end of a context. Then it is dead with all its children, but not yet
// reaped: until then nobody else can get its number, so that kill cannot hit a
// stranger. Only end reaps it.
type process struct {
	cmd    *exec.Cmd
	mark   string   // in the environment of all that it starts
	in     *os.File // to its stdin
	out    *os.File // from its stdout
	lines  *bufio.Reader
	errors *tail
	reap   chan struct{} // closed: wait for it
	reaped chan struct{}
	dog    watchdog // kills when an answer is late
	once   sync.Once
	id     int64
	buffer []byte
}

// botMark is the variable by which a bot's children are known, wherever they went.
const botMark = "AFTERSTATE_BOT"

func startProcess(words []string) (*process, error) {
	p := &process{
		cmd:  exec.Command(words[0], words[1:]...),
		mark: rand.Text(),
		reap: make(chan struct{}), reaped: make(chan struct{}),
	}
	if outer := os.Getenv(botMark); outer != "" { // a bot within a bot is both's
		p.mark = outer + "," + p.mark
	}
	p.cmd.Env = append(os.Environ(), botMark+"="+p.mark)
	detach(p.cmd)
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
	started := make(chan error)
	go p.live(started)
	err := <-started
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
			_ = f.Close() // pipes: there is nothing to lose
		}
	}
}

// live starts the program and waits for it when told to. Linux ends a child with
// the thread that started it (see detach), so the thread stays.
func (p *process) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	<-p.reap
	_ = p.cmd.Wait() // its state is in cmd
	close(p.reaped)
}

// kill ends the program and all that it started, and closes the pipes, so that
// whoever reads stops.
func (p *process) kill() {
	p.once.Do(func() {
		killTree(p.cmd.Process, p.mark)
		p.close(p.in, p.out)
	})
}

// end kills and reaps. It tells how the program ended and the last that it wrote to
// stderr.
func (p *process) end() (exit, stderr string) {
	p.dog.stop()
	p.kill()
	close(p.reap)
	select {
	case <-p.reaped:
		exit = p.cmd.ProcessState.String()
	case <-time.After(5 * time.Second): // stuck in the kernel, dead to us
	}
	return exit, p.errors.end()
}

// goneReason is that of a bot that ended. How is found out when it is reaped.
const goneReason = "it ended without an answer"

// fault is what loses the game that is being played.
func fault(reason, detail string) error {
	return &player.Forfeit{Reason: reason, Detail: detail}
}

// ask sends a request and reads the result within a limit (0: none). A fault is a
// *player.Forfeit; when ctx ends the error is its own.
func (p *process) ask(ctx context.Context, limit time.Duration, method string, params any, read func(result []byte) error) error {
	p.id++
	var err error
	if p.buffer, err = wire.AppendRequest(p.buffer[:0], p.id, method, params); err != nil {
		return err
	}
	if p.lines.Buffered() > 0 {
		unasked, _ := p.lines.Peek(min(p.lines.Buffered(), 200))
		return fault("it wrote without being asked", quoted(unasked))
	}
	unwatch := context.AfterFunc(ctx, p.kill)
	if limit > 0 {
		p.dog.guard(limit)
	}
	_, _ = p.in.Write(p.buffer) // should it have ended, what it left behind tells more
	line, failed := wire.ReadLine(p.lines)
	inTime, running := p.dog.rest(), unwatch()
	switch {
	case !running:
		return ctx.Err()
	case !inTime:
		return fault(fmt.Sprintf("no answer to %s within %v", method, limit), "")
	case failed == wire.ErrTooLong:
		return fault(fmt.Sprintf("a line of more than %d bytes", wire.MaxLine), quoted(line))
	case failed != nil:
		return fault(goneReason, "")
	}
	return p.understand(line, method, read)
}

func (p *process) understand(line []byte, method string, read func(result []byte) error) error {
	const nonsense = "an answer that is no JSON-RPC 2.0 response"
	r, err := wire.ParseResponse(line)
	switch {
	case err != nil:
		return fault(nonsense, err.Error()+": "+quoted(line))
	case r.Error != nil && string(r.ID) == "null":
		return fault("it did not understand "+method, quoted([]byte(r.Error.Message)))
	case string(r.ID) != strconv.FormatInt(p.id, 10):
		return fault("an answer to another question", fmt.Sprintf("its id is %s, the request's %d", short(string(r.ID)), p.id))
	case r.Error != nil:
		return fault("it answered "+method+" with an error", quoted([]byte(r.Error.Message)))
	}
	if err := read(r.Result); err != nil {
		return fault("an answer that is not what "+method+" asks for", err.Error())
	}
	return nil
}

// bye asks the program to end and gives it a moment to do so.
func (p *process) bye() {
	p.dog.guard(farewell)
	defer p.dog.rest()
	p.id++
	p.buffer, _ = wire.AppendRequest(p.buffer[:0], p.id, wire.MethodBye, nil)
	_, _ = p.in.Write(p.buffer)       // it may have ended by now,
	_ = p.in.Close()                  // or end at the end of its input
	_, _ = io.Copy(io.Discard, p.out) // until it has closed its output
}

// quoted is what a bot wrote, for a reason: short, and on one line.
func quoted(text []byte) string {
	return strconv.Quote(short(string(bytes.TrimRight(text, "\r\n"))))
}

func short(s string) string {
	const most = 100
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// tail reads a stream to its end and keeps the last of it, so that a bot can write
// to stderr what it likes.
type tail struct {
	file *os.File
	done chan struct{}

	mu   sync.Mutex
	last []byte
}

const mostTail = 4096

func newTail(f *os.File) *tail {
	t := &tail{file: f, done: make(chan struct{})}
	go func() {
		defer close(t.done)
		_, _ = io.Copy(t, f) // ends when the stream or the file does
	}()
	return t
}

// Write keeps the last bytes.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, data[max(0, len(data)-mostTail):]...)
	if extra := len(t.last) - mostTail; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return len(data), nil
}

// end reads what is still there and returns the last three lines as one.
func (t *tail) end() string {
	select {
	case <-t.done:
	case <-time.After(100 * time.Millisecond): // somebody else holds it open
	}
	_ = t.file.Close()
	<-t.done
	var lines []string
	for line := range strings.Lines(string(t.last)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, short(console.Line(line)))
		}
	}
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}
