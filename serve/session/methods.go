package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
)

// Method describes a method of the protocol. The page's types, the lists of methods and the tests with hostile
// requests are derived from the table of methods.
type Method struct {
	Name    string
	Slot    Slot
	Params  any   // a zero value, whose tags describe its fields (protocol/params.go); nil: no params
	Results []any // zero values of the possible results; a request's params decide which one it gets
	handle  any   // a handler[*Session] or a handler[*Client]
}

// Slot says how a server schedules the requests of a method.
type Slot int

const (
	// Immediate requests are answered in the order in which the connection receives them.
	Immediate Slot = iota
	// Ordered requests are answered in the same order as Immediate requests. They also hold one of the
	// server's search slots.
	Ordered
	// Concurrent is for methods that search: a request holds a search slot, and the connection's other
	// requests are answered meanwhile.
	Concurrent
)

// Methods lists every method. The file that implements a method also declares it.
func Methods() []Method { return slices.Clone(methods) }

var (
	methods  []Method
	methodOf = map[string]Method{} // methods by name
)

func init() { // in init because handlers refer to methodOf, which would make an initialization cycle
	methods = slices.Concat(sessionMethods, askMethods, solveMethods, gameMethods, watchMethods, reviewMethods, experimentMethods, serverMethods, trainingMethods)
	for _, m := range methods {
		methodOf[m.Name] = m
	}
}

// sessionMethods are the methods that a Session supports. A Client supports them too.
var sessionMethods = []Method{
	on[protocol.Hello](protocol.MethodHello, Immediate, (*Session).hello),
	on[protocol.Players]("players.list", Immediate, (*Session).players),
	on[protocol.Inspection]("rules.inspect", Immediate, func(_ *Session, _ context.Context, p *protocol.Inspect) (any, error) {
		return Inspect(p.Board, p.Motions), nil
	}),
	on[protocol.Decision]("analyze", Concurrent, (*Session).analyze),
	on[protocol.MoveReply](protocol.MethodBestMove, Concurrent, (*Session).bestMove),
	on[protocol.Reasons]("explain", Concurrent, (*Session).explain),
	on[protocol.Solution]("solve", Concurrent, (*Session).solve),
	on[protocol.Bye](protocol.MethodBye, Immediate, func(*Session, context.Context, *none) (any, error) { return protocol.Bye{}, nil }),
}

// Notifications maps the names of the notifications that a server sends to zero values of their params.
var Notifications = map[string]any{protocol.MethodFrame: protocol.Frame{}, protocol.MethodLoading: protocol.Loading{}}

// handler answers the requests of a method for a *Session or a *Client.
type handler[C any] func(c C, ctx context.Context, params []byte) (any, error)

// none is the params type of methods without params.
type none = struct{}

// on returns a method with results of type R. Its params are the struct that answer takes.
func on[R, C, P any](name string, slot Slot, answer func(C, context.Context, *P) (any, error)) Method {
	return row(name, slot, *new(P), *new(R), handlerOf(name, answer))
}

// row and handlerOf are separate from the generic function on, because the compiler compiles on once for
// each result type.
func row(name string, slot Slot, params, result, handle any) Method {
	if params == any(none{}) {
		params = nil
	}
	return Method{Name: name, Slot: slot, Params: params, Results: []any{result}, handle: handle}
}

func handlerOf[C, P any](name string, answer func(C, context.Context, *P) (any, error)) handler[C] {
	return func(c C, ctx context.Context, params []byte) (any, error) {
		p := new(P)
		if err := protocol.ReadParams(name, params, p); err != nil {
			return nil, err
		}
		result, err := answer(c, ctx, p)
		return result, ofMethod(name, err)
	}
}

// or returns the method with a further result type.
func (m Method) or(result any) Method {
	m.Results = append(m.Results, result)
	return m
}

func namesOf(methods []Method) []string {
	return each.Of(methods, func(m Method) string { return m.Name })
}

// requestError is an error about a request. ofMethod adds the name of the method for the client.
type requestError struct {
	code  int
	param string // the invalid param, if any
	err   error
}

func (e *requestError) Error() string {
	if e.param == "" {
		return e.err.Error()
	}
	return e.param + ": " + e.err.Error()
}

func (e *requestError) Unwrap() error { return e.err }

// invalid returns an error about an invalid param.
func invalid(param string, err error) error {
	return &requestError{protocol.CodeInvalidParams, param, err}
}

// refusef returns an error about a request, with a code and a formatted text.
func refusef(code int, format string, args ...any) error {
	return &requestError{code, "", fmt.Errorf(format, args...)}
}

// errNeedsSocket is the error of methods that need a connection, if the request comes without one.
var errNeedsSocket = errors.New("a persistent connection is needed")

// ofMethod converts an error to the form that clients get, with the name of the method.
func ofMethod(name string, err error) error {
	var request *requestError
	var unable *player.BoardError
	var unsuitable *review.UnsuitableError
	var short *memory.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errNeedsSocket):
		return protocol.Errorf(protocol.CodeInvalidRequest, "%s needs a persistent connection: use the WebSocket /ws", name)
	case errors.As(err, &request):
		return protocol.Errorf(request.code, "%s: %v", name, request)
	case errors.As(err, &unable):
		return protocol.Errorf(protocol.CodeInvalidParams, "%s: player: %v", name, unable)
	case errors.As(err, &unsuitable):
		return protocol.Errorf(protocol.CodeInvalidParams, "%s: player: %v", name, err)
	case errors.As(err, &short):
		return protocol.Errorf(protocol.CodeMemory, "%s: %v", name, err)
	}
	return err
}
