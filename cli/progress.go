package cli

import (
	"fmt"
	"io"
	"time"

	"afterstate/internal/numfmt"
)

// progress shows how far long work is: a bar on a terminal, a plain line now and
// then elsewhere, nothing for work that is quickly done.
type progress struct {
	liveBlock
	what    string
	total   int
	done    int
	skipped int // done before the start
	start   time.Time
	next    time.Time // when the next plain line is due
}

const (
	firstLine = 5 * time.Second
	nextLine  = 15 * time.Second
)

func newProgress(out io.Writer, total int, what string) *progress {
	p := &progress{what: what, total: total, start: time.Now()}
	p.next = p.start.Add(firstLine)
	p.attach(out, p.block)
	p.keepDrawing()
	return p
}

// skip counts work that was finished earlier.
func (p *progress) skip(n int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.done, p.skipped = n, n
}

// describe says more than what is counted.
func (p *progress) describe(what string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.what = what
}

// add counts finished work.
func (p *progress) add(n int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.done += n
	if now := time.Now(); !p.live && !now.Before(p.next) {
		p.next = now.Add(nextLine)
		fmt.Fprintln(p.out, p.count()+p.pace(now))
	}
}

// count says how much is done.
func (p *progress) count() string { return fmt.Sprintf("%d of %d %s", p.done, p.total, p.what) }

// pace says how fast it goes and how long it will take, once that is known.
func (p *progress) pace(now time.Time) string {
	fresh, took := float64(p.done-p.skipped), now.Sub(p.start).Seconds()
	if fresh <= 0 || took <= 0 {
		return ""
	}
	left := time.Duration(float64(p.total-p.done) / fresh * took * float64(time.Second))
	return fmt.Sprintf(", %s a second, %v left", numfmt.Rate(fresh/took), left.Round(time.Second))
}

// block is what a terminal shows.
func (p *progress) block(width int) []string {
	const pace = 30 // characters that the pace takes
	return []string{p.count(), progressBar(p.done, p.total, width-pace) + p.pace(time.Now())}
}

// end leaves nothing on the terminal.
func (p *progress) end() {
	p.freeze()
	p.erase()
}
