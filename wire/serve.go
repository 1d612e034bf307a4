package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// Handler answers requests, one at a time.
type Handler interface {
	// Call answers one request. params is a JSON object or nil, and is lent until
	// Call returns. An [*Error] is passed on as it is; any other error is told as
	// an internal one.
	Call(ctx context.Context, method string, params []byte) (result any, err error)
}

// Answer appends the answer to one message, if it wants any, and tells whether the
// message was a bye.
func Answer(ctx context.Context, h Handler, to, message []byte) (answer []byte, bye bool) {
	r, wrong := ParseRequest(message)
	if wrong != nil {
		return Refuse(to, r, wrong), false
	}
	return Reply(ctx, h, to, r)
}

// Refuse appends an error as the answer to a request that was not carried out.
func Refuse(to []byte, r Request, why *Error) []byte { return appendAnswer(to, r.ID, nil, why) }

// Reply appends the answer to a request that was read, as Answer does.
func Reply(ctx context.Context, h Handler, to []byte, r Request) (answer []byte, bye bool) {
	result, err := h.Call(ctx, r.Method, r.Params)
	bye = err == nil && r.Method == MethodBye
	if r.ID == nil {
		return to, bye
	}
	var failed *Error
	if err != nil && !errors.As(err, &failed) {
		failed = Errorf(CodeInternal, "%v", err)
	}
	return appendAnswer(to, r.ID, result, failed), bye
}

// ErrTooLong says that a line is longer than MaxLine. What ReadLine returns with it
// is the line's beginning.
var ErrTooLong = errors.New("the line is too long")

// NewReader is a buffer for ReadLine.
func NewReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, MaxLine) }

// ReadLine reads a line, which is valid until the next call. After ErrTooLong the
// rest of the line is still to be read. The last line may lack its newline.
func ReadLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		return line, ErrTooLong
	case err == io.EOF && len(line) > 0:
		return line, nil
	}
	return line, err
}

// skipLine reads to the end of a line of any length.
func skipLine(r *bufio.Reader) error {
	for {
		if _, err := r.ReadSlice('\n'); err != bufio.ErrBufferFull {
			return err
		}
	}
}

// Serve answers the messages of a stream until bye or its end, or until ctx ends,
// which it notices after the message in hand. Empty lines are passed over.
//
// Answers to lines that were sent without waiting leave together, each at most a
// few milliseconds after it was found.
func Serve(ctx context.Context, h Handler, in io.Reader, out io.Writer) error {
	lines := NewReader(in)
	w := &lateWriter{out: out}
	var answer []byte
	for {
		line, err := ReadLine(lines)
		bye := false
		switch {
		case err == ErrTooLong:
			answer = appendAnswer(answer[:0], nil, nil, Errorf(CodeInvalidRequest, "a line of more than %d bytes: want it shorter", MaxLine))
			err = skipLine(lines)
		case err == nil && len(bytes.TrimSpace(line)) == 0:
			answer = answer[:0]
		case err == nil:
			answer, bye = Answer(ctx, h, answer[:0], line)
			if ctx.Err() != nil { // the answer may be that there is no time left
				_ = w.write(nil, true)
				return ctx.Err()
			}
		default:
			answer = answer[:0]
		}
		// Whoever waits for this answer has sent nothing more.
		waiting, _ := lines.Peek(lines.Buffered())
		now := err != nil || bye || bytes.IndexByte(waiting, '\n') < 0
		if failed := w.write(answer, now); failed != nil {
			return failed
		}
		switch {
		case err == io.EOF || bye:
			return nil
		case err != nil:
			return err
		}
	}
}

// lateWriter gathers what need not leave at once. A timer sends it, because the
// next answer may take long.
type lateWriter struct {
	out io.Writer

	mu      sync.Mutex
	pending []byte
	armed   bool
	err     error
}

const (
	latest    = time.Millisecond // how long an answer is kept
	mostAtOne = 1 << 15          // bytes
)

func (w *lateWriter) write(data []byte, now bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, data...)
	switch {
	case now || len(w.pending) >= mostAtOne:
		w.send()
	case !w.armed && len(w.pending) > 0:
		w.armed = true
		time.AfterFunc(latest, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.armed = false
			w.send()
		})
	}
	return w.err
}

func (w *lateWriter) send() {
	if len(w.pending) > 0 && w.err == nil {
		_, w.err = w.out.Write(w.pending)
	}
	w.pending = w.pending[:0]
}
