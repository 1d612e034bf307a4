package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"afterstate/internal/console"
)

// liveBlock is a block of lines on a terminal that is drawn again and again. Elsewhere
// it is not live, and its owner writes plain lines.
type liveBlock struct {
	out   io.Writer
	live  bool
	lines func(width int) []string // under mutex

	mutex sync.Mutex // of the owner's state too
	drawn int        // lines on the terminal

	stop chan struct{}
	done sync.WaitGroup
}

const redraw = 250 * time.Millisecond

// attach says where the block is to be and what is in it.
func (b *liveBlock) attach(out io.Writer, lines func(width int) []string) {
	b.out, b.lines = out, lines
	b.live, b.stop = placesText(out), make(chan struct{})
}

// keepDrawing draws until freeze, if the block is live.
func (b *liveBlock) keepDrawing() {
	if !b.live {
		return
	}
	b.done.Go(func() {
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			b.mutex.Lock()
			b.draw()
			b.mutex.Unlock()
			select {
			case <-b.stop:
				return
			case <-tick.C:
			}
		}
	})
}

// freeze leaves the block as it is.
func (b *liveBlock) freeze() {
	close(b.stop)
	b.done.Wait()
}

// draw draws the block over the one before.
func (b *liveBlock) draw() {
	width, ok := terminalWidth(b.out)
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
	_, _ = io.WriteString(console.Raw(b.out), text.String())
}

// erase leaves nothing on the terminal.
func (b *liveBlock) erase() {
	if b.drawn > 0 {
		_, _ = fmt.Fprintf(console.Raw(b.out), "\x1b[%dA\r\x1b[J", b.drawn)
	}
}

// progressBar is a line that shows how much of total is done.
func progressBar(done, total, width int) string {
	total = max(total, 1)
	done = min(done, total)
	bar := max(0, min(40, width-10))
	full := bar * done / total
	return strings.Repeat("█", full) + strings.Repeat("░", bar-full) + fmt.Sprintf(" %d %%", 100*done/total)
}
