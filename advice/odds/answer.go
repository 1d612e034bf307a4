package odds

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Answer is a player's decision on a board with its odds.
type Answer struct {
	Decision player.Decision
	Odds     *Odds
	// Chances are the greatest chances of each move to make a tile, exactly, for the tiles whose goal is
	// solved: see package solve. They are those of play that aims at this tile alone, so at least as high as
	// those of the games but for chance.
	Chances []solve.Goal
}

// Scores returns the exact expected final score after each move under optimal play; ok is false where the
// decision has no exact values in points.
func (a *Answer) Scores() (scores [4]float64, ok bool) {
	if a.Decision.Source != player.Exact || a.Decision.Unit != eval.Points {
		return scores, false
	}
	for d := range scores {
		scores[d] = float64(a.Odds.Position.Score) + a.Decision.Moves[d].Value
	}
	return scores, true
}

// Ask asks a player for its decision, with the exact value of every move, and plays games. The
// oracle is for players that know the spawns to come. Errors are those of the player and of ctx.
func Ask(ctx context.Context, m catalog.Maker, q search.Query, oracle search.Oracle, o Options) (Answer, error) {
	p := player.Driver{Player: m.New()}
	defer p.Close()
	p.Start(o.Seed, 0, oracle)
	d, err := p.Ask(ctx, q.Exact())
	if err != nil {
		return Answer{}, err
	}
	d.Player = m.Spec
	e, err := New(ctx, m, q.Position, o)
	if err != nil {
		return Answer{}, err
	}
	defer e.Close()
	chances, err := catalog.Chances(ctx, q.Board, e.o.P4)
	if err != nil {
		return Answer{}, err
	}
	r, err := e.Play(ctx)
	return Answer{d, r, chances}, err
}

// Verdict compares the decision with the games; ok is false without games and without a choice.
// A decision with exact values is trusted: another move may make a tile more often, but not more points. A
// move that is exactly as good is no disagreement: Games is then the decision's move.
func (a *Answer) Verdict() (v Verdict, ok bool) {
	if !a.Decision.OK || len(a.Odds.Position.Board.Legal()) < 2 {
		return v, false
	}
	v, ok = a.Odds.Compare(a.Decision.Move)
	if !ok || a.Decision.Source != player.Exact {
		return v, ok
	}
	moves := &a.Decision.Moves
	if moves[v.Games].Value == moves[v.Advice].Value {
		return Verdict{Advice: v.Advice, Games: v.Advice, Trusted: v.Advice}, true
	}
	v.Trusted = v.Advice
	return v, true
}

// MarshalJSON returns the object of [Answer.Wire].
func (a Answer) MarshalJSON() ([]byte, error) { return json.Marshal(a.Wire()) }

// Wire returns the answer as a protocol message.
func (a *Answer) Wire() protocol.OddsAnswer {
	o := a.Odds
	out := protocol.Odds{
		PlayedBy: o.PlayedBy, Games: o.Games, WholeGames: o.Whole, Stopped: string(o.Stopped),
		Asked: []int64{}, Moves: map[board.Direction]protocol.MoveOdds{},
	}
	for _, e := range o.Asked {
		out.Asked = append(out.Asked, board.Tile(e))
	}
	for _, d := range o.Position.Board.Legal() {
		m := &o.Moves[d]
		odds := protocol.MoveOdds{Score: m.Score.wire(), Length: m.Length.wire()}
		for _, e := range o.Tiles {
			share, ci, games := o.Chance(d, e)
			if games == 0 {
				share = math.NaN()
			}
			t := protocol.TileOdds{Share: protocol.Share{Share: stats.Figure(share), CI: ci}, Games: games}
			odds.Tiles = append(odds.Tiles, protocol.TileValue[protocol.TileOdds]{Tile: board.Tile(e), Value: t})
		}
		out.Moves[d] = odds
	}
	if v, ok := a.Verdict(); ok {
		out.Verdict = v.wire()
	}
	out.Exact = a.exact()
	return protocol.OddsAnswer{Decision: a.Decision.Wire(), Odds: out}
}

// exact returns the exact values of the legal moves, or nil where nothing is known exactly.
func (a *Answer) exact() map[board.Direction]protocol.ExactOdds {
	scores, known := a.Scores()
	if !known && len(a.Chances) == 0 {
		return nil
	}
	out := map[board.Direction]protocol.ExactOdds{}
	for _, d := range a.Odds.Position.Board.Legal() {
		x := protocol.ExactOdds{Chances: protocol.ByTile[float64]{}}
		if known {
			x.Score = &scores[d]
		}
		for _, g := range a.Chances {
			n := len(x.Chances) // of several endings with a goal, the first one counts
			if v := g.Moves[d].Value; !math.IsNaN(v) && (n == 0 || x.Chances[n-1].Tile != g.Tile) {
				x.Chances = append(x.Chances, protocol.TileValue[float64]{Tile: g.Tile, Value: v})
			}
		}
		out[d] = x
	}
	return out
}

func (e *Estimate) wire() protocol.MeanOdds {
	if e.N == 0 {
		return protocol.MeanOdds{Mean: stats.Figure(math.NaN()), CI: stats.Unknown}
	}
	return protocol.MeanOdds{Mean: stats.Figure(e.Mean), CI: e.Interval()}
}

func (v *Verdict) wire() *protocol.OddsVerdict {
	none := protocol.OddsDifference{Difference: stats.Figure(math.NaN()), CI: stats.Unknown}
	out := &protocol.OddsVerdict{Advice: v.Advice, Games: v.Games, Trusted: v.Trusted, Chance: none, Score: none}
	if !v.Agree() {
		score := v.Difference.Score.wire()
		out.Chance = protocol.OddsDifference{Difference: stats.Figure(v.Difference.Chance), CI: v.Difference.ChanceCI}
		out.Score = protocol.OddsDifference{Difference: score.Mean, CI: score.CI}
	}
	return out
}

// Write writes the odds as text, to follow the decision.
func (a *Answer) Write(w io.Writer) error {
	o := a.Odds
	if o.Games == 0 {
		_, err := fmt.Fprintf(w, "\nno games ended in the time given; see --time and --games\n")
		return err
	}
	fmt.Fprintf(w, "\n%d games played on after each move by %s%s; with 95 %% intervals\n\n", o.Games, o.PlayedBy, stopText[o.Stopped])
	t := table.New(table.Words(""))
	for _, e := range o.Asked {
		t.Columns = append(t.Columns, table.Number(strconv.FormatInt(board.Tile(e), 10)), table.Words(""))
	}
	t.Columns = append(t.Columns, table.Number("final score"), table.Words(""), table.Number("moves to come"), table.Words(""))
	for _, d := range o.Position.Board.Legal() {
		cells := []string{a.Decision.Marked(d)}
		for _, e := range o.Asked {
			share, ci, _ := o.Chance(d, e)
			cells = append(cells, numfmt.Share(share), numfmt.Shares(ci.Low, ci.High))
		}
		t.Add(slices.Concat(cells, o.Moves[d].Score.cells(), o.Moves[d].Length.cells())...)
	}
	err := t.Write(w)
	if o.Whole > 0 {
		fmt.Fprintf(w, "\nscore and moves are those of %d games that were played to the end\n", o.Whole)
	}
	return cmp.Or(err, a.writeExact(w), a.writeVerdict(w))
}

// writeExact writes the exact values, apart from the shares of the games: these are of another play.
func (a *Answer) writeExact(w io.Writer) error {
	scores, known := a.Scores()
	if !known && len(a.Chances) == 0 {
		return nil
	}
	var what []string
	if len(a.Chances) > 0 {
		what = append(what, "the greatest chance of each tile, for play that aims at it alone")
	}
	if known {
		what = append(what, "the expected final score of optimal play")
	}
	t := table.New(table.Words(""))
	for _, g := range a.Chances {
		t.Columns = append(t.Columns, table.Number(strconv.FormatInt(g.Tile, 10)))
	}
	if known {
		t.Columns = append(t.Columns, table.Number("final score"))
	}
	for _, d := range a.Odds.Position.Board.Legal() {
		cells := []string{a.Decision.Marked(d)}
		for _, g := range a.Chances {
			cells = append(cells, exactChance(g.Moves[d].Value))
		}
		if known {
			cells = append(cells, fmt.Sprintf("%.2f", scores[d]))
		}
		t.Add(cells...)
	}
	fmt.Fprintf(w, "\nexact: %s\n\n", strings.Join(what, "; "))
	return t.Write(w)
}

// exactChance formats an exact chance: 100 % and 0 % are certain.
func exactChance(chance float64) string {
	text := fmt.Sprintf("%.4f %%", 100*chance)
	switch {
	case math.IsNaN(chance): // the move shifts walls of an ending
		return "-"
	case chance == 1 || chance == 0:
		return fmt.Sprintf("%.0f %%", 100*chance)
	case text == "100.0000 %":
		return "> 99.9999 %"
	case text == "0.0000 %":
		return "< 0.0001 %"
	}
	return text
}

var stopText = map[Reason]string{Clear: ", until one move was clearly better", TimeUp: ", until the time was up"}

// cells returns the mean and its interval.
func (e *Estimate) cells() []string {
	ci := e.Interval()
	switch {
	case e.N == 0:
		return []string{"-", ""}
	case !ci.Known():
		return []string{numfmt.Rounded(e.Mean), ""}
	}
	return []string{numfmt.Rounded(e.Mean), fmt.Sprintf("[%s, %s]", numfmt.Rounded(ci.Low), numfmt.Rounded(ci.High))}
}

// writeVerdict reports where the decision and the games disagree.
func (a *Answer) writeVerdict(w io.Writer) error {
	v, ok := a.Verdict()
	if !ok || v.Agree() {
		return nil
	}
	o := a.Odds
	fmt.Fprintf(w, "\nthe player advises %v, the games %v: %d in %s %s more of them", v.Advice, v.Games,
		board.Tile(o.Goal()), numfmt.Share(v.Difference.Chance), numfmt.Shares(v.Difference.ChanceCI.Low, v.Difference.ChanceCI.High))
	if ci := v.Difference.Score.Interval(); ci.Known() {
		fmt.Fprintf(w, ", and %s points [%s, %s] more", numfmt.Rounded(v.Difference.Score.Mean), numfmt.Rounded(ci.Low), numfmt.Rounded(ci.High))
	}
	reason := "that may be chance"
	switch {
	case a.Decision.Source == player.Exact:
		reason = "its values are exact, and they are points"
	case v.Trusted == v.Games:
		reason = "the difference is clear at 95 %"
	case a.Decision.Source == "search":
		reason += ", and the player looks further than the games' player"
	}
	_, err := fmt.Fprintf(w, "\ntrust %v: %s\n", v.Trusted, reason)
	return err
}
