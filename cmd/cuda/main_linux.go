// Command afterstate-cuda plays the games of a training run on an NVIDIA graphics processor. The command
// "afterstate train --device cuda" starts it; see package learn/device for what they say to each other.
package main

import (
	"log"
	"os"

	"github.com/afterstate2048/afterstate/learn/device"
	"github.com/afterstate2048/afterstate/learn/device/kernels"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("afterstate-cuda: ")
	g, err := open()
	if err != nil {
		err = device.Refuse(os.Stdout, err)
	} else {
		err = device.Serve(os.Stdin, os.Stdout, kernels.New(g), g.name, g.games)
	}
	if err != nil {
		log.Fatal(err)
	}
}
