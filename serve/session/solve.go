package session

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

// solve answers the method "solve": it returns the value of the start of a problem. It computes the problem's
// table if the cache does not contain it, and the session's players use the table from then on.
func (s *Session) solve(ctx context.Context, q *protocol.Solve) (any, error) {
	p := solve.Problem{Size: q.Size, Goal: q.Goal, Spawn: cmp.Or(solve.Rule(q.Spawn), solve.Random), P4: game.P4}
	if q.P4 != nil {
		p.P4 = *q.P4
	}
	if err := p.Check(); err != nil {
		return nil, refusef(protocol.CodeInvalidParams, "%v", err)
	}
	t, err := catalog.Table(ctx, p)
	var missing *solve.MissingError
	var damaged *solve.DamagedError
	switch {
	case err == nil:
		return Solution(p, t), nil
	case !errors.As(err, &missing) && !(errors.As(err, &damaged) && s.Solve):
		return nil, err
	case !s.Solve:
		return nil, refusef(protocol.CodeInvalidRequest, "%v, or call %s, which computes the expected score in the background", err, "solve.start")
	}
	if err := catalog.Tables.Solve(ctx, p, solve.Options{Threads: s.Threads, Busy: wait}); err != nil {
		return nil, err
	}
	s.Player = s.Player.Renewed()
	if err := s.closePlayers(); err != nil {
		return nil, err
	}
	if t, err = catalog.Table(ctx, p); err != nil {
		return nil, err
	}
	return Solution(p, t), nil
}

// Solution describes a solved problem, whose table is t.
func Solution(p solve.Problem, t *solve.Table) protocol.Solution {
	out := protocol.Solution{Size: p.Size, Spawn: string(p.Spawn), States: t.Boards, Goal: p.Goal}
	if p.Spawn == solve.Random {
		out.P4 = &p.P4
	}
	if p.Goal == 0 {
		out.ExpectedScore = &t.Start
	} else {
		out.Probability = &t.Start
	}
	if p.Walls != "" {
		out.Walls, out.FreeWalls, out.BestStart = strings.Fields(p.Walls), p.Free, &t.Best
	}
	return out
}

// wait is a solve.Options.Busy that does nothing: when the other process has finished solving, its table can be
// used.
func wait() {}

// solving runs the solves of a host in the background, at most one at a time. It computes tables for the
// expected score only, so that clients can fill the disk with two tables at most: for 2x4 and 3x3.
type solving struct {
	threads int

	mu       sync.Mutex
	size     board.Size // the size being solved; zero: none
	stop     context.CancelFunc
	done     chan struct{} // closed when the solve in progress has ended
	progress solve.Progress
	failed   map[board.Size]string // why the last solve for a size failed
	closed   bool
	ended    sync.WaitGroup
}

// begin starts to solve a problem, unless its size is already being solved. It returns an error while another
// size is being solved.
func (s *solving) begin(p solve.Problem) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return refusef(protocol.CodeBusy, "the server is shutting down")
	case s.size == p.Size:
		return nil
	case s.size != board.Size{}:
		return refusef(protocol.CodeBusy, "%v is being solved, and only one size can be solved at a time: try again later", s.size)
	}
	if err := catalog.Tables.CheckSpace(p); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	s.size, s.stop, s.done, s.progress = p.Size, stop, make(chan struct{}), solve.Progress{}
	delete(s.failed, p.Size)
	s.ended.Go(func() {
		defer stop()
		err := catalog.Tables.Solve(ctx, p, solve.Options{Threads: s.threads, Progress: s.report, Busy: wait})
		s.end(ctx, err)
	})
	return nil
}

func (s *solving) report(p solve.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = p
}

func (s *solving) end(ctx context.Context, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && ctx.Err() == nil {
		if s.failed == nil {
			s.failed = map[board.Size]string{}
		}
		s.failed[s.size] = err.Error()
	}
	s.size = board.Size{}
	close(s.done)
}

// cancel stops the solve for a size and waits for its end, so that the next call of begin starts a new
// solve. The work done so far is lost.
func (s *solving) cancel(ctx context.Context, size board.Size) error {
	s.mu.Lock()
	if s.size != size {
		s.mu.Unlock()
		return nil
	}
	s.stop()
	done := s.done
	s.mu.Unlock()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *solving) close() {
	s.mu.Lock()
	s.closed = true
	if s.size != (board.Size{}) {
		s.stop()
	}
	s.mu.Unlock()
	s.ended.Wait()
}

// running adds the progress to out and returns true if out.Size is being solved; otherwise it
// returns false.
func (s *solving) running(out *protocol.SolveState) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size != out.Size.Upright() {
		return false
	}
	out.State, out.Done = protocol.SolveRunning, s.progress.Done
	if s.progress.Left > 0 {
		left := s.progress.Left.Round(time.Second / 10).Seconds()
		out.LeftS = &left
	}
	return true
}

// failure returns why the last solve for a size failed, or "" if it did not fail.
func (s *solving) failure(size board.Size) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed[size.Upright()]
}

// player returns the maker of the default player, renewed so that it uses the tables that exist
// now.
func (h *Host) player() catalog.Maker { return h.current.Load().Renewed() }

var solveMethods = []Method{
	on[protocol.SolveState]("solve.show", Immediate, (*Client).showSolve),
	on[protocol.SolveState]("solve.start", Immediate, (*Client).startSolve),
	on[protocol.Empty]("solve.stop", Immediate, (*Client).stopSolve),
	on[protocol.Endings]("endings.list", Concurrent, (*Client).listEndings),
	on[protocol.EndingsAnswer]("endings.ask", Concurrent, (*Client).askEndings),
}

// listEndings returns the solved endings. Clients cannot solve endings.
func (*Client) listEndings(ctx context.Context, _ *none) (any, error) {
	out := protocol.Endings{Endings: []protocol.Solution{}}
	for _, t := range catalog.Tables.Endings(ctx, game.P4) {
		out.Endings = append(out.Endings, Solution(t.Problem, t))
	}
	return out, nil
}

func (*Client) askEndings(ctx context.Context, p *protocol.AskEndings) (any, error) {
	goals, err := catalog.Chances(ctx, p.Board, game.P4)
	out := protocol.EndingsAnswer{Endings: []protocol.EndingMoves{}}
	for _, g := range goals {
		if g.Walls == "" {
			continue // a goal on a small board, not an ending
		}
		e := protocol.EndingMoves{Walls: strings.Fields(g.Walls), FreeWalls: g.Free, Goal: g.Tile, Moves: map[board.Direction]stats.Figure{}, Error: g.Error}
		for d, m := range g.Moves {
			if m.Legal {
				e.Moves[board.Direction(d)] = stats.Figure(m.Value)
			}
		}
		out.Endings = append(out.Endings, e)
	}
	return out, err
}

func (c *Client) showSolve(_ context.Context, q *protocol.ShowSolve) (any, error) {
	m, err := c.host.maker(q.Player)
	if err != nil {
		return nil, err
	}
	return c.host.solveState(&m, q.Size), nil
}

// solveState returns the state of the table for a size. The state is SolveNone if the player m would not use the
// table.
func (h *Host) solveState(m *catalog.Maker, size board.Size) protocol.SolveState {
	out := protocol.SolveState{Size: size, State: protocol.SolveNone, Allowed: h.o.Solve}
	p := catalog.Standard(size)
	var problem solve.Problem
	ok := false
	if m.Table != nil {
		problem, ok = m.Table(size)
	}
	if !ok || problem != p {
		return out
	}
	takes, bytes := p.Estimate()
	out.TimeS, out.Bytes = takes.Seconds(), bytes
	if h.solving.running(&out) { // first: a solve that ends after this check has stored its table, which the next check finds
		return out
	}
	switch _, missing := catalog.Offer(m, size); {
	case missing:
		out.State, out.Error = protocol.SolveMissing, h.solving.failure(size)
	case catalog.Solved(p):
		out.State, out.Done = protocol.SolveDone, 1
	}
	return out
}

func (c *Client) startSolve(_ context.Context, q *protocol.SolveSize) (any, error) {
	p := catalog.Standard(q.Size)
	if err := p.Check(); err != nil {
		return nil, refusef(protocol.CodeInvalidParams, "%v", err)
	}
	m, err := catalog.Parse("perfect", catalog.Capabilities{})
	if err != nil {
		return nil, err
	}
	if _, missing := catalog.Offer(&m, q.Size); missing {
		if !c.host.o.Solve {
			return nil, refusef(protocol.CodeInvalidRequest, "this server does not solve for clients: run %s on its machine (%s)", p.Command(), p.Cost())
		}
		p.Size = p.Size.Upright()
		if err := c.host.solving.begin(p); err != nil {
			return nil, err
		}
	}
	return c.host.solveState(&m, q.Size), nil
}

func (c *Client) stopSolve(ctx context.Context, q *protocol.SolveSize) (any, error) {
	if c.host.o.Solve {
		if err := c.host.solving.cancel(ctx, q.Size.Upright()); err != nil {
			return nil, err
		}
	}
	return protocol.Empty{}, nil
}
