package experiment

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Formats are those that Export writes: a row or an object a game, a record with all moves,
// or start boards ([arena.ReadStarts]).
var Formats = []string{"csv", "jsonl", "records", "boards"}

// Export writes an experiment's games in one of the Formats, ordered by player, then game, as they are read.
// boards are taken at sums of tiles, as [arena.BoardsAtSums] does. Every game is checked with its record.
func Export(ctx context.Context, to io.Writer, s Store, e *arena.Plan, format string, sums []int64) error {
	if !slices.Contains(Formats, format) {
		return fmt.Errorf("format %q: must be one of %v", format, Formats)
	}
	w := bufio.NewWriter(to)
	all := make([][]arena.Outcome, len(e.Players)) // for CSV
	err := eachGame(ctx, s, e, func(p *arena.Player, r *arena.Recorded) error {
		switch format {
		case "csv":
			all[p.Number-1] = append(all[p.Number-1], r.Outcome)
			return nil
		case "jsonl":
			return writeGame(w, e, p, r)
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

func writeGame(w io.Writer, e *arena.Plan, p *arena.Player, r *arena.Recorded) error {
	line := json.NewEncoder(w)
	line.SetEscapeHTML(false)
	return line.Encode(struct {
		ID        string  `json:"id"`
		Player    string  `json:"player"`
		Seed      uint64  `json:"seed"`
		Game      uint64  `json:"game"`
		Score     int64   `json:"score"`
		MaxTile   int64   `json:"max_tile"`
		Moves     int     `json:"moves"`
		ElapsedMS float64 `json:"elapsed_ms"`
		Forfeit   string  `json:"forfeit,omitempty"`
	}{
		gameID(e, p, r), p.Spec, r.Seed, r.Index, r.Score, board.Tile(r.Largest), r.Moves,
		float64(r.Elapsed.Microseconds()) / 1000, r.Forfeit.Error(),
	})
}

// gameID is the text that LookupGame reads.
func gameID(e *arena.Plan, p *arena.Player, r *arena.Recorded) string {
	return fmt.Sprintf("%s/%d/%d", e.Name, p.Number, r.Index)
}

func writeBoards(w io.Writer, e *arena.Plan, p *arena.Player, r *arena.Recorded, sums []int64) error {
	g, err := r.Replay(e.Setup)
	if err != nil {
		return err
	}
	for _, b := range arena.BoardsAtSums(g, sums) {
		if _, err := fmt.Fprintln(w, b, gameID(e, p, r)); err != nil {
			return err
		}
	}
	return nil
}

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
		return fmt.Errorf("the name of the player has %d bytes: must be at most %d", len(name), maxName)
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
	return w.Dropped(), err
}
