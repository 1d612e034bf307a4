package output

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/numfmt"
)

// Progress shows the progress of long work: a bar on a terminal, otherwise a plain line from time
// to time, and nothing for work that ends quickly.
type Progress struct {
	Block
	label   string
	percent bool // the work is counted in percent
	total   int
	done    int
	skipped int // amount of work that was done before the start
	start   time.Time
	next    time.Time // when the next plain line is due
}

const (
	FirstLine = 5 * time.Second
	NextLine  = 15 * time.Second
)

// NewProgress starts the display for work that has not begun. total is the amount of work, and unit
// names its unit. The caller calls End.
func NewProgress(out io.Writer, total int, unit string) *Progress {
	return newProgress(out, total, unit, false)
}

// NewPercent does what NewProgress does, for work of which only the finished share is known: Skip
// and Add count percent.
func NewPercent(out io.Writer, label string) *Progress {
	return newProgress(out, 100, label, true)
}

func newProgress(out io.Writer, total int, label string, percent bool) *Progress {
	p := &Progress{label: label, percent: percent, total: total, start: time.Now()}
	p.next = p.start.Add(FirstLine)
	p.Attach(out, p.block)
	p.KeepDrawing()
	return p
}

// Skip sets the amount of work that was finished before the start. The rate does not include it.
func (p *Progress) Skip(n int) {
	p.Mutex.Lock()
	defer p.Mutex.Unlock()
	p.done, p.skipped = n, n
}

// Describe replaces the description of the work.
func (p *Progress) Describe(label string) {
	p.Mutex.Lock()
	defer p.Mutex.Unlock()
	p.label = label
}

// Add counts finished work. If the output is not a terminal, it prints a plain line when one is
// due.
func (p *Progress) Add(n int) {
	p.Mutex.Lock()
	defer p.Mutex.Unlock()
	p.done += n
	if now := time.Now(); !p.Live && !now.Before(p.next) {
		p.next = now.Add(NextLine)
		fmt.Fprintln(p.Out, p.count()+p.pace(now))
	}
}

// count returns the amount done as text.
func (p *Progress) count() string {
	if p.percent {
		return fmt.Sprintf("%s: %d %%", p.label, p.done)
	}
	return fmt.Sprintf("%d of %d %s", p.done, p.total, p.label)
}

// pace returns the rate and the remaining time as text, once they are known.
func (p *Progress) pace(now time.Time) string {
	fresh, took := float64(p.done-p.skipped), now.Sub(p.start).Seconds()
	if fresh <= 0 || took <= 0 {
		return ""
	}
	left := time.Duration(float64(p.total-p.done) / fresh * took * float64(time.Second))
	remaining := fmt.Sprintf(", %v left", left.Round(time.Second))
	if p.percent {
		return remaining
	}
	return fmt.Sprintf(", %s a second", numfmt.Rate(fresh/took)) + remaining
}

// block returns the lines to draw on a terminal of this width.
func (p *Progress) block(width int) []string {
	const pace = 30 // columns reserved for the result of p.pace
	head := p.count()
	if p.percent {
		head = p.label // Bar shows the percentage
	}
	return []string{head, Bar(p.done, p.total, width-pace) + p.pace(time.Now())}
}

// Block is a block of lines that is redrawn on a terminal. On other outputs Live is false, and the
// owner of the block writes plain lines.
type Block struct {
	Out   io.Writer
	Live  bool
	lines func(width int) []string // called with Mutex held

	Mutex sync.Mutex // also protects the state of the block's owner
	drawn int        // number of lines of the block that are on the terminal
	ended bool

	stop chan struct{}
	done sync.WaitGroup
}

const redraw = 250 * time.Millisecond

// Attach sets the output and the function that returns the lines.
func (b *Block) Attach(out io.Writer, lines func(width int) []string) {
	b.Out, b.lines = out, lines
	b.Live, b.stop = PlacesText(out), make(chan struct{})
}

// KeepDrawing redraws the block until Freeze is called, if the output is a terminal.
func (b *Block) KeepDrawing() {
	if !b.Live {
		return
	}
	draw := func() {
		b.Mutex.Lock()
		defer b.Mutex.Unlock()
		b.Draw()
	}
	draw()
	b.Repeat(redraw, draw)
}

// Repeat calls do at intervals until Freeze is called.
func (b *Block) Repeat(every time.Duration, do func()) {
	b.done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-b.stop:
				return
			case <-tick.C:
				do()
			}
		}
	})
}

// Freeze stops redrawing and leaves the block on the terminal.
func (b *Block) Freeze() {
	close(b.stop)
	b.done.Wait()
}

// Draw replaces the block on the terminal with its current lines.
func (b *Block) Draw() {
	width, ok := TerminalWidth(b.Out)
	if !ok || width < 2 {
		width = 80
	}
	var text strings.Builder
	if b.drawn > 0 {
		fmt.Fprintf(&text, "\x1b[%dA", b.drawn)
	}
	lines := b.lines(width)
	for _, line := range lines {
		line = ansi.Truncate(console.Line(line), width-1, "") // names may be untrusted; a line must not wrap
		text.WriteString("\r\x1b[K" + line + "\n")
	}
	b.drawn = len(lines)
	_, _ = io.WriteString(console.Raw(b.Out), text.String())
}

// End stops redrawing and removes the block from the terminal. Later calls of Say print nothing.
func (b *Block) End() {
	b.Freeze()
	b.Mutex.Lock()
	defer b.Mutex.Unlock()
	b.erase()
	b.ended = true
}

func (b *Block) erase() {
	if b.drawn > 0 {
		_, _ = fmt.Fprintf(console.Raw(b.Out), "\x1b[%dA\r\x1b[J", b.drawn)
	}
	b.drawn = 0
}

// Say prints a line of text above the block.
func (b *Block) Say(text string) {
	b.Mutex.Lock()
	defer b.Mutex.Unlock()
	if b.ended {
		return
	}
	b.erase()
	fmt.Fprintln(b.Out, text)
}

// Bar returns a progress bar of done out of total.
func Bar(done, total, width int) string {
	total = max(total, 1)
	done = min(done, total)
	bar := max(0, min(40, width-10))
	full := bar * done / total
	return strings.Repeat("█", full) + strings.Repeat("░", bar-full) + fmt.Sprintf(" %d %%", 100*done/total)
}

// TerminalWidth returns the width of a stream that is a terminal; otherwise ok is false.
func TerminalWidth(stream any) (columns int, ok bool) {
	f, isFile := FileOf(stream)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	return columns, err == nil
}

// IsTerminal reports whether a stream of a command is a terminal.
func IsTerminal(stream any) bool {
	_, ok := TerminalWidth(stream)
	return ok
}

// FileOf returns the file behind a command's stream, if there is one.
func FileOf(stream any) (f *os.File, ok bool) {
	if w, isWriter := stream.(io.Writer); isWriter {
		stream = console.Raw(w)
	}
	f, ok = stream.(*os.File)
	return f, ok
}

// PlacesText reports whether a stream is a terminal with cursor positioning. A terminal counts as
// having none if TERM is dumb or, except on Windows, not set. Such a terminal gets plain lines.
func PlacesText(stream any) bool {
	_, terminal := TerminalWidth(stream)
	name := os.Getenv("TERM")
	return terminal && name != "dumb" && (name != "" || runtime.GOOS == "windows")
}

// UntilStopped returns a context that ends when the command is interrupted or its terminal hangs up. Hangups have no
// effect under nohup.
func UntilStopped(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	if signal.Ignored(syscall.SIGHUP) {
		return cmd.Context(), func() {}
	}
	return signal.NotifyContext(cmd.Context(), syscall.SIGHUP)
}
