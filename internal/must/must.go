// Package must ends a test at a call that fails.
//
//	b := must.Get(board.Parse("2,0/0,4"))(t)
//	must.Do(t, os.Remove(path))
package must

// T is a test, a benchmark, or one of a property.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Get returns a function that returns the value of a call, or ends the test with the call's error.
func Get[V any](value V, err error) func(t T) V {
	return func(t T) V {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Do ends a test with the error of a call.
func Do(t T, err error) {
	if t.Helper(); err != nil {
		t.Fatal(err)
	}
}
