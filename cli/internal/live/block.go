// Package live shows how long work goes: a block of lines that is drawn again and again on a
// terminal, plain lines elsewhere.
package live

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"afterstate/internal/console"
)

// Block is a block of lines on a terminal that is drawn again and again. Elsewhere
// it is not live, and its owner writes plain lines.
type Block struct {
	Out   io.Writer
	Live  bool
	lines func(width int) []string // under mutex

	Mutex sync.Mutex // of the owner's state too
	drawn int        // lines on the terminal

	stop chan struct{}
	done sync.WaitGroup
}

const redraw = 250 * time.Millisecond

// Attach says where the block is to be and what is in it.
func (b *Block) Attach(out io.Writer, lines func(width int) []string) {
	b.Out, b.lines = out, lines
	b.Live, b.stop = PlacesText(out), make(chan struct{})
}

// KeepDrawing draws until freeze, if the block is live.
func (b *Block) KeepDrawing() {
	if !b.Live {
		return
	}
	b.done.Go(func() {
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			b.Mutex.Lock()
			b.Draw()
			b.Mutex.Unlock()
			select {
			case <-b.stop:
				return
			case <-tick.C:
			}
		}
	})
}

// Freeze leaves the block as it is.
func (b *Block) Freeze() {
	close(b.stop)
	b.done.Wait()
}

// Draw draws the block over the one before.
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
		line = console.Line(line)               // names in it are others'
		if r := []rune(line); len(r) >= width { // a line that wraps would count as two
			line = string(r[:width-1])
		}
		text.WriteString("\r\x1b[K" + line + "\n")
	}
	b.drawn = len(lines)
	_, _ = io.WriteString(console.Raw(b.Out), text.String())
}

// Erase leaves nothing on the terminal.
func (b *Block) Erase() {
	if b.drawn > 0 {
		_, _ = fmt.Fprintf(console.Raw(b.Out), "\x1b[%dA\r\x1b[J", b.drawn)
	}
}

// Bar is a line that shows how much of total is done.
func Bar(done, total, width int) string {
	total = max(total, 1)
	done = min(done, total)
	bar := max(0, min(40, width-10))
	full := bar * done / total
	return strings.Repeat("█", full) + strings.Repeat("░", bar-full) + fmt.Sprintf(" %d %%", 100*done/total)
}
