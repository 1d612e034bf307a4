// Package each computes a value of each element of a slice.
//
//	names := each.Of(players, func(p Player) string { return p.Name })
package each

// Of returns the value of each element; nil if there are none.
func Of[S ~[]E, E, V any](all S, value func(E) V) (values []V) {
	for _, e := range all {
		values = append(values, value(e))
	}
	return values
}
