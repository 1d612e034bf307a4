package live

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"afterstate/internal/console"
)

// TerminalWidth is the width of a stream that is a terminal; ok is false else.
func TerminalWidth(stream any) (columns int, ok bool) {
	f, isFile := FileOf(stream)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	return columns, err == nil
}

// FileOf is the file that a command's stream is, if it is one.
func FileOf(stream any) (f *os.File, ok bool) {
	if w, isWriter := stream.(io.Writer); isWriter {
		stream = console.Raw(w)
	}
	f, ok = stream.(*os.File)
	return f, ok
}

// PlacesText reports whether a stream is a terminal that moves its cursor as it is told: a
// dumb one, or one that nobody names, gets lines.
func PlacesText(stream any) bool {
	_, terminal := TerminalWidth(stream)
	name := os.Getenv("TERM")
	return terminal && name != "dumb" && (name != "" || runtime.GOOS == "windows")
}

// UntilHangup ends a context also when the terminal hangs up: what was played is
// then kept as after Ctrl-C.
func UntilHangup(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, syscall.SIGHUP)
}

// UntilStopped ends when the command is interrupted or its terminal hangs up, unless
// nohup wants it to go on.
func UntilStopped(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	if signal.Ignored(syscall.SIGHUP) {
		return cmd.Context(), func() {}
	}
	return UntilHangup(cmd.Context())
}
