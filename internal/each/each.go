// Package each applies a function to the elements of a slice.
//
//	names := each.Of(players, func(p Player) string { return p.Name })
package each

// Of returns the value of each element, or nil for an empty slice.
func Of[S ~[]E, E, V any](all S, value func(E) V) (values []V) {
	for _, e := range all {
		values = append(values, value(e))
	}
	return values
}
