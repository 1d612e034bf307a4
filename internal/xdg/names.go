package xdg

import (
	"fmt"
	"strings"
)

const (
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	maxLength    = 100
)

// ValidName reports whether a name is valid for a training run or an experiment. A valid name is a file name on every
// system and needs no quotes in a player's spec.
func ValidName(name string) bool {
	return name != "" && len(name) <= maxLength && strings.Trim(name[:1], alphanumeric) == "" && strings.Trim(name, alphanumeric+"._-") == ""
}

// CheckName returns an error for an invalid name. kind says in the error what the name is for.
//
//	err := xdg.CheckName("run", "../x") // run "../x": must be up to 100 letters, digits, ...
func CheckName(kind, name string) error {
	if !ValidName(name) {
		return fmt.Errorf("%s %.100q: must be up to 100 letters, digits, '.', '_' and '-', a letter or digit first", kind, name)
	}
	return nil
}
