package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"afterstate/player/catalog"
	"afterstate/player/spec"
	"afterstate/wire"
)

func newPlayers() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "players [NAME]",
		Short: "List the players, evaluators and spawn rules, and their keys",
		Long: `List the players and what they stand for, the evaluators and the spawn rules. With a
name, describe each key that it takes: its unit, range and default.

A player is written as a spec, name(key=value,...): snake, snake(depth=2),
expectimax(eval=gradient,plies=2), minimax(eval=sum(empty=2,smoothness=1),depth=4).`,
		Example: `afterstate players
afterstate players expectimax
afterstate players lines`,
		Args: between(0, 1, "the name of a player, an evaluator or a spawn rule, or nothing"),
		RunE: func(cmd *cobra.Command, args []string) error {
			all := listed()
			var err error
			if len(args) > 0 {
				if all, err = all.named(args[0]); err != nil {
					return err
				}
			}
			switch {
			case asJSON:
				return all.writeJSON(cmd)
			case len(args) > 0:
				return all.describe(cmd.OutOrStdout())
			}
			return all.list(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, one player, evaluator or spawn rule a line")
	return cmd
}

// catalogue is what command players lists.
type catalogue struct {
	players    []wire.PlayerInfo
	evaluators []wire.EvaluatorInfo
	rules      []wire.SpawnRuleInfo
}

func listed() *catalogue {
	return &catalogue{catalog.Players(true), catalog.Evaluators(), catalog.SpawnRules(true)}
}

// named are the entries of a name.
func (c *catalogue) named(name string) (*catalogue, error) {
	found := &catalogue{}
	var names []string
	for _, p := range c.players {
		if names = append(names, p.Name); p.Name == name {
			found.players = append(found.players, p)
		}
	}
	for _, e := range c.evaluators {
		if names = append(names, e.Name); e.Name == name {
			found.evaluators = append(found.evaluators, e)
		}
	}
	for _, r := range c.rules {
		if names = append(names, r.Name); r.Name == name {
			found.rules = append(found.rules, r)
		}
	}
	if len(found.players)+len(found.evaluators)+len(found.rules) == 0 {
		return nil, fmt.Errorf("no player, evaluator or spawn rule is called %q: %s", name, spec.Suggest(name, names))
	}
	return found, nil
}

func (c *catalogue) writeJSON(cmd *cobra.Command) error {
	for _, p := range c.players {
		if err := writeJSON(cmd.OutOrStdout(), struct {
			Kind string `json:"kind"`
			wire.PlayerInfo
		}{"player", p}); err != nil {
			return err
		}
	}
	for _, e := range c.evaluators {
		if err := writeJSON(cmd.OutOrStdout(), struct {
			Kind string `json:"kind"`
			wire.EvaluatorInfo
		}{"evaluator", e}); err != nil {
			return err
		}
	}
	for _, r := range c.rules {
		if err := writeJSON(cmd.OutOrStdout(), struct {
			Kind string `json:"kind"`
			wire.SpawnRuleInfo
		}{"spawn rule", r}); err != nil {
			return err
		}
	}
	return nil
}

// list prints an entry a paragraph or a line, with the names of its keys.
func (c *catalogue) list(w io.Writer) error {
	fmt.Fprintln(w, `players; "afterstate players NAME" describes the keys of each`)
	for _, p := range c.players {
		fmt.Fprintf(w, "\n  %s", p.Name)
		if p.Origin != "" {
			fmt.Fprintf(w, "  (after %s)", p.Origin)
		}
		fmt.Fprintf(w, "\n    %s\n", p.Summary)
		if p.Spec != p.Name {
			fmt.Fprintf(w, "    = %s\n", p.Spec)
		}
		if len(p.Keys) > 0 {
			fmt.Fprintf(w, "    keys: %s\n", keyNames(p.Keys))
		}
	}
	fmt.Fprintln(w, "\nevaluators, for the key eval; v is a tile's value, k its exponent, n the cells")
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range c.evaluators {
		fmt.Fprintf(t, "  %s\t%s\n", e.Name, e.Formula)
	}
	fmt.Fprintln(t, "\nspawn rules, for --spawn")
	fmt.Fprintln(t)
	for _, r := range c.rules {
		fmt.Fprintf(t, "  %s\t%s; keys: %s\n", r.Name, r.Summary, keyNames(r.Keys))
	}
	return t.Flush()
}

func keyNames(keys []wire.KeyInfo) string {
	var names []string
	for _, k := range keys {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

// describe prints entries with all about their keys.
func (c *catalogue) describe(w io.Writer) error {
	for _, p := range c.players {
		fmt.Fprintf(w, "player %s\n  %s\n", p.Name, p.Summary)
		if p.Origin != "" {
			fmt.Fprintf(w, "  after %s\n", p.Origin)
		}
		if p.Spec != p.Name {
			fmt.Fprintf(w, "  = %s\n", p.Spec)
		}
		describeKeys(w, p.Keys)
	}
	for _, e := range c.evaluators {
		fmt.Fprintf(w, "evaluator %s\n  %s; unit: %s\n", e.Name, e.Formula, e.Unit)
		describeKeys(w, e.Keys)
	}
	for _, r := range c.rules {
		fmt.Fprintf(w, "spawn rule %s\n  %s\n", r.Name, r.Summary)
		describeKeys(w, r.Keys)
	}
	return nil
}

func describeKeys(w io.Writer, keys []wire.KeyInfo) {
	for _, k := range keys {
		fmt.Fprintf(w, "\n  %s=\n    %s\n    value: %s\n", k.Name, k.Help, k.Range)
		if k.Unit != "" {
			fmt.Fprintf(w, "    unit: %s\n", k.Unit)
		}
		fmt.Fprintf(w, "    default: %s\n", cmp.Or(k.Default, "none"))
	}
	if len(keys) == 0 {
		fmt.Fprintln(w, "  It takes no keys.")
	}
}
