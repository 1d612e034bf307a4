package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
)

// narrowest is the least width of the text report.
const narrowest = 60

// Text writes the report for a terminal of this many columns (0: 80): scores and speed, shares of
// games that reached a tile, bars of the highest tile, each player against the first one, and
// caveats.
func Text(w io.Writer, r *arena.Results, width int) error {
	if width <= 0 {
		width = 80
	}
	t := &textReport{Statistics: r.Statistics(), width: max(width, narrowest)}
	t.heading(r)
	t.scores()
	t.regret()
	switch finished, _ := r.Finished(); {
	case finished == 0:
	case t.Goal != "":
		t.goal()
		t.alive()
		t.versusGoal(r)
	default:
		t.reached()
		t.highest()
		t.alive()
		t.versus(r)
	}
	t.notes()
	if luck := luckOf(t.Statistics); luck != nil {
		t.printf("\n%s", luckText(luck))
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
	t.printf("%v, %s\n", t.Size, asked(t.Statistics))
	if finished, of := r.Finished(); finished < of {
		t.printf("stopped early: %d of %d games finished. Long games are more often among\n"+
			"the others, so that means lean a little low.\n", finished, of)
	}
	t.printf("\n")
}

// asked describes which games were to be played.
func asked(r *arena.Statistics) string {
	if r.Spawn == arena.Imported {
		return "imported games"
	}
	out := fmt.Sprintf("%s a player, seed %d", countGames(r.Games), r.Seed)
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
		out += fmt.Sprintf(", each stopped at %d", r.Until)
	}
	return out
}

func (t *textReport) scores() {
	t.printf("%smean score ± its 95 %% interval", playerTable(t.Statistics, inText).Text(t.width))
	if slices.ContainsFunc(t.Players, func(p arena.PlayerStatistics) bool { return p.Games == 1 }) {
		t.printf(" (? = unknown: it takes two games)")
	}
	t.printf("\n")
}

// regret shows what each player gives away against optimal play.
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
		t.printf("\nchance of the %d given away against optimal play, whose chance%s is %.4f:\nexact, walls %s %s\n\n", e.Goal, from, e.Optimal, rule, strings.Join(e.Walls, " and "))
		all.Columns = append(all.Columns, table.Number("judged moves"), table.Number("shifted"))
	} else {
		t.printf("\npoints given away against optimal play, whose expected score%s is %.2f\n\n", from, t.Optimal)
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
		t.printf("shifted: games whose walls moved in a way that this ending does not allow; they are judged until then\n")
	}
}

func (t *textReport) reached() {
	t.printf("\nshare of games that reached a tile, with 95 %% interval\n")
	t.grid(func(p *arena.PlayerStatistics) []arena.TileShare { return p.Reached }, func(s arena.TileShare, _ int) string {
		if !s.Value.CI.Known() {
			return "-"
		}
		return fmt.Sprintf("%5.1f %%  [%.1f, %.1f]", 100*s.Value.Share, 100*s.Value.CI.Low, 100*s.Value.CI.High)
	})
}

func (t *textReport) highest() {
	t.printf("\ngames by their highest tile\n")
	maximum, digits := stats.Figure(0), 1
	for _, p := range t.Players {
		for _, s := range p.Highest {
			if s.Value.Games > 0 {
				maximum, digits = max(maximum, s.Value.Share), max(digits, len(strconv.Itoa(s.Value.Games)))
			}
		}
	}
	t.grid(func(p *arena.PlayerStatistics) []arena.TileShare { return p.Highest }, func(s arena.TileShare, width int) string {
		if s.Value.Games == 0 {
			return fmt.Sprintf("%*s", digits, "·")
		}
		return fmt.Sprintf("%*d %s", digits, s.Value.Games, bar(float64(s.Value.Share/maximum), width-digits-1))
	})
}

// versus compares every player's scores with those of the first one.
func (t *textReport) versus(r *arena.Results) {
	how := "game by game on the same seeds"
	if t.Spawn == arena.Imported {
		how = "by the means of their games"
	}
	title := fmt.Sprintf("score against %s, %s", r.Players[0].Name, how)
	columns := table.Numbers("difference", "higher in", "lower in")
	if t.Luck != nil {
		columns = table.Numbers("difference", "adjusted", "factor")
	}
	t.againstFirst(r, title, columns, func(c *arena.Comparison) []string {
		plain := difference(c.Difference, c.CI)
		switch {
		case t.Luck != nil:
			return append(append([]string{plain}, adjustedWords(c)...), c.Verdict)
		case c.Unpaired:
			return []string{plain, "-", "-", c.Verdict}
		}
		return []string{plain, strconv.Itoa(c.Higher), strconv.Itoa(c.Lower), c.Verdict}
	})
}

// againstFirst writes a table with a row for each player but the first one: what cells says of the comparison of both,
// a verdict last.
func (t *textReport) againstFirst(r *arena.Results, title string, columns []table.Column, cells func(*arena.Comparison) []string) {
	all := table.New(slices.Concat([]table.Column{table.Name("player")}, columns, []table.Column{table.Words("verdict")})...)
	var compared []*arena.Comparison
	for i := 1; i < len(r.Players); i++ {
		compared = append(compared, experiment.Compared(r, i, 0))
	}
	if len(compared) == 0 {
		return
	}
	arena.Holm(compared...)
	for i, c := range compared {
		all.Add(append([]string{t.Players[i+1].Player}, cells(c)...)...)
	}
	t.printf("\n%s\n%s", title, all.Text(t.width))
	if n := len(all.Rows); n > 1 {
		t.printf("verdicts: 95 %% for all %d together (Holm's correction)\n", n)
	}
}

func (t *textReport) notes() {
	var notes []string
	for i := range t.Players {
		notes = append(notes, playerNotes(&t.Players[i])...)
	}
	if len(notes) > 0 {
		t.printf("\n%s\n", strings.Join(notes, "\n"))
	}
}

// playerNotes are the spec and files behind a name, and caveats about a player.
func playerNotes(p *arena.PlayerStatistics) (notes []string) {
	if p.Spec != "" {
		is := p.Player + ": " + p.Spec
		if files := arena.Files(p.Spec, p.Identity); files != "" {
			is += ", " + files
		}
		notes = append(notes, is)
	}
	if p.Foresees {
		notes = append(notes, p.Player+": foresight knows the coming spawns, so it is not comparable with the others")
	}
	if p.TimeLimited {
		notes = append(notes, p.Player+": not deterministic: limited by time")
	}
	if p.Damaged > 0 {
		notes = append(notes, fmt.Sprintf("%s: left out: %d games that are damaged in the store", p.Player, p.Damaged))
	}
	return append(notes, forfeitNotes(p)...)
}

// forfeitNotes list how many games a player forfeited, and the main reasons.
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

// grid writes a row for each tile and a column for each player, as many side by side as fit and the
// others below.
func (t *textReport) grid(of func(*arena.PlayerStatistics) []arena.TileShare, cell func(s arena.TileShare, width int) string) {
	const gap, minimum, maximum = 2, 22, 44
	tiles := of(&t.Players[0])
	label := len("tile")
	if n := len(tiles); n > 0 {
		label = max(label, len(tileName(tiles[n-1])))
	}
	side := max(1, (t.width-label)/(gap+minimum))
	blocks := (len(t.Players) + side - 1) / side
	side = (len(t.Players) + blocks - 1) / blocks // evenly filled
	width := min(maximum, (t.width-label)/side-gap)
	for block := range slices.Chunk(t.Players, side) {
		if &block[0] != &t.Players[0] {
			t.printf("\n")
		}
		rows := headers(block, width)
		for k, s := range tiles {
			row := []string{tileName(s)}
			for i := range block {
				row = append(row, cell(of(&block[i])[k], width))
			}
			rows = append(rows, row)
		}
		for _, row := range rows {
			line := fmt.Sprintf("%*s", label, row[0])
			for _, c := range row[1:] {
				line += fmt.Sprintf("  %-*s", width, c)
			}
			t.printf("%s\n", strings.TrimRight(line, " "))
		}
	}
}

// headers are the rows above a grid, as many as the longest name needs; shorter names end in the last one.
func headers(block []arena.PlayerStatistics, width int) (rows [][]string) {
	for i, p := range block {
		lines := wrap(p.Player, width)
		for len(rows) < len(lines) {
			rows = slices.Insert(rows, 0, make([]string, 1+len(block)))
		}
		for k, line := range lines {
			rows[len(rows)-len(lines)+k][1+i] = line
		}
	}
	rows[len(rows)-1][0] = "tile"
	return rows
}

// wrap splits a spec into lines, preferably after a comma or bracket.
func wrap(name string, width int) (lines []string) {
	rest := []rune(name)
	for len(rest) > width {
		cut := width
		for i := width; i > width/3; i-- {
			if strings.ContainsRune(",( ", rest[i-1]) {
				cut = i
				break
			}
		}
		lines = append(lines, string(rest[:cut]))
		rest = rest[cut:]
	}
	return append(lines, string(rest))
}

// bar is a bar of a share of width columns, in eighths of a column and at least one of them.
func bar(share float64, width int) string {
	eighths := max(1, int(math.Round(share*float64(8*width))))
	out := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		out += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return out
}

func tileName(s arena.TileShare) string { return strconv.FormatInt(s.Tile, 10) }

// telling are the stages from the last one that all games reached to the last one that
// any game reached.
func telling(stages []arena.TileShare, games int) []arena.TileShare {
	for len(stages) > 1 && stages[len(stages)-1].Value.Games == 0 {
		stages = stages[:len(stages)-1]
	}
	for len(stages) > 1 && stages[1].Value.Games == games {
		stages = stages[1:]
	}
	return stages
}

// alive shows which share of the games reached each sum of tiles: where games end.
func (t *textReport) alive() {
	ended := func(p arena.PlayerStatistics) bool { return len(telling(p.Alive, p.Games)) > 1 }
	if !slices.ContainsFunc(t.Players, ended) {
		return
	}
	t.printf("\nalive at a sum of tiles\n")
	for i := range t.Players {
		p := &t.Players[i]
		line := "  "
		if len(t.Players) > 1 {
			t.printf("%s\n", p.Player)
		}
		for _, a := range telling(p.Alive, p.Games) {
			entry := fmt.Sprintf("%d %s", a.Tile, numfmt.Share(a.Value.Share))
			if utf8.RuneCountInString(line)+len(entry) > t.width {
				t.printf("%s\n", strings.TrimRight(line, " "))
				line = "  "
			}
			line += entry + "   "
		}
		t.printf("%s\n", strings.TrimRight(line, " "))
	}
}
