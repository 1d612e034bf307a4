package ntuple

import "github.com/afterstate2048/afterstate/eval/ntuple/shared"

// A weight of a later stage that is zero has not been touched yet. It reads as the
// weight of the stage before, and takes that over when it is first learned.

// weight reads one weight of a stage.
func (n *Network) weight(stage, pattern int, index uint32) float32 {
	for s := stage; s >= 0; s-- {
		if w := shared.Load(&n.weights.Tables[s][pattern][index]); w != 0 {
			return w
		}
	}
	return n.stageBias(stage)
}

// sumStaged is sumTables for stages after the first.
func (n *Network) sumStaged(stage int, at []SymIndices) (sum float32) {
	for p := range at {
		var w [8]float32
		for s, i := range at[p] {
			w[s] = n.weight(stage, p, i)
		}
		sum += ((w[0] + w[1]) + (w[2] + w[3])) + ((w[4] + w[5]) + (w[6] + w[7]))
	}
	return sum
}

// Promote copies the weights at these indices from the stage before, where the stage has not
// learned them yet (weight promotion, Jaśkowski 2018, one weight at a time). Trainers call it
// before they write.
func (n *Network) Promote(stage int, at []SymIndices) {
	if stage == 0 || n.flat {
		return
	}
	for p := range at {
		for _, i := range at[p] {
			if t := n.weights.Tables[stage][p]; shared.Load(&t[i]) == 0 {
				shared.Store(&t[i], n.weight(stage, p, i))
			}
		}
	}
}
