package exchange

import "io"

// opener returns what writes a format. The page reads all formats and writes records only, so that
// its engine is smaller.
func opener(format string) func(io.Writer) (write func(*Game) error, end func() error) {
	if format == "records" {
		return eachGame(writeRecord)
	}
	return nil
}
