package catalog

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/protocol"
)

// Entry describes a name that specs may use.
type Entry struct {
	Kind string // player, evaluator or spawn rule
	Name string
	Info any // protocol.PlayerInfo, protocol.EvaluatorInfo or protocol.SpawnRuleInfo
	text []string
	keys []protocol.KeyInfo
}

// Listing is a printable list of players, evaluators and spawn rules.
type Listing []Entry

// List returns all players, evaluators and spawn rules. trusted says whether the ranges of keys are those for trusted
// or for untrusted specs; see Capabilities.Trusted.
func List(trusted bool) (all Listing) {
	for _, p := range Players(trusted) {
		e := Entry{"player", p.Name, p, []string{p.Summary}, p.Keys}
		if p.Origin != "" {
			e.text = append(e.text, "after "+p.Origin)
		}
		if p.Spec != p.Name {
			e.text = append(e.text, "= "+p.Spec)
		}
		all = append(all, e)
	}
	for _, e := range Evaluators() {
		all = append(all, Entry{"evaluator", e.Name, e, []string{e.Formula + "; unit: " + e.Unit}, e.Keys})
	}
	for _, r := range SpawnRules(trusted) {
		all = append(all, Entry{"spawn rule", r.Name, r, []string{r.Summary}, r.Keys})
	}
	return all
}

// Named returns the entries with the given name. The error for an unknown name suggests the nearest known name.
func (c Listing) Named(name string) (Listing, error) {
	names := each.Of(c, func(e Entry) string { return e.Name })
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("no player, evaluator or spawn rule is called %q: %s", name, spec.Suggest(name, names))
	}
	return slices.DeleteFunc(c, func(e Entry) bool { return e.Name != name }), nil
}

// WriteText writes a short description of each entry, with the names of its keys.
func (c Listing) WriteText(w io.Writer) error {
	fmt.Fprintln(w, `players; "afterstate players NAME" describes the keys of each`)
	evaluators, rules := table.New(table.Words(""), table.Words("")), table.New(table.Words(""), table.Words(""))
	for _, e := range c {
		switch info := e.Info.(type) {
		case protocol.PlayerInfo:
			origin := ""
			if info.Origin != "" {
				origin = "  (after " + info.Origin + ")"
			}
			fmt.Fprintf(w, "\n  %s%s\n    %s\n", e.Name, origin, info.Summary)
			if info.Spec != info.Name {
				fmt.Fprintf(w, "    = %s\n", info.Spec)
			}
			if len(e.keys) > 0 {
				fmt.Fprintf(w, "    keys: %s\n", keyNames(e.keys))
			}
		case protocol.EvaluatorInfo:
			evaluators.Add("  "+e.Name, info.Formula)
		case protocol.SpawnRuleInfo:
			rules.Add("  "+e.Name, info.Summary+"; keys: "+keyNames(e.keys))
		}
	}
	fmt.Fprint(w, "\nevaluators, for the key eval; v is a tile's value, k its exponent, n the number of cells\n\n")
	if err := evaluators.Write(w); err != nil {
		return err
	}
	fmt.Fprint(w, "\nspawn rules, for --spawn\n\n")
	return rules.Write(w)
}

func keyNames(keys []protocol.KeyInfo) string {
	return strings.Join(each.Of(keys, func(k protocol.KeyInfo) string { return k.Name }), ", ")
}

// WriteKeys writes the entries with a full description of each key.
func (c Listing) WriteKeys(w io.Writer) error {
	for _, e := range c {
		fmt.Fprintf(w, "%s %s\n  %s\n", e.Kind, e.Name, strings.Join(e.text, "\n  "))
		for _, k := range e.keys {
			fmt.Fprintf(w, "\n  %s=\n    %s\n    value: %s\n", k.Name, k.Help, k.Range)
			if k.Unit != "" {
				fmt.Fprintf(w, "    unit: %s\n", k.Unit)
			}
			fmt.Fprintf(w, "    default: %s\n", cmp.Or(k.Default, "none"))
		}
		if len(e.keys) == 0 {
			fmt.Fprintln(w, "  It takes no keys.")
		}
	}
	return nil
}
