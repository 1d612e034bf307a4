package arena

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// view shows the progress of an experiment: how many games are finished, and the mean scores of the first players.
type view struct {
	*output.Progress
	workers int
	cores   func() int          // returns the number of cores of the workers on other machines; nil if no such workers may play
	ranking *experiment.Ranking // nil for arena run
	limit   int                 // maximum number of games of each ranked player
	players []*playerView
}

// playerView sums up the games of a player.
type playerView struct {
	number int
	name   string
	games  int
	scores int64
}

// begin starts the display with the players and their stored games.
func (v *view) begin(players []arena.Player, finished [][]arena.Outcome) {
	games := 0
	for i, p := range players {
		one := &playerView{number: p.Number, name: cmp.Or(arena.Name(p.Identity), p.Spec)}
		for k := range finished[i] {
			one.add(&finished[i][k])
		}
		v.players = append(v.players, one)
		games += one.games
	}
	v.Skip(games)
	v.Describe(v.description())
}

func (p *playerView) add(g *arena.Outcome) {
	p.games++
	p.scores += g.Score
}

// add counts newly stored games of a player.
func (v *view) add(p *arena.Player, games []arena.Recorded) error {
	for _, one := range v.players {
		for i := range games {
			if one.number == p.Number {
				one.add(&games[i].Outcome)
			}
		}
	}
	v.Describe(v.description())
	v.Add(len(games))
	return nil
}

// description returns the text that follows the number of games.
func (v *view) description() string {
	text, working := "games", v.workers
	if v.ranking != nil { // a match or ranking may end early
		text += " at most"
	}
	if v.cores != nil {
		working += v.cores()
		text += ", " + numfmt.Count(v.cores(), "core", "cores") + " of workers"
	}
	if v.ranking != nil && working > 0 {
		text += v.outlook(working)
	}
	const maxPlayers = 4
	var means []string
	for _, p := range v.players[:min(maxPlayers, len(v.players))] {
		if p.games > 0 {
			means = append(means, p.name+" "+numfmt.Rounded(float64(p.scores)/float64(p.games)))
		}
	}
	if len(means) > 0 {
		text += ": " + strings.Join(means, ", ")
	}
	return text
}

// outlook returns how many games the next verdict will probably take with this number of workers, as text.
func (v *view) outlook(workers int) string {
	left, open := v.ranking.Left(workers)
	of := ""
	if open != nil && len(v.ranking.Players) > 2 {
		of = fmt.Sprintf(" on %s and %s", open.A, open.B)
	}
	if open != nil && left.Pairs > stats.Figure(v.limit-open.Pairs()) {
		return fmt.Sprintf(", a verdict%s needs more games than --games", of)
	}
	return report.Outlook(left, of)
}
