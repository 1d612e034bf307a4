// Package former translates specs that builds before the release of 0.1.0 wrote into files: some
// keys, values and evaluators had other names then. Files that store specs (experiments, saved
// games, tune logs, weights) are read through it. Other input does not accept the former names.
package former

import (
	"maps"
	"slices"

	"afterstate/player/spec"
)

// names maps former names to current names.
type names struct {
	keys       map[string]string            // of players
	values     map[string]map[string]string // by the key's former name
	evaluators map[string]string
	weights    map[string]string // of the evaluator lines
}

var today = names{
	keys: map[string]string{
		"cut": "min_prob", "margin": "prune_margin", "spare": "soft_limit", "phase": "depth_by_tiles",
		"table": "tt", "scope": "tt_lifetime", "strict": "tt_exact", "engine": "impl", "dead": "death_value",
		"reroot": "reuse_tree",
	},
	values: map[string]map[string]string{
		"scope":  {"position": "search", "move": "root_move"},
		"engine": {"fast": "bitboard", "plain": "generic"},
	},
	evaluators: map[string]string{"smooth": "smoothness", "monotone": "monotonicity"},
	weights:    map[string]string{"load": "power_sum", "load_power": "power_sum_power", "rough": "roughness"},
}

// before is the inverse of today.
var before = func() names {
	n := names{keys: inverse(today.keys), values: map[string]map[string]string{}, evaluators: inverse(today.evaluators), weights: inverse(today.weights)}
	for key, values := range today.values {
		n.values[today.keys[key]] = inverse(values)
	}
	return n
}()

func inverse(m map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[v] = k
	}
	return out
}

// Spec returns the spec of a player or a spawn rule with current names. It returns text unchanged
// if it has no former names or is not a spec.
func Spec(text string) string { return today.translate(text) }

// Before is the inverse of Spec.
func Before(text string) string { return before.translate(text) }

// Names returns all former names of keys, evaluators and weights.
func Names() []string {
	var all []string
	for _, m := range []map[string]string{today.keys, today.evaluators, today.weights} {
		all = slices.AppendSeq(all, maps.Keys(m))
	}
	return all
}

func (n *names) translate(text string) string {
	s, err := spec.Parse(text)
	if err != nil || !n.player(s) {
		return text
	}
	return s.String()
}

// swap replaces a name by its entry in the map, if there is one.
func swap(name *string, by map[string]string) bool {
	other, ok := by[*name]
	if ok {
		*name = other
	}
	return ok
}

// player translates the keys of a player or a spawn rule, and reports whether anything changed.
func (n *names) player(s *spec.Spec) (changed bool) {
	for i := range s.Args {
		a := &s.Args[i]
		if a.Key == "eval" {
			changed = n.evaluator(&a.Value) || changed
			continue
		}
		plain := a.Value.Call == nil && !a.Value.Quoted
		if plain && swap(&a.Value.Text, n.values[a.Key]) {
			changed = true
		}
		changed = swap(&a.Key, n.keys) || changed
	}
	return changed
}

func (n *names) evaluator(v *spec.Value) (changed bool) {
	if v.Call == nil {
		return !v.Quoted && swap(&v.Text, n.evaluators)
	}
	changed = swap(&v.Call.Name, n.evaluators)
	keys := map[string]map[string]string{"lines": n.weights, "sum": n.evaluators}[v.Call.Name]
	for i := range v.Call.Args {
		changed = swap(&v.Call.Args[i].Key, keys) || changed
	}
	return changed
}
