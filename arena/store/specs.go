package store

import (
	"database/sql/driver"

	"modernc.org/sqlite"

	"afterstate/player/spec/former"
)

// current_spec is former.Spec, for the migration that renames keys of specs.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("current_spec", 1, func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
		if text, ok := values[0].(string); ok {
			return former.Spec(text), nil
		}
		return values[0], nil // a damaged row
	})
}
