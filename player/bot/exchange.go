package bot

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"afterstate/player"
	"afterstate/wire"
)

// connection is an open channel to a bot.
type connection interface {
	// ask sends a request and reads the result within a limit (0: none). A fault of the bot is a
	// *player.Forfeit; when ctx ends, the error is ctx's. After an error only end may be called.
	ask(ctx context.Context, limit time.Duration, method string, params, result any) error
	// bye announces the end and waits for the answer, at most byeTimeout.
	bye()
	// end closes the connection. It returns how the program exited and the last lines of its stderr,
	// "" where they are unknown.
	end() (exit, stderr string)
}

// exchange numbers the requests of a connection and reads the responses.
type exchange struct {
	id     int64
	buffer []byte
}

// request returns the next request as a line, which is valid until the next call.
func (e *exchange) request(method string, params any) (line []byte, err error) {
	e.id++
	e.buffer, err = wire.AppendRequest(e.buffer[:0], e.id, method, params)
	return e.buffer, err
}

// understand reads the result from the response to the last request.
func (e *exchange) understand(line []byte, method string, result any) error {
	const nonsense = "an answer that is no JSON-RPC 2.0 response"
	r, err := wire.ParseResponse(line)
	switch {
	case err != nil:
		return fault(nonsense, err.Error()+": "+Quoted(line))
	case r.Error != nil && string(r.ID) == "null":
		return fault("it did not understand "+method, Quoted([]byte(r.Error.Message)))
	case string(r.ID) != strconv.FormatInt(e.id, 10):
		return fault("an answer to another question", fmt.Sprintf("its id is %s, the request's %d", short(string(r.ID)), e.id))
	case r.Error != nil:
		return fault("it answered "+method+" with an error", Quoted([]byte(r.Error.Message)))
	}
	if err := wire.ReadResult(method, r.Result, result); err != nil {
		return fault("an answer that is not what "+method+" asks for", err.Error())
	}
	return nil
}

// The faults that every kind of connection has.

// goneReason is the reason of a forfeit when the bot ended or closed its connection. Reaping a
// program provides its exit status.
const goneReason = "it ended without an answer"

// fault returns a *player.Forfeit for the current game.
func fault(reason, detail string) error {
	return &player.Forfeit{Reason: reason, Detail: detail}
}

func lateFault(method string, limit time.Duration) error {
	return fault(fmt.Sprintf("no answer to %s within %v", method, limit), "")
}

func longFault(line []byte) error {
	detail := ""
	if len(line) > 0 {
		detail = Quoted(line)
	}
	return fault(fmt.Sprintf("a line of more than %d bytes", wire.MaxLine), detail)
}

// printedFault is the fault of a program whose stdout has a line that is no JSON object: most likely a print
// for debugging.
func printedFault(line []byte) error {
	return fault("it printed something else than an answer to stdout", Quoted(line)+"; print to stderr instead")
}

// printed reports whether a line is no attempt at an answer.
func printed(line []byte) bool { return !bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("{")) }

func unaskedFault(line []byte) error { return fault("it wrote without being asked", Quoted(line)) }

// Quoted formats output of a bot for the detail of a forfeit: its first 100 bytes, in double quotes and
// on one line.
func Quoted(text []byte) string {
	return strconv.Quote(short(string(bytes.TrimRight(text, "\r\n"))))
}

func short(s string) string { return shortened(s, 100) }

func shortened(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
