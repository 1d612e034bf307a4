package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"afterstate/arena"
	"afterstate/arena/report"
	"afterstate/arena/store"
	"afterstate/board"
	"afterstate/experiment"
)

func newArenaList() *cobra.Command {
	var db storeFlag
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the experiments of the store",
		Args:  between(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := db.open(cmd, false)
			if err != nil {
				return err
			}
			defer s.Close()
			all, err := s.Experiments(cmd.Context())
			if err != nil {
				return err
			}
			counts := make([][]int, len(all))
			for i := range all {
				if counts[i], err = s.Count(cmd.Context(), &all[i]); err != nil {
					return err
				}
			}
			if asJSON {
				return listExperimentsJSON(cmd.OutOrStdout(), all, counts)
			}
			return listExperiments(cmd.OutOrStdout(), all, counts)
		},
	}
	db.add(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one experiment a line")
	return cmd
}

func listExperiments(w io.Writer, all []store.Experiment, counts [][]int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "experiment\tsize\tplayers\tgames\tof\tbegun")
	for i, e := range all {
		finished, wanted := 0, 0
		for _, n := range counts[i] {
			finished += n
			wanted += max(e.Games, n)
		}
		fmt.Fprintf(t, "%s\t%v\t%d\t%d\t%d\t%s\n", e.Name, e.Setup.Size, len(e.Players), finished, wanted, e.Created.Local().Format("2006-01-02 15:04"))
	}
	return t.Flush()
}

type jsonPlayer struct {
	Number      int      `json:"number"`
	Player      string   `json:"player"`
	Identity    string   `json:"identity"`
	Versions    []string `json:"versions"`
	Games       int      `json:"games"`
	Foresees    bool     `json:"foresees,omitempty"`
	TimeLimited bool     `json:"time_limited,omitempty"`
}

func listExperimentsJSON(w io.Writer, all []store.Experiment, counts [][]int) error {
	for i, e := range all {
		line := struct {
			Name    string       `json:"experiment"`
			Begun   time.Time    `json:"begun"`
			Hash    string       `json:"hash"`
			Size    board.Size   `json:"size"`
			Spawn   string       `json:"spawn"`
			Seed    uint64       `json:"seed"`
			Until   int64        `json:"until,omitempty"`
			Games   int          `json:"games"`
			Players []jsonPlayer `json:"players"`
		}{e.Name, e.Created, e.Setup.Hash(), e.Setup.Size, e.Setup.Spawn, e.Setup.Seed, e.Setup.Until, e.Games, []jsonPlayer{}}
		for k, p := range e.Players {
			line.Players = append(line.Players, jsonPlayer{p.Number, p.Spec, p.Identity, p.Versions, counts[i][k], p.Foresees, p.TimeLimited})
		}
		if err := writeJSON(w, line); err != nil {
			return err
		}
	}
	return nil
}

func newArenaShow() *cobra.Command {
	var db storeFlag
	var skip skipFlag
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show an experiment's players and figures",
		Long: `Show what an experiment has found so far, as arena does of games that are not kept,
and its players by number, with the game of each that had the best score.`,
		Example: `afterstate arena show first
afterstate watch --game first/1/0`,
		Args: between(1, 1, "the name of an experiment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, e, err := db.finding(cmd, args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := skip.results(cmd.Context(), s, e)
			if err != nil {
				return err
			}
			if err := printResults(cmd, r, asJSON); err != nil || asJSON {
				return err
			}
			return tellPlayers(cmd.OutOrStdout(), e, r)
		},
	}
	db.add(cmd.Flags())
	skip.add(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// tellPlayers lists an experiment's players by number.
func tellPlayers(w io.Writer, e *store.Experiment, r *arena.Results) error {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "player\tgames\tversion\tbest game")
	for i, p := range e.Players {
		games := r.Players[i].Games
		id := "-"
		if len(games) > 0 {
			best := slices.MaxFunc(games, func(a, b arena.Game) int { return cmp.Compare(a.Score, b.Score) })
			id = fmt.Sprintf("%s/%d/%d", e.Name, p.Number, best.Index)
		}
		fmt.Fprintf(t, "%d %s\t%d of %d\t%s\t%s\n", p.Number, p.Spec, len(games), max(e.Games, len(games)), strings.Join(p.Versions, ", "), id)
	}
	return t.Flush()
}

func newArenaCompare() *cobra.Command {
	var db storeFlag
	var skip skipFlag
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two players game by game",
		Long: `Compare two players of the store on the games of the same seed that both finished:
the mean difference of their scores, the share of games in which A has the higher
one, and how much more often A reaches each tile, each with its 95 % interval.

The intervals are right for a number of games that was chosen beforehand. To play
until it is clear who is better, take arena match.

A and B are ` + memberHelp + `. They may belong to different
experiments that have size, seed, spawn rule and --until in common.`,
		Example: `afterstate arena compare first/snake first/greedy
afterstate arena compare first/1 second/1`,
		Args: between(2, 2, "two players, as in first/snake first/greedy"),
		RunE: func(cmd *cobra.Command, args []string) error { return runArenaCompare(cmd, args, &db, &skip, asJSON) },
	}
	db.add(cmd.Flags())
	skip.add(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func runArenaCompare(cmd *cobra.Command, args []string, db *storeFlag, skip *skipFlag, asJSON bool) error {
	s, err := db.open(cmd, false)
	if err != nil {
		return err
	}
	defer s.Close()
	ctx := cmd.Context()
	var who [2]experiment.Member
	for i, text := range args {
		if who[i], err = experiment.LookupMember(ctx, s, text); err != nil {
			return storeError(err)
		}
	}
	if err := pairable(who[0], who[1]); err != nil {
		return err
	}
	games, leftOut, err := bothGames(ctx, s, who, skip)
	if err != nil {
		return err
	}
	for i := range who {
		tellLeftOut(cmd, who[i], leftOut[i])
	}
	c := arena.Compare(games[0], games[1])
	if c.Games == 0 {
		return usagef("%v and %v have finished no game of the same number", who[0], who[1])
	}
	c.A, c.B, c.Damaged = who[0].String(), who[1].String(), leftOut[0]+leftOut[1]
	if asJSON {
		return writeJSON(cmd.OutOrStdout(), c)
	}
	return report.Comparison(cmd.OutOrStdout(), &c)
}

// pairable refuses players whose games have not the same tiles to come.
func pairable(a, b experiment.Member) error {
	x, y := a.Experiment.Setup, b.Experiment.Setup
	for _, c := range []struct{ what, x, y string }{
		{"size", x.Size.String(), y.Size.String()},
		{"seed", fmt.Sprint(x.Seed), fmt.Sprint(y.Seed)},
		{"spawn", x.SpawnIdentity, y.SpawnIdentity},
		{"until", fmt.Sprint(x.Until), fmt.Sprint(y.Until)},
	} {
		if c.x != c.y {
			return usagef("%s and %s cannot be compared game by game: %s is %s in one and %s in the other", a.Experiment.Name, b.Experiment.Name, c.what, c.x, c.y)
		}
	}
	return nil
}

// bothGames reads the games of two players at once.
func bothGames(ctx context.Context, s *store.Store, who [2]experiment.Member, skip *skipFlag) (games [2][]arena.Game, leftOut [2]int, err error) {
	other := make(chan error, 1)
	go func() {
		var err error
		games[1], leftOut[1], err = skip.games(ctx, s, who[1])
		other <- err
	}()
	games[0], leftOut[0], err = skip.games(ctx, s, who[0])
	otherErr := <-other
	return games, leftOut, cmp.Or(err, otherErr)
}

func newArenaRemove() *cobra.Command {
	var db storeFlag
	cmd := &cobra.Command{
		Use:   "rm NAME...",
		Short: "Remove experiments with all their games",
		Args:  between(1, maxSpecs, "the name of an experiment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := db.open(cmd, false)
			if err != nil {
				return err
			}
			defer s.Close()
			var all []*store.Experiment
			for _, name := range args { // all of them, or none
				e, err := experiment.Lookup(cmd.Context(), s, name)
				if err != nil {
					return storeError(err)
				}
				all = append(all, e)
			}
			for _, e := range all {
				counts, err := s.Count(cmd.Context(), e)
				if err != nil {
					return err
				}
				if err := s.Remove(cmd.Context(), e); err != nil {
					return err
				}
				games := 0
				for _, n := range counts {
					games += n
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "removed %s, %d games\n", e.Name, games)
			}
			return nil
		},
	}
	db.add(cmd.Flags())
	return cmd
}
