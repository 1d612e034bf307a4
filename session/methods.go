package session

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"afterstate/internal/memory"
	"afterstate/player"
	"afterstate/wire"
)

// handler answers the requests of a method for a *Session or a *Client.
type handler[C any] func(c C, ctx context.Context, name string, params []byte) (any, error)

// on makes a handler of a function that takes the params of its method.
func on[C, P any](answer func(C, context.Context, *P) (any, error)) handler[C] {
	return func(c C, ctx context.Context, name string, params []byte) (any, error) {
		p := new(P)
		if err := wire.ReadParams(name, params, p); err != nil {
			return nil, err
		}
		result, err := answer(c, ctx, p)
		return result, ofMethod(name, err)
	}
}

// bare makes a handler of a function for a method without params.
func bare[C any](answer func(C, context.Context) (any, error)) handler[C] {
	return on(func(c C, ctx context.Context, _ *struct{}) (any, error) { return answer(c, ctx) })
}

// sessionHandlers answer the methods of wire.SessionMethods.
var sessionHandlers = map[string]handler[*Session]{
	wire.MethodHello:    on((*Session).hello),
	wire.MethodPlayers:  bare((*Session).players),
	wire.MethodInspect:  on((*Session).inspect),
	wire.MethodAnalyze:  on((*Session).analyze),
	wire.MethodBestMove: on((*Session).bestMove),
	wire.MethodOdds:     on((*Session).odds),
	wire.MethodSolve:    on((*Session).solve),
	wire.MethodBye:      bare(func(*Session, context.Context) (any, error) { return wire.Bye{}, nil }),
}

// clientHandlers answer the other methods. Each file has those of its functions.
var clientHandlers = union(askHandlers, solveHandlers, gameHandlers, watchHandlers, reviewHandlers, experimentHandlers, trainingHandlers)

func union(all ...map[string]handler[*Client]) map[string]handler[*Client] {
	out := map[string]handler[*Client]{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

// requestError is an error about a request. ofMethod adds the name of the method for the client.
type requestError struct {
	code  int
	param string // the culprit, if it is a param
	err   error
}

func (e *requestError) Error() string {
	if e.param == "" {
		return e.err.Error()
	}
	return e.param + ": " + e.err.Error()
}

func (e *requestError) Unwrap() error { return e.err }

// invalid returns an error about a param.
func invalid(param string, err error) error {
	return &requestError{wire.CodeInvalidParams, param, err}
}

// refusef returns an error about a request.
func refusef(code int, format string, args ...any) error {
	return &requestError{code, "", fmt.Errorf(format, args...)}
}

// errNeedsSocket is the error of methods that a single request over HTTP cannot use.
var errNeedsSocket = errors.New("a persistent connection is needed")

// ofMethod returns an error as clients get it, with the name of the method.
func ofMethod(name string, err error) error {
	var request *requestError
	var size *player.SizeError
	var unable *player.BoardError
	var short *memory.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errNeedsSocket):
		return wire.Errorf(wire.CodeInvalidRequest, "%s needs a persistent connection: want the WebSocket /ws", name)
	case errors.As(err, &request):
		return wire.Errorf(request.code, "%s: %v", name, request)
	case errors.As(err, &size):
		return wire.Errorf(wire.CodeInvalidParams, "%s: player: %v", name, size)
	case errors.As(err, &unable):
		return wire.Errorf(wire.CodeInvalidParams, "%s: player: %v", name, unable)
	case errors.As(err, &short):
		return wire.Errorf(wire.CodeMemory, "%s: %v", name, err)
	}
	return err
}
