package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
)

// Ranking writes a ranking as text, md or tex.
func Ranking(w io.Writer, t *protocol.RankTable, format string) error {
	all := table.New(table.Number("rank"), table.Number("games"), table.Number("mean score"), table.Name("player"))
	for i := range t.Players {
		p := &t.Players[i]
		all.Add(ranks(p), number(float64(p.Games)), mean(p.Mean, p.CI), console.Line(p.Player))
	}
	text := ""
	switch format {
	case "md":
		text = all.Markdown()
	case "tex":
		text = all.LaTeX()
	default:
		text = all.Text(math.MaxInt) + fmt.Sprintf("\nall ranks are right with %.4g %% confidence; mean score ± its 95 %% interval\n", 100*t.Confidence)
		if t.Left != nil {
			text += "some ranks are open" + Outlook(*t.Left, fmt.Sprintf(" on %s and %s", console.Line(t.Open[0]), console.Line(t.Open[1]))) + "\n"
		}
		text += fmt.Sprintf("the games are stored as %s\n", t.Experiment)
	}
	_, err := io.WriteString(w, strings.TrimSuffix(text, "\n")+"\n")
	return err
}

// Outlook says in words what a verdict will probably take, after a comma; "" as long as nothing can be told. of has the players where there
// are more than two, as in " on A and B".
func Outlook(o stats.Outlook, of string) string {
	const never = 1e6 // pairs
	pairs := func(n float64) string { return numfmt.Count(int(n), "more pair", "more pairs") + " of games" }
	switch {
	case o.Pairs > 0:
		return fmt.Sprintf(", a verdict%s in about %s (%s)", of, numfmt.About(time.Duration(o.Seconds*1e9)), pairs(float64(o.Pairs)))
	case o.AtLeast >= never:
		return fmt.Sprintf(", no verdict%s is expected", of)
	case o.AtLeast > 0:
		return fmt.Sprintf(", no verdict%s is expected within %s", of, pairs(o.AtLeast))
	}
	return ""
}

// ranks are the ranks that a player may have.
func ranks(p *protocol.RankedPlayer) string {
	if p.Best == p.Worst {
		return fmt.Sprint(p.Best)
	}
	return fmt.Sprintf("%d to %d", p.Best, p.Worst)
}
