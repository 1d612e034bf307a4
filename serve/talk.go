package serve

import (
	"context"
	"errors"
	"slices"
	"strings"

	"afterstate/player/spec"
	"afterstate/session"
	"afterstate/wire"
)

// talk answers the requests of one partner. Quick methods are called one at a time;
// searches beside them, since they share nothing.
type talk struct {
	server *Server
	viewer *viewer // who watches; nil over HTTP
	played *played // the open game
	kept   int64   // its part of Server.kept
}

func newTalk(s *Server, v *viewer) *talk { return &talk{server: s, viewer: v} }

func (t *talk) close() {
	t.keep(0)
	if t.viewer != nil {
		t.server.games.leaveAll(t.viewer)
	}
}

// searches are the methods that take time.
var searches = []string{wire.MethodBestMove, wire.MethodAnalyze, wire.MethodExplain, wire.MethodTree, wire.MethodReviewValues}

// heavy are methods that take a place like searches, but are answered in their order.
// game.open takes one too if it has moves to replay, and game.move if its rule searches.
var heavy = []string{wire.MethodReviewOpen, wire.MethodReviewShow, wire.MethodTrainingShow}

// method answers a request; the map of all of them is below.
type method func(t *talk, ctx context.Context, params []byte) (any, error)

// more are the methods beside those of a session.
var more map[string]method

func init() { // an initializer would be a loop: unknown names the keys
	more = map[string]method{
		wire.MethodCancel:       (*talk).cancel,
		wire.MethodParse:        (*talk).parseBoard,
		wire.MethodExplain:      (*talk).explain,
		wire.MethodTree:         (*talk).tree,
		wire.MethodGameOpen:     (*talk).openGame,
		wire.MethodGameMove:     (*talk).moveGame,
		wire.MethodGameUndo:     (*talk).undoGame,
		wire.MethodGameRedo:     (*talk).redoGame,
		wire.MethodGameKeep:     (*talk).keepGame,
		wire.MethodGameRecord:   (*talk).recordGame,
		wire.MethodWatchStart:   (*talk).startWatch,
		wire.MethodWatchList:    (*talk).listWatch,
		wire.MethodWatchJoin:    (*talk).joinWatch,
		wire.MethodWatchLeave:   (*talk).leaveWatch,
		wire.MethodWatchSet:     (*talk).setWatch,
		wire.MethodWatchStep:    (*talk).stepWatch,
		wire.MethodWatchBack:    (*talk).backWatch,
		wire.MethodWatchMove:    (*talk).moveWatch,
		wire.MethodWatchRecord:  (*talk).recordWatch,
		wire.MethodReviewOpen:   (*talk).openReview,
		wire.MethodReviewShow:   (*talk).showReview,
		wire.MethodReviewValues: (*talk).valuesReview,

		wire.MethodExperimentList:  (*talk).listExperiments,
		wire.MethodExperimentShow:  (*talk).showExperiment,
		wire.MethodExperimentStart: (*talk).startExperiment,
		wire.MethodExperimentStop:  (*talk).stopExperiment,
		wire.MethodTrainingList:    (*talk).listTraining,
		wire.MethodTrainingShow:    (*talk).showTraining,
	}
}

// Call answers one request.
func (t *talk) Call(ctx context.Context, name string, params []byte) (result any, err error) {
	if isSearch(name) || slices.Contains(heavy, name) {
		err = t.placed(ctx, name, func(limited context.Context) (err error) {
			result, err = t.call(limited, name, params)
			return err
		})
	} else {
		result, err = t.call(ctx, name, params)
	}
	return result, public(name, params, err)
}

// placed waits for a place among the searches and computes there, for as long as a search
// may take.
func (t *talk) placed(ctx context.Context, name string, compute func(context.Context) error) error {
	take := t.server.slots.take
	if t.viewer != nil && !isSearch(name) {
		take = t.server.slots.wait // the connection's next request waits too
	}
	if err := take(ctx); err != nil {
		return told(ctx, err)
	}
	defer t.server.slots.leave()
	limited, cancel := context.WithTimeout(ctx, t.server.o.SearchTime)
	defer cancel()
	err := compute(limited)
	var known *wire.Error
	if err != nil && !errors.As(err, &known) && limited.Err() != nil && ctx.Err() == nil {
		return wire.Errorf(wire.CodeTime, "%s: no answer within %v: want fewer plies or nodes, or a limit such as time=1s", name, t.server.o.SearchTime)
	}
	return told(ctx, err)
}

// told tells an error of a request that is not wanted any more.
func told(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return wire.Errorf(wire.CodeCancelled, "cancelled")
	}
	return err
}

func (t *talk) call(ctx context.Context, name string, params []byte) (any, error) {
	if m, ok := more[name]; ok {
		return m(t, ctx, params)
	}
	if !slices.Contains(wire.Methods, name) {
		return nil, unknownMethod(name)
	}
	answering, err := session.New(session.Options{
		Name: t.server.o.Name, Version: t.server.o.Version, Player: t.server.o.Player, Capabilities: t.server.o.Capabilities,
	})
	if err != nil {
		return nil, err
	}
	defer answering.Close()
	return answering.Call(ctx, name, params)
}

func unknownMethod(name string) error {
	names := slices.Clone(wire.Methods)
	for m := range more {
		names = append(names, m)
	}
	slices.Sort(names)
	if near := spec.Nearest(name, names); near != "" {
		return wire.Errorf(wire.CodeUnknownMethod, "no method is called %s: did you mean %s?", short(name), near)
	}
	return wire.Errorf(wire.CodeUnknownMethod, "no method is called %s: want %s", short(name), strings.Join(names, ", "))
}

// cancel is for connections, which know the requests under way; see socket.go.
func (t *talk) cancel(_ context.Context, params []byte) (any, error) {
	var p wire.Cancel
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	if t.viewer == nil {
		return nil, needsSocket(wire.MethodCancel)
	}
	t.viewer.cancel(p.ID)
	return wire.Done{}, nil
}

func needsSocket(method string) error {
	return wire.Errorf(wire.CodeInvalidRequest, "%s needs a connection that lasts: want it over the WebSocket /ws", method)
}

// invalid is an error about a param.
func invalid(method, param string, err error) error {
	return wire.Errorf(wire.CodeInvalidParams, "%s: %s: %v", method, param, err)
}

func isSearch(name string) bool { return slices.Contains(searches, name) }
