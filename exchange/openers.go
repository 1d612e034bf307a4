//go:build !js

package exchange

import "io"

// opener returns what writes a format.
func opener(format string) func(io.Writer) (write func(*Game) error, end func() error) {
	switch format {
	case "records":
		return eachGame(writeRecord)
	case "gamestate":
		return eachGame(writeState)
	case "rpl1":
		return eachGame(writeRPL1)
	case "2048verse":
		return eachGame(writeVerse)
	case "2048verse-old":
		return eachGame(writeOldVerse)
	case "framework":
		return eachGame(writeFramework)
	case "csv":
		return func(w io.Writer) (func(*Game) error, func() error) { return openTable(w, true) }
	case "csv-moves":
		return func(w io.Writer) (func(*Game) error, func() error) { return openTable(w, false) }
	case "server":
		return openServer
	case "rpl":
		return eachGame(writeRPL)
	}
	return eachGame(writeAItest)
}
