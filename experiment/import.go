package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/rules/board"
)

// maxName is the longest name of an imported player, in bytes.
const maxName = 200

// Importer collects games for an experiment of imported games. The zero value is ready to use. It
// holds the games packed, about 1.3 bytes a move, so that they are stored together or not at all.
type Importer struct {
	// Player names the players of games that have no name; "": "unknown".
	Player string

	size    board.Size
	players map[string]int
	e       arena.Plan
	games   [][]arena.Recorded
	losses  formats.Losses
}

// Add adds a game. All games have the same size.
func (m *Importer) Add(g *formats.AnnotatedRecord) error {
	size := g.Board.Size()
	if m.players == nil {
		m.size, m.players = size, map[string]int{}
	}
	if size != m.size {
		return fmt.Errorf("a game on %v follows games on %v: an experiment has one size", size, m.size)
	}
	name := cmp.Or(cleanName(g.Player), cleanName(m.Player), "unknown")
	if len(name) > maxName {
		return fmt.Errorf("the name of the player has %d bytes: want at most %d", len(name), maxName)
	}
	at, there := m.players[name]
	if !there {
		at = len(m.games)
		m.players[name] = at
		m.games = append(m.games, nil)
		m.e.Players = append(m.e.Players, arena.Player{Spec: name, Identity: name})
	}
	r, err := arena.Import(g, uint64(len(m.games[at])))
	if err != nil {
		return err
	}
	m.games[at] = append(m.games[at], r)
	m.losses.Add(g.Lost)
	m.losses.Add(storeLosses(g))
	return nil
}

// cleanName returns a name in one line: each run of spaces and control characters becomes one space.
func cleanName(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// storeLosses are what a store does not hold of a game.
func storeLosses(g *formats.AnnotatedRecord) (all []formats.Loss) {
	if g.StartScore != 0 {
		all = append(all, formats.Loss{What: "score at the start"})
	}
	if g.Rates != nil {
		all = append(all, formats.Loss{What: "rates"})
	}
	if g.Times != nil {
		all = append(all, formats.Loss{What: "times of single moves"})
	}
	return all
}

// Games returns the number of games so far.
func (m *Importer) Games() (n int) {
	for _, games := range m.games {
		n += len(games)
	}
	return n
}

// Losses lists what the games have and the store does not, as formats.Losses does.
func (m *Importer) Losses() []string { return m.losses.List() }

type importer interface {
	// Import adds an experiment with all of its games, those of each player, or nothing.
	Import(ctx context.Context, e *arena.Plan, games [][]arena.Recorded) error
}

// Store adds the games to a store as an experiment, all or none. An experiment of that name is a
// arena.ErrExists.
func (m *Importer) Store(ctx context.Context, s importer, name string) (*arena.Plan, error) {
	if m.Games() == 0 {
		return nil, errors.New("no games to import")
	}
	m.e.Name = name
	m.e.Setup = arena.Setup{Size: m.size, Spawn: arena.Imported, SpawnIdentity: arena.Imported}
	return &m.e, s.Import(ctx, &m.e, m.games)
}

// ExportGames writes an experiment's games with their moves, ordered by player, then game, in a
// format of package formats. It returns what the format cannot hold.
func ExportGames(ctx context.Context, to io.Writer, s Store, e *arena.Plan, format *formats.Format) ([]string, error) {
	w := formats.NewWriter(to, format)
	err := eachGame(ctx, s, e, func(p *arena.Player, r *arena.Recorded) error {
		line, err := r.Record(e.Setup, p.Spec)
		if err != nil {
			return err
		}
		return w.Write(&formats.AnnotatedRecord{Record: line})
	})
	if err != nil {
		return nil, err
	}
	return w.Dropped(), w.Close()
}
