package catalog

import (
	"afterstate/eval"
	"afterstate/wire"
)

// Players lists every player name, presets first. The ranges of keys are those of trusted (own) or
// untrusted specs; see Capabilities.Trusted.
func Players(own bool) []wire.PlayerInfo {
	var all []wire.PlayerInfo
	for _, p := range presets {
		all = append(all, p.info(own))
	}
	for _, k := range kinds() {
		all = append(all, k.info(own))
	}
	return all
}

// Evaluators lists the values of the key eval.
func Evaluators() []wire.EvaluatorInfo {
	var all []wire.EvaluatorInfo
	for _, e := range eval.Infos() {
		info := wire.EvaluatorInfo{Name: e.Name, Formula: e.Formula, Origin: e.Origin, Unit: string(e.Unit()), Keys: []wire.KeyInfo{}}
		if e.Name == "lines" {
			info.Keys = infos(linesKeys(), true)
		}
		all = append(all, info)
	}
	return append(all, wire.EvaluatorInfo{
		Name: "sum", Formula: "sum of other evaluators with weights: sum(empty=2,smoothness=1)",
		Unit: string(eval.Heuristic), Keys: infos(sumKeys(), true),
	})
}

// SpawnRules lists the spawn rules. own selects the ranges as in [Players].
func SpawnRules(own bool) []wire.SpawnRuleInfo {
	var all []wire.SpawnRuleInfo
	for _, r := range spawnRules {
		all = append(all, wire.SpawnRuleInfo{Name: r.name, Keys: infos(r.keys, own), Summary: r.summary})
	}
	return all
}
