package catalog

import (
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/protocol"
)

// Players lists every player name, presets first. The ranges of keys are those of trusted or
// untrusted specs; see Capabilities.Trusted.
func Players(trusted bool) []protocol.PlayerInfo {
	var all []protocol.PlayerInfo
	for _, p := range presets {
		all = append(all, p.info(trusted))
	}
	for _, k := range kinds() {
		all = append(all, k.info(trusted))
	}
	return all
}

// Evaluators lists the values of the key eval.
func Evaluators() []protocol.EvaluatorInfo {
	var all []protocol.EvaluatorInfo
	for _, e := range eval.Infos() {
		info := protocol.EvaluatorInfo{Name: e.Name, Formula: e.Formula, Origin: e.Origin, Unit: string(e.Unit()), Keys: []protocol.KeyInfo{}}
		if e.Name == "lines" {
			info.Keys = infos(linesKeys(), true)
		}
		all = append(all, info)
	}
	return append(all, protocol.EvaluatorInfo{
		Name: "sum", Formula: "sum of other evaluators with weights: sum(empty=2,smoothness=1)",
		Unit: string(eval.Heuristic), Keys: infos(sumKeys(), true),
	})
}

// SpawnRules lists the spawn rules. trusted selects the ranges as in [Players].
func SpawnRules(trusted bool) []protocol.SpawnRuleInfo {
	var all []protocol.SpawnRuleInfo
	for _, r := range spawnRules {
		all = append(all, protocol.SpawnRuleInfo{Name: r.name, Keys: infos(r.keys, trusted), Summary: r.summary})
	}
	return all
}
