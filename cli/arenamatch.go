package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/stats"
)

type arenaMatchFlags struct {
	arenaRunFlags
	name       string
	confidence float64
}

// matchChunk is how long chunks of a match should take: what is played beyond its end
// is not needed.
const matchChunk = 300 * time.Millisecond

func newArenaMatch() *cobra.Command {
	f := arenaMatchFlags{arenaRunFlags: arenaRunFlags{arenaSetupFlags: newArenaSetupFlags()}}
	cmd := &cobra.Command{
		Use:   "match A B",
		Short: "Play two players until it is clear who is better",
		Long: `Let two players play the same games until it is clear which of them has the higher
mean score, or --games are played.

The match looks after every pair of games and may stop at any of them; even so its
verdict is wrong in at most 5 of 100 matches (--confidence), whatever the players'
scores look like: it goes by the capital of somebody who bets on the next pair, which
luck seldom multiplies (docs/experiments.md). The interval of the mean difference
holds at every moment too.

The games are kept in the store as an experiment, so that the same command goes on
after Ctrl-C, and arena show and report know them by its name.`,
		Example: `afterstate arena match snake weighted-snake
afterstate arena match "snake(depth=1)" "snake(depth=2)" --size 3x3 --confidence 0.99`,
		Args: between(2, 2, "two player specs"),
		RunE: func(cmd *cobra.Command, args []string) error { return runArenaMatch(cmd, args, &f) },
	}
	flags := cmd.Flags()
	f.arenaSetupFlags.add(flags)
	f.store.add(flags)
	flags.StringVar(&f.name, "name", "", "the experiment's name (default: made of the players')")
	flags.IntVarP(&f.games, "games", "n", 10_000, "games of each player at most")
	flags.Float64Var(&f.confidence, "confidence", 0.95, "how sure the verdict should be, from 0.5 to 0.9999")
	addWorkers(flags, &f.workers)
	flags.BoolVar(&f.anyVersion, "any-version", false, "go on although another version of the program played before")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func runArenaMatch(cmd *cobra.Command, specs []string, f *arenaMatchFlags) error {
	ctx, stop := untilStopped(cmd)
	defer stop()
	if !(f.confidence >= 0.5 && f.confidence <= 0.9999) {
		return usagef("confidence %v: want 0.5 to 0.9999", f.confidence)
	}
	if err := checkGames(f.games); err != nil {
		return err
	}
	f.strict = true
	if f.name == "" {
		entrants, err := f.entrants(specs)
		if err != nil {
			return err
		}
		f.name = f.matchName(entrants)
	}
	x, entrants, err := f.begin(cmd, f.name, specs, f.games, true)
	if err != nil {
		return err
	}
	defer x.store.Close()
	m := &match{Match: stats.NewMatch(f.confidence)}
	m.Name, m.A, m.B = x.experiment.Name, entrants[0].Spec, entrants[1].Spec
	var players []store.Player
	for i, e := range entrants {
		p := x.player(e.identity)
		players = append(players, *p)
		m.numbers[i] = p.Number
		games, err := x.store.Games(ctx, x.experiment, p)
		if err != nil {
			return err
		}
		m.take(i, games)
	}
	x.more = m.odds
	var stopped error
	if m.Winner() == 0 {
		stopped = x.play(ctx, players, f.games, m.observe)
	}
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return storeError(stopped)
	}
	if err := m.print(cmd, f.json); err != nil {
		return err
	}
	if stopped != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "kept; to go on: the same command")
		return stopped
	}
	r, err := x.results(ctx)
	if err != nil {
		return err
	}
	return allForfeited(r)
}

// matchName is made of the players' names and of four digits that stand for their
// keys, the size, the seed, the spawn rule and --until.
func (f *arenaMatchFlags) matchName(entrants []entrant) string {
	var names, all []string
	for _, e := range entrants {
		name, _, _ := strings.Cut(e.Spec, "(")
		names, all = append(names, name), append(all, e.identity)
	}
	setup := arena.Setup{Size: f.size.Size, SpawnIdentity: f.spawn.Spec, Seed: f.seed.value, Until: int64(f.until)}
	sum := sha256.Sum256([]byte(strings.Join(append(all, setup.Hash()), "\n")))
	return fmt.Sprintf("%s-%x", strings.Join(names, "-vs-"), sum[:2])
}

// match is a match of the store.
type match struct {
	*stats.Match
	numbers [2]int // of the players in the experiment
}

// take takes games that are in the store already.
func (m *match) take(who int, games []arena.Game) {
	for i := range games {
		m.Add(who, games[i].Index, games[i].Score)
	}
}

// observe takes games that were played.
func (m *match) observe(p *store.Player, games []arena.Recorded) error {
	for i, number := range m.numbers {
		if number != p.Number {
			continue
		}
		for k := range games {
			m.Add(i, games[k].Index, games[k].Score)
		}
	}
	if m.Winner() != 0 {
		return arena.ErrEnough
	}
	return nil
}

// odds say how near the end is.
func (m *match) odds() string {
	a, b := m.Odds()
	who, capital := m.A, a
	if b > a {
		who, capital = m.B, b
	}
	return fmt.Sprintf("%.3g : 1 that %s is better, after %d pairs; %.3g : 1 decides", capital, who, m.Pairs(), m.Needed())
}

// print tells the verdict.
func (m *match) print(cmd *cobra.Command, asJSON bool) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return writeJSON(out, m.Match)
	}
	percent := fmt.Sprintf("%.4g %%", 100*m.Confidence())
	winner := m.A
	if m.Winner() < 0 {
		winner = m.B
	}
	if m.Winner() == 0 {
		fmt.Fprintf(out, "not clear: %s\n", m.odds())
	} else {
		fmt.Fprintf(out, "%s is better: found after %d pairs of games, with %s confidence\n", winner, m.Decided(), percent)
	}
	interval := "not known yet"
	if ci := m.Interval(); ci.Known() {
		interval = fmt.Sprintf("from %+.0f to %+.0f", ci.Low, ci.High)
	}
	_, err := fmt.Fprintf(out, "score of %s - %s: %+.0f a game, %s interval %s\nthe games are kept as %s\n", m.A, m.B, m.Mean(), percent, interval, m.Name)
	return err
}
