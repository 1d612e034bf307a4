package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// The file in the repository is what the releases of today contain.
func TestCurrent(t *testing.T) {
	soak.Full(t, "lists the packages of every platform with the go command; only a new dependency changes the file")
	root := filepath.Join("..", "..")
	fresh := must.Get(collect(root))(t)
	stored, err := os.ReadFile(filepath.Join(root, fileName))
	if err != nil || string(stored) != fresh {
		t.Errorf("%s is stale (%v): run go run ./cmd/licences", fileName, err)
	}
	for _, name := range []string{
		"github.com/spf13/cobra v", "github.com/nats-io/nats-server/v2 v", "modernc.org/sqlite v",
		"github.com/inconshreveable/mousetrap v", // linked on Windows alone
		"\nGo ", "\npreact\n", "\nuplot\n", "\n@fontsource-variable/figtree\n",
	} {
		if !strings.Contains(fresh, name) {
			t.Errorf("no licence of %q", name)
		}
	}
	if strings.Contains(fresh, "github.com/chromedp/chromedp ") {
		t.Error("a module that only tests use is in the list")
	}
}

func TestIdentify(t *testing.T) {
	for text, want := range map[string][]string{
		"Apache License\n  Version 2.0, January 2004":                                                 {"Apache-2.0"},
		"Redistribution and use in source and\nbinary forms, with or without ... Neither the name of": {"BSD-3-Clause"},
		"Redistribution and use in source and binary forms, with or without":                          {"BSD-2-Clause"},
		"Permission is hereby granted, free of charge, to any person":                                 {"MIT"},
		"All rights reserved.": nil,
	} {
		if got := identify(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
