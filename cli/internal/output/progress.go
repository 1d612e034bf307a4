package output

import (
	"fmt"
	"io"
	"time"

	"github.com/afterstate2048/afterstate/internal/numfmt"
)

// Progress shows the progress of long work: a bar on a terminal, otherwise a plain line from time
// to time, and nothing for work that ends quickly.
type Progress struct {
	Block
	what    string
	percent bool // the work is counted in percent
	total   int
	done    int
	skipped int // done before the start
	start   time.Time
	next    time.Time // when the next plain line is due
}

const (
	FirstLine = 5 * time.Second
	NextLine  = 15 * time.Second
)

// NewProgress starts the display with nothing of total done. The caller calls End.
func NewProgress(out io.Writer, total int, what string) *Progress {
	return (&Progress{what: what, total: total}).begin(out)
}

// NewPercent is NewProgress for work of which only the share is known: Skip and Add count percent.
func NewPercent(out io.Writer, what string) *Progress {
	return (&Progress{what: what, total: 100, percent: true}).begin(out)
}

func (p *Progress) begin(out io.Writer) *Progress {
	p.start = time.Now()
	p.next = p.start.Add(FirstLine)
	p.Attach(out, p.block)
	p.KeepDrawing()
	return p
}

// Skip counts work that was finished earlier.
func (p *Progress) Skip(n int) {
	p.Mutex.Lock()
	defer p.Mutex.Unlock()
	p.done, p.skipped = n, n
}

// Describe replaces the description of the work.
func (p *Progress) Describe(what string) {
	p.Mutex.Lock()
	defer p.Mutex.Unlock()
	p.what = what
}

// Add counts finished work.
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
		return fmt.Sprintf("%s: %d %%", p.what, p.done)
	}
	return fmt.Sprintf("%d of %d %s", p.done, p.total, p.what)
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

// block returns the lines for a terminal.
func (p *Progress) block(width int) []string {
	const pace = 30 // width reserved for the pace
	head := p.count()
	if p.percent {
		head = p.what // the bar has the share
	}
	return []string{head, Bar(p.done, p.total, width-pace) + p.pace(time.Now())}
}
