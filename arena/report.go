package arena

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"afterstate/board"
	"afterstate/game"
)

// Report is the statistics of an experiment. Its JSON is one compact line.
type Report struct {
	Name     string     `json:"experiment,omitempty"`
	Spawn    string     `json:"spawn,omitempty"`
	Size     board.Size `json:"size"`
	Seed     uint64     `json:"seed"`
	Games    int        `json:"games"` // asked of each player
	Until    int64      `json:"until,omitempty"`
	Finished *int       `json:"finished,omitempty"` // games of all players together; nil when all are
	Players  []Summary  `json:"players"`
}

// Summary is the statistics of one player. Where there are no games, means and
// rates are NaN; in JSON they are null.
type Summary struct {
	Player         string
	Games          int // finished
	MeanScore      float64
	MeanCI         Interval
	MedianScore    float64
	BestScore      int64
	Reached        []TileShare // the same tiles for every player, ascending
	Highest        []TileShare // games that ended with the tile as their highest
	Moves          int64
	Elapsed        time.Duration // of all games together
	MovesPerSecond float64
	MSPerMove      float64
	Foresees       bool
	TimeLimited    bool
	Forfeits       []ForfeitCount // by reason, the most frequent one first
	LeftOut        int            // games that are damaged and not counted
}

// ForfeitCount is how many games a player lost by one kind of fault. They count
// with the score they had.
type ForfeitCount struct {
	Reason string `json:"reason"`
	Games  int    `json:"games"`
	First  uint64 `json:"first_game"`       // the index of the first of them
	Detail string `json:"detail,omitempty"` // of the first of them
}

// Forfeited is the number of games that the player lost by forfeit.
func (s *Summary) Forfeited() (games int) {
	for _, f := range s.Forfeits {
		games += f.Games
	}
	return games
}

// TileShare is the share of games with something about a tile.
type TileShare struct {
	Exponent uint8
	Games    int
	Share    float64
	CI       Interval
}

// Report computes the statistics.
//
// Summary.Reached lists the tiles from the largest one that every game of every
// player reached up to the largest one that any game reached, and always 2048.
// Of games that stop at a tile it always lists that tile and none above it,
// since it does not say how often they would have been reached.
//
// Summary.Highest lists all tiles from the lowest to the highest of all games.
func (r *Results) Report() *Report {
	report := &Report{Name: r.Name, Spawn: r.Spawn, Size: r.Size, Seed: r.Seed, Games: r.Games, Until: r.Until}
	if finished, of := r.Finished(); finished < of {
		report.Finished = &finished
	}
	low, high := r.tileRange()
	reached := r.reachedTiles(low, high)
	for _, p := range r.Players {
		report.Players = append(report.Players, summarize(p, reached, low, high))
	}
	return report
}

// tileRange is the lowest and the highest of the games' largest tiles; low is
// above high when there are no games.
func (r *Results) tileRange() (low, high uint8) {
	low = math.MaxUint8
	for _, p := range r.Players {
		for _, g := range p.Games {
			low, high = min(low, g.Largest), max(high, g.Largest)
		}
	}
	return low, high
}

// reachedTiles are the exponents that reach shares are told for; see Report.
func (r *Results) reachedTiles(low, high uint8) []uint8 {
	until := untilExponent(r.Until)
	var tiles []uint8
	for e := int(low); e <= int(high); e++ {
		tiles = append(tiles, uint8(e))
	}
	tiles = append(tiles, game.WinExponent)
	if until > 0 {
		tiles = append(tiles, until)
		tiles = slices.DeleteFunc(tiles, func(e uint8) bool { return e > until })
	}
	slices.Sort(tiles)
	return slices.Compact(tiles)
}

func summarize(p Played, reached []uint8, low, high uint8) Summary {
	s := Summary{Player: p.Name, Games: len(p.Games), Foresees: p.Foresees, TimeLimited: p.TimeLimited, LeftOut: p.LeftOut}
	scores := make([]float64, len(p.Games))
	var ended [256]int // games by largest tile
	for i, g := range p.Games {
		scores[i] = float64(g.Score)
		ended[g.Largest]++
		s.BestScore = max(s.BestScore, g.Score)
		s.Moves += int64(g.Moves)
		s.Elapsed += g.Elapsed
		s.forfeit(&g)
	}
	slices.SortStableFunc(s.Forfeits, func(a, b ForfeitCount) int { return cmp.Compare(b.Games, a.Games) })
	s.MeanScore, s.MeanCI = Mean(scores)
	s.MedianScore = median(scores)
	s.MovesPerSecond = ratio(float64(s.Moves), s.Elapsed.Seconds())
	s.MSPerMove = ratio(milliseconds(s.Elapsed), float64(s.Moves))

	share := func(e uint8, hits int) TileShare {
		return TileShare{e, hits, ratio(float64(hits), float64(s.Games)), Wilson(hits, s.Games)}
	}
	for _, e := range reached {
		hits := 0
		for _, n := range ended[e:] {
			hits += n
		}
		s.Reached = append(s.Reached, share(e, hits))
	}
	for e := int(low); e <= int(high); e++ {
		s.Highest = append(s.Highest, share(uint8(e), ended[e]))
	}
	return s
}

// forfeit counts a game if it was forfeited.
func (s *Summary) forfeit(g *Game) {
	if g.Forfeit.Reason == "" {
		return
	}
	same := func(f ForfeitCount) bool { return f.Reason == g.Forfeit.Reason }
	i := slices.IndexFunc(s.Forfeits, same)
	if i < 0 {
		i = len(s.Forfeits)
		s.Forfeits = append(s.Forfeits, ForfeitCount{Reason: g.Forfeit.Reason, First: g.Index, Detail: g.Forfeit.Detail})
	}
	s.Forfeits[i].Games++
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

type jsonShare struct {
	Share *float64 `json:"share"`
	CI    Interval `json:"ci95"`
}

type jsonSummary struct {
	Player      string          `json:"player"`
	Games       int             `json:"games"`
	Mean        *float64        `json:"mean_score"`
	MeanCI      Interval        `json:"mean_score_ci95"`
	Median      *float64        `json:"median_score"`
	Best        *int64          `json:"best_score"`
	Reached     json.RawMessage `json:"reached"`
	Moves       int64           `json:"moves"`
	PerSecond   *float64        `json:"moves_per_s"`
	MSPerMove   *float64        `json:"ms_per_move"`
	Foresees    bool            `json:"foresees,omitempty"`
	TimeLimited bool            `json:"time_limited,omitempty"`
	Forfeits    *jsonForfeits   `json:"forfeits,omitempty"`
	LeftOut     int             `json:"damaged_left_out,omitempty"`
}

type jsonForfeits struct {
	Games   int            `json:"games"`
	Reasons []ForfeitCount `json:"reasons"`
}

// MarshalJSON writes player, games, mean_score, mean_score_ci95, median_score,
// best_score, reached (by tile, ascending: share, ci95), moves, moves_per_s and
// ms_per_move, and foresees and time_limited where they are true. forfeits is there
// when games were forfeited: how many, and the reasons, most frequent first;
// damaged_left_out when games are damaged and left out. What is not known is null. Numbers have eight significant digits.
func (s Summary) MarshalJSON() ([]byte, error) {
	out := jsonSummary{
		Player: s.Player, Games: s.Games, Moves: s.Moves,
		Mean: orNull(s.MeanScore), MeanCI: s.MeanCI, Median: orNull(s.MedianScore),
		PerSecond: orNull(s.MovesPerSecond), MSPerMove: orNull(s.MSPerMove),
		Foresees: s.Foresees, TimeLimited: s.TimeLimited, LeftOut: s.LeftOut,
	}
	if s.Games > 0 {
		out.Best = &s.BestScore
	}
	if len(s.Forfeits) > 0 {
		out.Forfeits = &jsonForfeits{s.Forfeited(), s.Forfeits}
	}
	var tiles []uint8
	var values []any
	for _, t := range s.Reached {
		tiles = append(tiles, t.Exponent)
		values = append(values, jsonShare{orNull(t.Share), t.CI})
	}
	reached, err := byTile(tiles, values)
	if err != nil {
		return nil, err
	}
	out.Reached = reached
	return json.Marshal(out)
}

// byTile is a JSON object with a value for each tile, in their order; a map would put
// 1024 before 16.
func byTile(exponents []uint8, values []any) (json.RawMessage, error) {
	var out bytes.Buffer
	for i, e := range exponents {
		text, err := json.Marshal(values[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `"%d":%s`, board.Tile(e), text)
	}
	return fmt.Appendf(nil, "{%s}", &out), nil
}

func orNull(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	x = rounded(x)
	return &x
}
