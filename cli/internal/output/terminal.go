package output

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/afterstate2048/afterstate/internal/console"
)

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

// PlacesText reports whether a stream is a terminal with cursor positioning. A dumb terminal, or
// one without TERM, gets lines.
func PlacesText(stream any) bool {
	_, terminal := TerminalWidth(stream)
	name := os.Getenv("TERM")
	return terminal && name != "dumb" && (name != "" || runtime.GOOS == "windows")
}

// UntilHangup returns a context that also ends when the terminal hangs up, so that games are saved
// as after Ctrl-C.
func UntilHangup(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, syscall.SIGHUP)
}

// UntilStopped returns a context that ends when the command is interrupted or its terminal hangs
// up, unless nohup ignores hangups.
func UntilStopped(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	if signal.Ignored(syscall.SIGHUP) {
		return cmd.Context(), func() {}
	}
	return UntilHangup(cmd.Context())
}
