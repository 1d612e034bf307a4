// Package names defines the names that users can give to training runs and experiments. A valid
// name is a file name on every system and needs no quotes in a player's spec.
//
//	err := names.Check("run", "../x") // run "../x": must be up to 100 letters, digits, ...
package names

import (
	"fmt"
	"strings"
)

const (
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	longest      = 100
)

// Valid reports whether a name is valid.
func Valid(name string) bool {
	return name != "" && len(name) <= longest && strings.Trim(name[:1], alphanumeric) == "" && strings.Trim(name, alphanumeric+"._-") == ""
}

// Check returns an error for an invalid name; kind names the object in it.
func Check(kind, name string) error {
	if !Valid(name) {
		return fmt.Errorf("%s %.100q: must be up to 100 letters, digits, '.', '_' and '-', a letter or digit first", kind, name)
	}
	return nil
}
