package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/game"
)

// narrowest is the minimum width of the text report.
const narrowest = 60

// Text writes the report for a terminal with this number of columns (0: 80): scores and speed, the tiles that
// games reached, comparisons with the first player, and caveats.
func Text(w io.Writer, r *arena.Results, width int) error {
	if width <= 0 {
		width = 80
	}
	t := &textReport{Statistics: r.Statistics(), width: max(width, narrowest)}
	t.heading(r)
	t.scores()
	t.regret()
	if finished, _ := r.Finished(); finished > 0 {
		if t.Goal != "" {
			t.goal()
		} else {
			t.tiles()
		}
		t.versus(r)
	}
	if notes := notes(t.Statistics); len(notes) > 0 {
		t.printf("\n%s\n", strings.Join(notes, "\n"))
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

type textReport struct {
	*arena.Statistics
	width int
	out   strings.Builder
}

func (t *textReport) printf(format string, args ...any) { fmt.Fprintf(&t.out, format, args...) }

func (t *textReport) heading(r *arena.Results) {
	if t.Name != "" {
		t.printf("%s: ", t.Name)
	}
	t.printf("%v, %s\n", t.Size, requestedGames(t.Statistics))
	if finished, of := r.Finished(); finished < of {
		t.printf("stopped early: %d of %d games finished. Long games finish last,\n"+
			"so means are a little too low.\n", finished, of)
	}
	t.printf("\n")
}

// requestedGames describes the requested games: their number, seed, start boards, goal, spawns and
// last tile.
func requestedGames(r *arena.Statistics) string {
	out := fmt.Sprintf("%s a player, seed %d", numfmt.Count(r.Games, "game", "games"), r.Seed)
	if r.Starts > 0 {
		out += fmt.Sprintf(", from %d start boards", r.Starts)
	}
	if r.Goal != "" {
		out += ", each to " + goalText(r.Stop)
	}
	if r.Spawn != "" && r.Spawn != "random" {
		out += ", tiles by " + r.Spawn
	}
	if r.Until > 0 {
		out += fmt.Sprintf(", each stopped at tile %d", r.Until)
	}
	return out
}

func (t *textReport) scores() {
	t.printf("%smean score ± its 95 %% interval", playerTable(t.Statistics, inText).Text(t.width))
	if slices.ContainsFunc(t.Players, func(p arena.PlayerStatistics) bool { return p.Games == 1 }) {
		t.printf(" (? = unknown: needs two games)")
	}
	t.printf("\n")
}

// regret writes how much each player loses compared with optimal play.
func (t *textReport) regret() {
	if t.Optimal == 0 && t.Ending == nil {
		return
	}
	from := ""
	if t.Starts > 0 {
		from = " from the start boards"
	}
	all := table.New(table.Name("player"), table.Number("a game"), table.Number("of the optimum"), table.Number("a move"), table.Number("best moves"))
	if e := t.Ending; e != nil {
		rule := "fixed on"
		if e.FreeWalls {
			rule = "free among"
		}
		t.printf("\nchance to make the %d lost compared with optimal play, whose chance%s is %.4f;\nexact values for walls %s %s\n\n", e.Goal, from, e.Optimal, rule, strings.Join(e.Walls, " and "))
		all.Columns = append(all.Columns, table.Number("judged moves"), table.Number("shifted"))
	} else {
		t.printf("\npoints lost compared with optimal play, whose expected score%s is %.2f\n\n", from, t.Optimal)
	}
	for _, p := range t.Players {
		r := p.Regret
		row := []string{p.Player, mean(r.PerGame, r.CI), fmt.Sprintf("%.2f %%", 100*r.Share), significant(r.PerMove), fmt.Sprintf("%.2f %%", 100*r.BestMoves)}
		if t.Ending != nil {
			row[1] = significant(r.PerGame)
			if r.CI.Known() {
				row[1] = fmt.Sprintf("%.4f ± %.4f", r.PerGame, r.CI.Half())
			}
			row = append(row, numfmt.Int(r.Judged), strconv.Itoa(r.Left))
		}
		all.Add(row...)
	}
	t.out.WriteString(all.Text(t.width))
	if t.Ending != nil {
		t.printf("shifted: games whose walls moved in a way that this ending does not allow; judged up to that move\n")
	}
}

func goalText(g game.Stop) string {
	if g.Sum != 0 {
		return fmt.Sprintf("a sum of tiles of %d", g.Sum)
	}
	return "tile " + g.String()
}

// goalTable returns a table with each player's share of games that reached the experiment's goal.
func goalTable(r *arena.Statistics) *table.Table {
	all := table.New(table.Name("player"), table.Number("reached"), table.Number("games"), table.Number("95 % interval"))
	luck := luckColumns(r, 0)
	all.Columns = append(all.Columns, each.Of(luck, func(c column) table.Column { return c.Column })...)
	for i, p := range r.Players {
		ci := "?"
		if p.Goal.CI.Known() {
			ci = numfmt.Shares(p.Goal.CI.Low, p.Goal.CI.High)
		}
		cells := []string{p.Player, numfmt.Share(p.Goal.Share), fmt.Sprintf("%d of %d", p.Goal.Games, p.Games), ci}
		all.Add(append(cells, each.Of(luck, func(c column) string { return c.cell(&r.Players[i]) })...)...)
	}
	return all
}

// goal writes how often each player reached the experiment's goal.
func (t *textReport) goal() {
	t.printf("\nshare of games that reached %s\n", goalText(t.Stop))
	t.out.WriteString(goalTable(t.Statistics).Text(t.width))
	if t.Starts > 0 {
		t.printf("intervals account for the similarity of games from start boards with the same parent\n")
	}
}

// tiles writes for each player and tile how often games reached the tile, and how many games ended with it.
func (t *textReport) tiles() {
	t.printf("\nshare of games that reached a tile, with 95 %% interval\n")
	for i := range t.Players {
		p := &t.Players[i]
		all := table.New(table.Number("tile"), table.Number("reached"), table.Number("ended with it"), table.Words(""))
		for _, s := range p.Reached {
			ended := share(p.Highest, s.Tile)
			if ended.Games == 0 && s.Tile != 1<<game.WinExponent {
				continue
			}
			all.Add(strconv.FormatInt(s.Tile, 10), shareWords(s.Value.Share, s.Value.CI), strconv.Itoa(ended.Games), bar(float64(ended.Share), t.width-44))
		}
		t.printf("\n%s\n%s", p.Player, all.Text(t.width))
	}
}

// share returns the share of a tile in a list; the zero Share if the list does not contain the tile.
func share(of []arena.TileShare, tile int64) (s protocol.Share) {
	if i := slices.IndexFunc(of, func(s arena.TileShare) bool { return s.Tile == tile }); i >= 0 {
		s = of[i].Value
	}
	return s
}

// versus compares every player with the first one.
func (t *textReport) versus(r *arena.Results) {
	if all := versus(r); len(all) > 0 {
		t.printf("\n%s\n%s", versusTitle(t.Statistics), versusTable(t.Statistics, all).Text(t.width))
		if len(all) > 1 {
			t.printf("the %d verdicts hold together at 95 %% (Holm's correction)\n", len(all))
		}
	}
}

// notes returns notes on the players (specs, hashes of files, caveats) and on luck.
func notes(r *arena.Statistics) (all []string) {
	for i := range r.Players {
		all = append(all, playerNotes(&r.Players[i])...)
	}
	if luck := luckOf(r); luck != nil {
		all = append(all, luckNote(luck))
	}
	return all
}

// playerNotes returns notes on a player: its spec and the hashes of its files if its name is not the spec,
// and caveats.
func playerNotes(p *arena.PlayerStatistics) (notes []string) {
	if p.Spec != "" {
		note := p.Player + ": " + p.Spec
		if strings.Contains(p.Identity, "sha256:") {
			note += ", as " + arena.Short(p.Identity)
		}
		notes = append(notes, note)
	}
	if p.Foresees {
		notes = append(notes, p.Player+": foresight knows the coming spawns, so it is not comparable with the others")
	}
	if p.TimeLimited {
		notes = append(notes, p.Player+": not deterministic: limited by time")
	}
	return append(notes, forfeitNotes(p)...)
}

// forfeitNotes returns how many games a player forfeited, and the most frequent reason.
func forfeitNotes(p *arena.PlayerStatistics) []string {
	if p.Forfeits == nil {
		return nil
	}
	first := p.Forfeits.Reasons[0]
	note := fmt.Sprintf("%s: forfeited %d of %d games, which count with the score they had", p.Player, p.Forfeits.Games, p.Games)
	why := fmt.Sprintf("  %s, %d times, first in game %d", first.Reason, first.Games, first.First)
	if first.Games == 1 {
		why = fmt.Sprintf("  %s, in game %d", first.Reason, first.First)
	}
	if first.Detail != "" {
		why += ": " + first.Detail
	}
	return []string{note, why}
}

// bar draws a share as a bar of characters. A share of 1 is width columns long; the steps are an eighth of a
// column.
func bar(share float64, width int) string {
	if !(share > 0) {
		return ""
	}
	eighths := max(1, int(math.Round(share*float64(8*width))))
	out := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		out += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return out
}

// Ranking writes a ranking as text for a terminal.
func Ranking(w io.Writer, t *protocol.RankTable) error {
	all := table.New(table.Number("rank"), table.Number("games"), table.Number("mean score"), table.Name("player"))
	for i := range t.Players {
		p := &t.Players[i]
		all.Add(ranks(p), number(float64(p.Games)), mean(p.Mean, p.CI), console.Line(p.Player))
	}
	text := all.Text(math.MaxInt) + fmt.Sprintf("\nall ranks are right with %.4g %% confidence; mean score ± its 95 %% interval\n", 100*t.Confidence)
	if t.Left != nil {
		text += "some ranks are open" + Outlook(*t.Left, fmt.Sprintf(" on %s and %s", console.Line(t.Open[0]), console.Line(t.Open[1]))) + "\n"
	}
	_, err := fmt.Fprintf(w, "%sthe games are stored as %s\n", text, t.Experiment)
	return err
}

// Outlook returns a phrase that estimates how long a verdict will take; "" if that cannot be estimated yet.
// The phrase begins with a comma. of names the players if there are more than two, as in " on A and B".
func Outlook(o stats.Outlook, of string) string {
	const tooMany = 1e6 // pairs
	pairs := func(n float64) string { return numfmt.Count(int(n), "more pair", "more pairs") + " of games" }
	switch {
	case o.Pairs > 0:
		return fmt.Sprintf(", a verdict%s in about %s (%s)", of, numfmt.About(time.Duration(o.Seconds*1e9)), pairs(float64(o.Pairs)))
	case o.AtLeast >= tooMany:
		return fmt.Sprintf(", no verdict%s is expected", of)
	case o.AtLeast > 0:
		return fmt.Sprintf(", no verdict%s is expected within %s", of, pairs(o.AtLeast))
	}
	return ""
}

// ranks returns the rank of a player, or the range of ranks that it may have.
func ranks(p *protocol.RankedPlayer) string {
	if p.Best == p.Worst {
		return fmt.Sprint(p.Best)
	}
	return fmt.Sprintf("%d to %d", p.Best, p.Worst)
}
