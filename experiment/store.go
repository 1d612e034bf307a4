package experiment

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Store keeps experiments with their games: a *store.Store in a SQLite database, a
// *browserstore.Store in a browser. It is safe for concurrent use. Several processes may use the same database.
type Store interface {
	// Path returns the path of the store's file, which identifies the store on a machine; "" in a browser.
	Path() string
	Close() error

	// Experiments returns all experiments, newest last. Experiment returns the experiment with this name; if
	// there is none, the error is arena.ErrUnknown.
	Experiments(ctx context.Context) ([]arena.Plan, error)
	Experiment(ctx context.Context, name string) (*arena.Plan, error)
	// Create adds an experiment, numbers its players and sets their IDs. If the name is taken, the error is
	// arena.ErrExists.
	Create(ctx context.Context, e *arena.Plan) error
	// Extend raises the number of games to at least games, and adds players.
	Extend(ctx context.Context, e *arena.Plan, games int, players []arena.Player) error
	// RecordVersion stores that a version of the program plays games for a player, unless that is stored
	// already.
	RecordVersion(ctx context.Context, e *arena.Plan, p *arena.Player, version, signature string) error
	// Remove removes an experiment with all its games.
	Remove(ctx context.Context, e *arena.Plan) error
	// UntilRemoved returns a context that ends with the cause arena.ErrRemoved when any process removes the
	// experiment. Call the returned function to release the context.
	UntilRemoved(ctx context.Context, e *arena.Plan) (context.Context, func())

	// Keep stores finished games of a player, all or none, and returns how many of them are new. It fails with
	// arena.ErrRemoved if the experiment was removed.
	Keep(ctx context.Context, e *arena.Plan, p *arena.Player, games []arena.Recorded) (fresh int, err error)
	// Count returns the number of stored games of each player.
	Count(ctx context.Context, e *arena.Plan) ([]int, error)
	// Games and AllRecorded return a player's games in the order of their numbers. Recorded returns one game;
	// if it is not stored, the error is arena.ErrUnknown.
	Games(ctx context.Context, e *arena.Plan, p *arena.Player) ([]arena.Outcome, error)
	AllRecorded(ctx context.Context, e *arena.Plan, p *arena.Player) iter.Seq2[*arena.Recorded, error]
	Recorded(ctx context.Context, e *arena.Plan, p *arena.Player, index uint64) (*arena.Recorded, error)
}

// Results returns the stored games of an experiment, with their stored luck. If table is not nil, all moves are judged
// by its exact values; it must have been solved for the experiment's size and spawns.
func Results(ctx context.Context, s Store, e *arena.Plan, table *solve.Table) (*arena.Results, error) {
	all := make([][]arena.Outcome, len(e.Players))
	if table != nil {
		err := eachGame(ctx, s, e, func(p *arena.Player, r *arena.Recorded) error {
			err := r.Judge(e.Setup, table)
			all[p.Number-1] = append(all[p.Number-1], r.Outcome)
			return err
		})
		if err != nil {
			return nil, err
		}
		results := e.Results(all)
		return results, cmp.Or(results.JudgedBy(table), addLuck(ctx, s, e, results))
	}
	err := workers.Each(ctx, runtime.GOMAXPROCS(0), len(all), func(ctx context.Context, _, i int) (err error) {
		all[i], err = s.Games(ctx, e, &e.Players[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	results := e.Results(all)
	return results, addLuck(ctx, s, e, results)
}

// Lookup returns the experiment with this name. If there is none, the error is a RefusalError that wraps
// arena.ErrUnknown and suggests a similar name.
func Lookup(ctx context.Context, s Store, name string) (*arena.Plan, error) {
	e, err := s.Experiment(ctx, name)
	if !errors.Is(err, arena.ErrUnknown) {
		return e, err
	}
	all, listed := s.Experiments(ctx)
	if listed != nil {
		return nil, listed
	}
	names := each.Of(all, func(e arena.Plan) string { return e.Name })
	if len(names) == 0 {
		return nil, refuse("%w: there are none", err)
	}
	return nil, refuse("%w: %s", err, spec.Suggest(name, names))
}

// LookupPlayer returns a player of an experiment by number, name or spec; "" selects the only player. If
// several players have the spec, LookupPlayer returns the last of them.
func LookupPlayer(e *arena.Plan, text string) (*arena.Player, error) {
	if text == "" && len(e.Players) == 1 {
		return &e.Players[0], nil
	}
	number, err := strconv.Atoi(text)
	var specs []string
	names := e.Names()
	var found *arena.Player
	for i := range e.Players {
		p := &e.Players[i]
		switch {
		case names[i] == text || err == nil && p.Number == number:
			return p, nil
		case p.Spec == text:
			found = p
		}
		specs = append(specs, fmt.Sprintf("%d (%s)", p.Number, names[i]))
	}
	if found != nil {
		return found, nil
	}
	if text == "" {
		return nil, refuse("%s has %d players: give one of them, as in %s/1: %s", e.Name, len(e.Players), e.Name, strings.Join(specs, ", "))
	}
	return nil, refuse("%s has no player %s: must be %s", e.Name, text, strings.Join(specs, ", "))
}

// StoredPlayer is a player with the stored experiment that it belongs to.
type StoredPlayer struct {
	Experiment *arena.Plan
	Player     *arena.Player
}

func (m StoredPlayer) String() string { return m.Experiment.Name + "/" + m.Experiment.NameOf(m.Player) }

// LookupStoredPlayer returns the player that text names as EXPERIMENT/PLAYER. "/PLAYER" is optional if the
// experiment has only one player.
func LookupStoredPlayer(ctx context.Context, s Store, text string) (StoredPlayer, error) {
	name, playerText, _ := strings.Cut(text, "/")
	e, err := Lookup(ctx, s, name)
	if err != nil {
		return StoredPlayer{}, err
	}
	p, err := LookupPlayer(e, playerText)
	return StoredPlayer{e, p}, err
}

// IsGame reports whether a text has the form that LookupGame reads.
func IsGame(text string) bool {
	cut := strings.LastIndexByte(text, '/')
	_, err := strconv.ParseUint(text[cut+1:], 10, 64)
	return cut > 0 && err == nil
}

// LookupGame returns the game that text names as EXPERIMENT/PLAYER/NUMBER or EXPERIMENT/NUMBER.
func LookupGame(ctx context.Context, s Store, text string) (StoredPlayer, *arena.Recorded, error) {
	cut := strings.LastIndexByte(text, '/')
	number, err := strconv.ParseUint(text[cut+1:], 10, 64)
	if cut < 0 || err != nil {
		return StoredPlayer{}, nil, refuse("game %q: must be EXPERIMENT/PLAYER/NUMBER such as first/greedy/0", text)
	}
	m, err := LookupStoredPlayer(ctx, s, text[:cut])
	if err != nil {
		return StoredPlayer{}, nil, err
	}
	r, err := s.Recorded(ctx, m.Experiment, m.Player, number)
	return m, r, err
}

// Listed is an experiment of a store, as arena list --json writes it.
type Listed struct {
	arena.Plan
	Finished []int `json:"finished"` // number of finished games of each player
}

// List lists the experiments of a store.
func List(ctx context.Context, s Store) (list []Listed, err error) {
	all, err := s.Experiments(ctx)
	for i := range all {
		counts, err := s.Count(ctx, &all[i])
		if err != nil {
			return nil, err
		}
		list = append(list, Listed{all[i], counts})
	}
	return list, err
}

// Progress returns the number of finished games and the number of requested games, of all players together.
func (l *Listed) Progress() (finished, requested int) {
	for _, n := range l.Finished {
		finished += n
		requested += max(l.Games, n)
	}
	return finished, requested
}

// CheckPairable returns a RefusalError unless the games of both players can be paired by number: they need the same
// size, seed, spawn rule, stop and start boards.
func CheckPairable(a, b StoredPlayer) error {
	x, y := a.Experiment.Setup, b.Experiment.Setup
	for _, c := range []struct{ name, x, y string }{
		{"size", x.Size.String(), y.Size.String()},
		{"seed", fmt.Sprint(x.Seed), fmt.Sprint(y.Seed)},
		{"spawn", x.SpawnIdentity, y.SpawnIdentity},
		{"until", cmp.Or(x.Stop.String(), "0"), cmp.Or(y.Stop.String(), "0")},
	} {
		if c.x != c.y {
			return refuse("%s and %s cannot be compared game by game: %s is %s in one and %s in the other", a.Experiment.Name, b.Experiment.Name, c.name, c.x, c.y)
		}
	}
	if x.Starts.String() != y.Starts.String() {
		return refuse("%s and %s cannot be compared game by game: their start boards differ", a.Experiment.Name, b.Experiment.Name)
	}
	return nil
}

// Compare compares two stored players on the games that both have finished.
func Compare(ctx context.Context, s Store, a, b StoredPlayer) (c arena.Comparison, err error) {
	if err := CheckPairable(a, b); err != nil {
		return c, err
	}
	var games [2][]arena.Outcome
	err = workers.Each(ctx, 2, 2, func(ctx context.Context, _, i int) (err error) {
		of := []StoredPlayer{a, b}[i]
		games[i], err = s.Games(ctx, of.Experiment, of.Player)
		of.Experiment.Setup.Complete(games[i])
		return err
	})
	if err != nil {
		return c, err
	}
	c = arena.Compare(games[0], games[1])
	if c.Games == 0 {
		return c, refuse("%v and %v have no finished game with the same number", a, b)
	}
	c.A, c.B = a.String(), b.String()
	return c, nil
}

// Formats are the formats of Export: one row per game, one record per game with all moves, or start boards
// ([arena.ReadStarts]).
var Formats = []string{"csv", "records", "boards"}

// Export writes an experiment's games in one of the Formats, ordered by player, then game. Start boards are
// taken at the given sums of tiles, as [arena.BoardsAtSums] does. For records and start boards, each game is
// replayed, which also checks its moves.
func Export(ctx context.Context, to io.Writer, s Store, e *arena.Plan, format string, sums []int64) error {
	if !slices.Contains(Formats, format) {
		return fmt.Errorf("format %q: must be one of %v", format, Formats)
	}
	w := bufio.NewWriter(to)
	all := make([][]arena.Outcome, len(e.Players)) // used for CSV only
	err := eachGame(ctx, s, e, func(p *arena.Player, r *arena.Recorded) error {
		switch format {
		case "csv":
			all[p.Number-1] = append(all[p.Number-1], r.Outcome)
			return nil
		case "boards":
			return writeBoards(w, e, p, r, sums)
		}
		line, err := r.Record(e.Setup, p.Spec)
		if err != nil {
			return err
		}
		return record.Write(w, line)
	})
	if err != nil {
		return err
	}
	if format == "csv" {
		if err := e.Results(all).WriteCSV(w); err != nil {
			return err
		}
	}
	return w.Flush()
}

// eachGame calls do with every game, ordered by player, then game.
func eachGame(ctx context.Context, s Store, e *arena.Plan, do func(p *arena.Player, r *arena.Recorded) error) error {
	for i := range e.Players {
		p := &e.Players[i]
		for r, err := range s.AllRecorded(ctx, e, p) {
			if err != nil {
				return err
			}
			if err := do(p, r); err != nil {
				return fmt.Errorf("%s/%s/%d: %w", e.Name, p.Spec, r.Index, err)
			}
		}
	}
	return nil
}

func writeBoards(w io.Writer, e *arena.Plan, p *arena.Player, r *arena.Recorded, sums []int64) error {
	g, err := r.Replay(e.Setup)
	if err != nil {
		return err
	}
	for _, b := range arena.BoardsAtSums(g, sums) {
		if _, err := fmt.Fprintf(w, "%v %s/%d/%d\n", b, e.Name, p.Number, r.Index); err != nil {
			return err
		}
	}
	return nil
}
