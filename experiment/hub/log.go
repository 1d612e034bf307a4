package hub

import (
	"fmt"
	"sync"
)

// logger passes on warnings and errors of the server, and remembers why it failed to start.
type logger struct {
	print func(line string)

	mu    sync.Mutex
	fatal string
}

func (l *logger) failed() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

func (l *logger) log(format string, v []any) {
	if l.print != nil {
		l.print(fmt.Sprintf(format, v...))
	}
}

func (l *logger) Fatalf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fatal = fmt.Sprintf(format, v...)
}

func (l *logger) Errorf(format string, v ...any) { l.log(format, v) }
func (l *logger) Warnf(format string, v ...any)  { l.log(format, v) }
func (*logger) Noticef(string, ...any)           {}
func (*logger) Debugf(string, ...any)            {}
func (*logger) Tracef(string, ...any)            {}
