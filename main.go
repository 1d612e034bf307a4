// Command afterstate plays, watches, analyses and measures the game 2048.
package main

import "afterstate/cli"

func main() { cli.Main() }
