package output

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/afterstate2048/afterstate/internal/console"
)

// Block is a block of lines on a terminal that is redrawn. On other outputs Live is false, and its
// owner writes plain lines.
type Block struct {
	Out   io.Writer
	Live  bool
	lines func(width int) []string // called with Mutex held

	Mutex sync.Mutex // protects the owner's state too
	drawn int        // number of lines on the terminal
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

// KeepDrawing redraws the block until Freeze, if it is live.
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

// Repeat calls do at intervals until Freeze.
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

// Draw draws the block over the previous one.
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
		line = ansi.Truncate(console.Line(line), width-1, "") // names may be untrusted; a wrapped line would count as two
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
