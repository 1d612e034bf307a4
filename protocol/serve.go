package protocol

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// Handler answers requests. Its method Call is called for one request at a time.
type Handler interface {
	// Call answers one request. params is a JSON object or nil, and is valid until Call returns. An
	// [*Error] is sent unchanged; any other error is sent as an internal error.
	Call(ctx context.Context, method string, params []byte) (result any, err error)
}

// Answer answers one message and appends the answer to the buffer to; it appends nothing for a notification.
// bye reports whether the message called the method bye with success.
func Answer(ctx context.Context, h Handler, to, message []byte) (answer []byte, bye bool) {
	r, wrong := ParseRequest(message)
	if wrong != nil {
		return Refuse(to, r, wrong), false
	}
	return Reply(ctx, h, to, r)
}

// Refuse appends an error as the answer to a request that was not executed.
func Refuse(to []byte, r Request, why *Error) []byte { return appendAnswer(to, r.ID, nil, why) }

// Reply does what Answer does, for a request that is already parsed.
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

// ErrTooLong means that a line is longer than the reader's buffer. ReadLine then returns the beginning of
// the line too.
var ErrTooLong = errors.New("the line is too long")

// NewReader returns a reader for ReadLine, for lines of up to MaxLine bytes.
func NewReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, MaxLine) }

// ReadLine reads a line, which is valid until the next call. After ErrTooLong, the rest of the line
// has not been read. The last line may lack its newline.
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

// Serve answers the messages of a stream until the method bye, the end of the stream, or the end of
// ctx, which it notices after the current message. It skips empty lines.
//
// Answers to pipelined lines are batched, which delays an answer by at most about a millisecond.
func Serve(ctx context.Context, h Handler, in io.Reader, out io.Writer) error {
	lines := NewReader(in)
	w := &batchWriter{out: out}
	var answer []byte
	for {
		line, err := ReadLine(lines)
		bye := false
		answer = answer[:0]
		switch {
		case err == ErrTooLong:
			answer = appendAnswer(answer, nil, nil, Errorf(CodeInvalidRequest, "the line has more than %d bytes", MaxLine))
			err = skipLine(lines)
		case err == nil && len(bytes.TrimSpace(line)) > 0:
			answer, bye = Answer(ctx, h, answer, line)
			if ctx.Err() != nil { // the answer is not sent, but earlier ones are
				_ = w.write(nil, true)
				return ctx.Err()
			}
		}
		// If no complete request is buffered, the client may be waiting for this answer.
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

// batchWriter batches output that is not urgent. A timer flushes it, because the next answer may
// take long.
type batchWriter struct {
	out io.Writer

	mu      sync.Mutex
	pending []byte
	armed   bool
	err     error
}

const (
	maxDelay = time.Millisecond // maximum delay of an answer
	maxBatch = 1 << 15          // size in bytes from which a batch is sent at once
)

func (w *batchWriter) write(data []byte, now bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, data...)
	switch {
	case now || len(w.pending) >= maxBatch:
		w.send()
	case !w.armed && len(w.pending) > 0:
		w.armed = true
		time.AfterFunc(maxDelay, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.armed = false
			w.send()
		})
	}
	return w.err
}

func (w *batchWriter) send() {
	if len(w.pending) > 0 && w.err == nil {
		_, w.err = w.out.Write(w.pending)
	}
	w.pending = w.pending[:0]
}
