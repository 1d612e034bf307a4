package solve

// sortKeys sorts keys by radix. spare has at least the same length; the result is in either slice.
func sortKeys(keys, spare []uint32) []uint32 {
	const bits, passes = 11, 3
	var counts [passes][1 << bits]int
	for _, k := range keys {
		for p := range passes {
			counts[p][k>>(bits*p)&(1<<bits-1)]++
		}
	}
	spare = spare[:len(keys)]
	for p := range passes {
		at := 0
		for i, n := range counts[p] {
			counts[p][i] = at
			at += n
		}
		for _, k := range keys {
			c := &counts[p][k>>(bits*p)&(1<<bits-1)]
			spare[*c] = k
			*c++
		}
		keys, spare = spare, keys
	}
	return keys
}
