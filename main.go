// Command afterstate plays, watches, analyses and measures the game 2048.
package main

//go:generate go run ./cmd/docs

import "github.com/afterstate2048/afterstate/cli"

func main() { cli.Main() }
