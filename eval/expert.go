package eval

// ExpertWeights returns weights found by afterstate tune (CMA-ES), starting from NneonneoWeights;
// docs/search.md has the command.
func ExpertWeights() LineWeights {
	return LineWeights{
		Base: 150810, Empty: 152.63, Merges: 604.64, Disorder: 468.42, PowerSum: 62.809,
		Steps: -59.816, Roughness: -41.859, Edge: 2.4389, End: -1.2738,
		DisorderPower: 2.5611, PowerSumPower: 2.8181, EdgePower: 2.79,
	}
}
