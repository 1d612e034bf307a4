package live

import (
	"fmt"
	"io"
	"time"

	"afterstate/internal/numfmt"
)

// Progress shows how far long work is: a bar on a terminal, a plain line now and
// then elsewhere, nothing for work that is quickly done.
type Progress struct {
	Block
	what    string
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

// NewProgress shows that nothing of total is done. End ends it.
func NewProgress(out io.Writer, total int, what string) *Progress {
	p := &Progress{what: what, total: total, start: time.Now()}
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

// Describe says more than what is counted.
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

// count says how much is done.
func (p *Progress) count() string { return fmt.Sprintf("%d of %d %s", p.done, p.total, p.what) }

// pace says how fast it goes and how long it will take, once that is known.
func (p *Progress) pace(now time.Time) string {
	fresh, took := float64(p.done-p.skipped), now.Sub(p.start).Seconds()
	if fresh <= 0 || took <= 0 {
		return ""
	}
	left := time.Duration(float64(p.total-p.done) / fresh * took * float64(time.Second))
	return fmt.Sprintf(", %s a second, %v left", numfmt.Rate(fresh/took), left.Round(time.Second))
}

// block is what a terminal shows.
func (p *Progress) block(width int) []string {
	const pace = 30 // characters that the pace takes
	return []string{p.count(), Bar(p.done, p.total, width-pace) + p.pace(time.Now())}
}

// End leaves nothing on the terminal.
func (p *Progress) End() {
	p.Freeze()
	p.Erase()
}
