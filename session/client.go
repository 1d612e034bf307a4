package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"afterstate/player"
	"afterstate/player/spec"
	"afterstate/wire"
)

// Client answers the requests of one client of a [Host]. Quick methods are called one at a
// time; searches beside them, since they share nothing.
type Client struct {
	host   *Host
	conn   Connection // nil: each request comes alone, as over HTTP
	played *played    // the open game
	kept   int64      // its part of Host.kept
}

// NewClient is a client on a connection; nil stands for one that sends a single request,
// such as a POST over HTTP.
func (h *Host) NewClient(conn Connection) *Client { return &Client{host: h, conn: conn} }

// Close gives back what the client holds. Requests must be done.
func (c *Client) Close() {
	_ = c.keep(0) // less never fails
	if c.conn != nil {
		c.host.games.leaveAll(c.conn)
	}
}

// searches are the methods that take time.
var searches = []string{wire.MethodBestMove, wire.MethodAnalyze, wire.MethodExplain, wire.MethodTree, wire.MethodReviewValues}

// heavy are methods that take a place like searches, but are answered in their order.
// game.open takes one too if it has moves to replay, and game.move if its rule searches.
var heavy = []string{wire.MethodReviewOpen, wire.MethodReviewShow, wire.MethodTrainingShow}

// method answers a request; the map of all of them is below.
type method func(c *Client, ctx context.Context, params []byte) (any, error)

// more are the methods beside those of a Session.
var more map[string]method

func init() { // an initializer would be a loop: unknown names the keys
	more = map[string]method{
		wire.MethodCancel:       (*Client).cancel,
		wire.MethodParse:        (*Client).parseBoard,
		wire.MethodExplain:      (*Client).explain,
		wire.MethodTree:         (*Client).tree,
		wire.MethodGameOpen:     (*Client).openGame,
		wire.MethodGameMove:     (*Client).moveGame,
		wire.MethodGameUndo:     (*Client).undoGame,
		wire.MethodGameRedo:     (*Client).redoGame,
		wire.MethodGameKeep:     (*Client).keepGame,
		wire.MethodGameRecord:   (*Client).recordGame,
		wire.MethodWatchStart:   (*Client).startWatch,
		wire.MethodWatchList:    (*Client).listWatch,
		wire.MethodWatchJoin:    (*Client).joinWatch,
		wire.MethodWatchLeave:   (*Client).leaveWatch,
		wire.MethodWatchSet:     (*Client).setWatch,
		wire.MethodWatchStep:    (*Client).stepWatch,
		wire.MethodWatchBack:    (*Client).backWatch,
		wire.MethodWatchMove:    (*Client).moveWatch,
		wire.MethodWatchRecord:  (*Client).recordWatch,
		wire.MethodReviewOpen:   (*Client).openReview,
		wire.MethodReviewShow:   (*Client).showReview,
		wire.MethodReviewValues: (*Client).reviewValues,

		wire.MethodExperimentList:  (*Client).listExperiments,
		wire.MethodExperimentShow:  (*Client).showExperiment,
		wire.MethodExperimentStart: (*Client).startExperiment,
		wire.MethodExperimentStop:  (*Client).stopExperiment,
		wire.MethodTrainingList:    (*Client).listTraining,
		wire.MethodTrainingShow:    (*Client).showTraining,
	}
}

// Call answers one request.
func (c *Client) Call(ctx context.Context, name string, params []byte) (result any, err error) {
	if IsSearch(name) || slices.Contains(heavy, name) {
		err = c.placed(ctx, name, func(limited context.Context) (err error) {
			result, err = c.call(limited, name, params)
			return err
		})
	} else {
		result, err = c.call(ctx, name, params)
	}
	return result, c.host.public(name, params, err)
}

// loadTime is the most time of a request in which its player's network is loaded.
const loadTime = time.Minute

// placed waits for a place among the searches and computes there, for as long as a search
// may take, without the time in which a network is loaded for it.
func (c *Client) placed(ctx context.Context, name string, compute func(context.Context) error) error {
	take := c.host.limiter.take
	if c.conn != nil && !IsSearch(name) {
		take = c.host.limiter.wait // the connection's next request waits too
	}
	if err := take(ctx); err != nil {
		return callError(ctx, err)
	}
	defer c.host.limiter.leave()
	bounded, cancel := context.WithTimeout(ctx, c.host.o.SearchTime+loadTime)
	defer cancel()
	limited, cancel := player.WithLimit(bounded, c.host.o.SearchTime)
	defer cancel()
	err := compute(limited)
	var known *wire.Error
	if err != nil && !errors.As(err, &known) && limited.Err() != nil && ctx.Err() == nil {
		return wire.Errorf(wire.CodeTime, "%s: no answer within %v: want fewer plies or nodes, or a limit such as time=1s", name, c.host.o.SearchTime)
	}
	return callError(ctx, err)
}

// callError tells an error of a request that is not wanted any more.
func callError(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return wire.Errorf(wire.CodeCancelled, "cancelled")
	}
	return err
}

func (c *Client) call(ctx context.Context, name string, params []byte) (any, error) {
	if m, ok := more[name]; ok {
		return m(c, ctx, params)
	}
	if !slices.Contains(wire.Methods, name) {
		return nil, unknownMethod(name)
	}
	s, err := New(Options{
		Name: c.host.o.Name, Version: c.host.o.Version, Player: c.host.o.Player, Capabilities: c.host.o.Capabilities,
	})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Call(ctx, name, params)
}

// Methods are the names of all methods that a [Client] answers, in order.
func Methods() []string {
	names := slices.Clone(wire.Methods)
	for m := range more {
		names = append(names, m)
	}
	slices.Sort(names)
	return names
}

func unknownMethod(name string) error {
	names := Methods()
	if near := spec.Nearest(name, names); near != "" {
		return wire.Errorf(wire.CodeUnknownMethod, "no method is called %s: did you mean %s?", wire.Quote(name), near)
	}
	return wire.Errorf(wire.CodeUnknownMethod, "no method is called %s: want %s", wire.Quote(name), strings.Join(names, ", "))
}

// cancel is for connections, which know the requests under way.
func (c *Client) cancel(_ context.Context, params []byte) (any, error) {
	var p wire.Cancel
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	if c.conn == nil {
		return nil, needsSocket(wire.MethodCancel)
	}
	c.conn.Cancel(p.ID)
	return wire.Empty{}, nil
}

func needsSocket(method string) error {
	return wire.Errorf(wire.CodeInvalidRequest, "%s needs a connection that lasts: want it over the WebSocket /ws", method)
}

// invalid is an error about a param.
func invalid(method, param string, err error) error {
	return wire.Errorf(wire.CodeInvalidParams, "%s: %s: %v", method, param, err)
}

// IsSearch reports whether a method takes time, so that quick ones are answered meanwhile.
// Searches of a client are called one at a time.
func IsSearch(name string) bool { return slices.Contains(searches, name) }
