package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
)

const playersIntro = `<!-- Generated from the tables of package player/catalog: UPDATE=1 go test ./player/catalog -run DocsOfPlayers -->

# Players, evaluators and spawn rules

A player is written as a spec, ` + "`name` or `name(key=value,...)`" + `: ` + "`snake`, `snake(depth=2)`," + `
` + "`expectimax(eval=gradient,plies=2)`, `minimax(eval=sum(empty=2,smoothness=1),depth=4)`" + `. Keys that are not
given have their defaults. ` + "`afterstate players`" + ` lists the names, ` + "`afterstate players NAME`" + ` describes
the keys of one, with ` + "`--json`" + ` for programs.

`

// docs/players.md is what the tables of the package say.
func TestDocsOfPlayers(t *testing.T) {
	const path = "../../docs/players.md"
	must.Golden(t, path, []byte(playersDoc()))
}

func playersDoc() string {
	var doc strings.Builder
	doc.WriteString(playersIntro)
	keys := keyLists{&doc, map[string]string{}}
	doc.WriteString("| player | what it does | definition | origin |\n|---|---|---|---|\n")
	all, guests := catalog.Players(true), catalog.Players(false)
	for _, p := range all {
		base := ""
		if p.Spec != p.Name {
			base = "`" + p.Spec + "`"
		}
		fmt.Fprintf(&doc, "| `%s` | %s | %s | %s |\n", p.Name, p.Summary, base, p.Origin)
	}
	doc.WriteString("\nA player with a definition takes the keys of the player in its definition, whose values there are its\n" +
		"defaults. [Specs in requests](protocol.md#a-bot-that-runs-already) may use less; where the range of a\nkey is smaller for them, its entry says so (\"in requests\").\n")
	for i, p := range all {
		if len(p.Keys) == 0 || !strings.HasPrefix(p.Spec, p.Name) {
			continue
		}
		fmt.Fprintf(&doc, "\n## `%s`\n\n", p.Name)
		keys.write(p.Name, p.Keys, guests[i].Keys)
	}
	doc.WriteString("\n## `depth`\n\nSome players count depth as in their origin, with the key `depth`:\n\n")
	for _, p := range all {
		if k := p.Keys; len(k) > 0 && k[0].Name == "depth" {
			doc.WriteString(keyLine("`"+p.Name+"`", k[0]) + "\n")
		}
	}
	doc.WriteString("\n## Evaluators\n\nValues of `eval`. v is a tile's value, k its exponent, n the number of cells. The unit is `heuristic` unless noted.\n\n| evaluator | formula | origin |\n|---|---|---|\n")
	for _, e := range catalog.Evaluators() {
		if e.Unit != string(eval.Heuristic) {
			e.Formula += " (" + e.Unit + ")"
		}
		fmt.Fprintf(&doc, "| `%s` | %s | %s |\n", e.Name, pipes(e.Formula), e.Origin)
	}
	for _, e := range catalog.Evaluators() {
		if len(e.Keys) > 0 {
			fmt.Fprintf(&doc, "\n### `%s`\n\n", e.Name)
			keys.write(e.Name, e.Keys, e.Keys)
		}
	}
	clear(keys.owner)
	doc.WriteString("\n## Spawn rules\n\nValues of `--spawn`.\n")
	guestRules := catalog.SpawnRules(false)
	for i, r := range catalog.SpawnRules(true) {
		fmt.Fprintf(&doc, "\n### `%s`\n\n%s.\n\n", r.Name, r.Summary)
		keys.write(r.Name, r.Keys, guestRules[i].Keys)
	}
	return doc.String()
}

// keyLists writes lists of keys. What an earlier list has is not repeated.
type keyLists struct {
	doc   *strings.Builder
	owner map[string]string // line to the player, evaluator or rule whose list has it
}

func (x *keyLists) write(name string, keys, guests []protocol.KeyInfo) {
	var lines, owners []string
	repeated := map[string][]string{} // owner to its keys
	for i, k := range keys {
		if guests[i].Range != k.Range {
			k.Range += "; in requests: " + guests[i].Range
		}
		line := keyLine("`"+k.Name+"`", k)
		if k.Help == "weight of evaluator "+k.Name {
			k.Help = "its weight"
			line = keyLine("the name of an evaluator", k)
		}
		owner := x.owner[line]
		switch {
		case owner == "":
			x.owner[line] = name
			lines = append(lines, line)
		case owner != name:
			if repeated[owner] == nil {
				owners = append(owners, owner)
			}
			repeated[owner] = append(repeated[owner], "`"+k.Name+"`")
		}
	}
	for _, o := range owners {
		lines = append(lines, "- as for `"+o+"`: "+strings.Join(repeated[o], ", "))
	}
	x.doc.WriteString(strings.Join(lines, "\n") + "\n")
}

// keyLine describes a key: - `plies` (plies; a whole number from 1 to 64; default 3): depth of the search.
func keyLine(name string, k protocol.KeyInfo) string {
	facts := []string{}
	if k.Unit != "" {
		facts = append(facts, k.Unit)
	}
	facts = append(facts, k.Range)
	if k.Default == "required" {
		facts = append(facts, k.Default)
	} else {
		facts = append(facts, "default "+k.Default)
	}
	return fmt.Sprintf("- %s (%s): %s", name, strings.Join(facts, "; "), k.Help)
}

// pipes is text for a cell of a table.
func pipes(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// Faces show the words before the colon of a summary first.
func TestSummariesBeginWithWords(t *testing.T) {
	for _, p := range catalog.Players(true) {
		if words, _, ok := strings.Cut(p.Summary, ": "); !ok || len(words) > 36 {
			t.Errorf("%s: %q: must be a few words, a colon and the details", p.Name, p.Summary)
		}
	}
}
