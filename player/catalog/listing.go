package catalog

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"afterstate/player/spec"
	"afterstate/wire"
)

// Listing is a printable list of players, evaluators and spawn rules.
type Listing struct {
	Players    []wire.PlayerInfo
	Evaluators []wire.EvaluatorInfo
	SpawnRules []wire.SpawnRuleInfo
}

// List lists everything. The ranges of keys are those of trusted (own) or untrusted specs; see
// Capabilities.Trusted.
func List(own bool) *Listing { return &Listing{Players(own), Evaluators(), SpawnRules(own)} }

// Named returns the entries with a name. If there is none, the error suggests the nearest name.
func (c *Listing) Named(name string) (*Listing, error) {
	found := &Listing{}
	var names []string
	for _, p := range c.Players {
		if names = append(names, p.Name); p.Name == name {
			found.Players = append(found.Players, p)
		}
	}
	for _, e := range c.Evaluators {
		if names = append(names, e.Name); e.Name == name {
			found.Evaluators = append(found.Evaluators, e)
		}
	}
	for _, r := range c.SpawnRules {
		if names = append(names, r.Name); r.Name == name {
			found.SpawnRules = append(found.SpawnRules, r)
		}
	}
	if len(found.Players)+len(found.Evaluators)+len(found.SpawnRules) == 0 {
		return nil, fmt.Errorf("no player, evaluator or spawn rule is called %q: %s", name, spec.Suggest(name, names))
	}
	return found, nil
}

// WriteText writes the entries with the names of their keys.
func (c *Listing) WriteText(w io.Writer) error {
	fmt.Fprintln(w, `players; "afterstate players NAME" describes the keys of each`)
	for _, p := range c.Players {
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
	for _, e := range c.Evaluators {
		fmt.Fprintf(t, "  %s\t%s\n", e.Name, e.Formula)
	}
	fmt.Fprintln(t, "\nspawn rules, for --spawn")
	fmt.Fprintln(t)
	for _, r := range c.SpawnRules {
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

// WriteKeys writes the entries with a full description of each key.
func (c *Listing) WriteKeys(w io.Writer) error {
	for _, p := range c.Players {
		fmt.Fprintf(w, "player %s\n  %s\n", p.Name, p.Summary)
		if p.Origin != "" {
			fmt.Fprintf(w, "  after %s\n", p.Origin)
		}
		if p.Spec != p.Name {
			fmt.Fprintf(w, "  = %s\n", p.Spec)
		}
		describeKeys(w, p.Keys)
	}
	for _, e := range c.Evaluators {
		fmt.Fprintf(w, "evaluator %s\n  %s; unit: %s\n", e.Name, e.Formula, e.Unit)
		describeKeys(w, e.Keys)
	}
	for _, r := range c.SpawnRules {
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
