package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"afterstate/internal/console"
)

// progress shows how far long work is: a bar on a terminal, a plain line now and
// then elsewhere, nothing for work that is quickly done.
type progress struct {
	out     io.Writer
	what    string
	total   int
	done    int
	skipped int // done before the start
	start   time.Time
	next    time.Time // when the next plain line is due
	bar     *progressbar.ProgressBar
}

const (
	firstLine = 5 * time.Second
	nextLine  = 15 * time.Second
)

func newProgress(out io.Writer, total int, what string) *progress {
	p := &progress{out: out, what: what, total: total, start: time.Now()}
	p.next = p.start.Add(firstLine)
	if placesText(out) {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(console.Raw(out)),
			progressbar.OptionSetDescription(console.Line(what)),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(what),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetElapsedTime(true),
			progressbar.OptionThrottle(200*time.Millisecond),
			progressbar.OptionUseANSICodes(true),
			progressbar.OptionClearOnFinish())
	}
	return p
}

// skip counts work that was finished earlier.
func (p *progress) skip(n int) {
	p.done, p.skipped = n, n
	if p.bar != nil {
		_ = p.bar.Set(n)
	}
}

// describe says more than what is counted.
func (p *progress) describe(what string) {
	p.what = what
	if p.bar != nil {
		p.bar.Describe(console.Line(what))
	}
}

// add counts finished work. One goroutine at a time may call it.
func (p *progress) add(n int) {
	p.done += n
	if p.bar != nil {
		_ = p.bar.Add(n) // a bar that cannot be drawn must not stop the work
		return
	}
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(nextLine)
	rate := float64(p.done-p.skipped) / now.Sub(p.start).Seconds()
	left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
	fmt.Fprintf(p.out, "%d of %d %s, %.3g a second, %v left\n", p.done, p.total, p.what, rate, left.Round(time.Second))
}

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
