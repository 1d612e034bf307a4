//go:build browser

package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/cli"
	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// output collects the output of a command, and calls each for every line.
type outputLines struct {
	mu   sync.Mutex
	all  bytes.Buffer
	rest []byte
	each func(line string)
}

func (o *outputLines) Write(data []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all.Write(data)
	o.rest = append(o.rest, data...)
	for {
		line, rest, whole := bytes.Cut(o.rest, []byte("\n"))
		if !whole {
			return len(data), nil
		}
		o.rest = rest
		if o.each != nil {
			o.each(string(line))
		}
	}
}

func (o *outputLines) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}

// driven is a run of the command.
type driven struct {
	status      int
	out, errOut string
	file        string
}

// runDrive runs the command to its end; each is called for every line of stdout.
func runDrive(t *testing.T, ctx context.Context, each func(line string), args ...string) driven {
	t.Helper()
	d := driven{file: filepath.Join(t.TempDir(), "game.json")}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	hang := time.AfterFunc(clitest.Hang, func() {
		t.Errorf("drive printed nothing for %v", clitest.Hang)
		cancel()
	})
	defer hang.Stop()
	out, errOut := &outputLines{}, &outputLines{}
	out.each = func(line string) {
		hang.Reset(clitest.Hang)
		if each != nil {
			each(line)
		}
	}
	d.status = cli.Run(ctx, append([]string{"drive", "--record", d.file}, args...), strings.NewReader(""), out, errOut)
	d.out, d.errOut = out.String(), errOut.String()
	if strings.ContainsAny(d.out+d.errOut, "\x1b\a") {
		t.Errorf("control characters of the page are printed: %q", d.out+d.errOut)
	}
	return d
}

// game is the recorded game, checked move by move.
func (d *driven) game(t *testing.T) *game.Game {
	t.Helper()
	file, err := os.ReadFile(d.file)
	if err != nil {
		t.Fatalf("%v\n%s", err, d.errOut)
	}
	line, _, _ := bytes.Cut(file, []byte("\n"))
	r, err := record.Parse(line)
	if err != nil {
		t.Fatalf("%v\n%s", err, d.errOut)
	}
	return must.Get(r.Replay())(t)
}
