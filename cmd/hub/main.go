// Command hub runs the NATS server through which experiments reach workers on other machines. It is a
// separate program because the server would make afterstate larger and slower to build:
//
//	go build -o afterstate-hub ./cmd/hub
package main

import "github.com/afterstate2048/afterstate/cli/hub"

func main() { hub.Main() }
