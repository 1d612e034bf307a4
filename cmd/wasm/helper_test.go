//go:build browser

package main_test

import (
	"context"
	"testing"

	"afterstate/player/catalog"
)

func maker(t testing.TB, spec string, caps catalog.Capabilities) catalog.Maker {
	t.Helper()
	m, err := catalog.Parse(spec, caps)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func version(context.Context) (string, error) { return "test", nil }

// shelf is a keeper that keeps nothing.
type shelf struct{}

func (shelf) Save(string, []byte, string, []byte) error     { return nil }
func (shelf) Remove(string, []byte, string) error           { return nil }
func (shelf) Load(_, _ []string) (map[string][]byte, error) { return nil, nil }
