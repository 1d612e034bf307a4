package learn

import (
	"encoding/json"
	"os"
	"time"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
)

// Times are how long a training took by the clock, without the time between runs.
type Times struct {
	Elapsed time.Duration `json:"interval"` // of the interval
	Total   time.Duration `json:"total"`    // of all intervals
}

// timesSuffix is appended to the path of a checkpoint.
const timesSuffix = ".times"

// TimesFile returns the path of the file in which the times of a checkpoint are.
func TimesFile(checkpoint string) string { return checkpoint + timesSuffix }

// Save writes the times beside a checkpoint.
func (t Times) Save(checkpoint string) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return atomicfile.Write(TimesFile(checkpoint), append(text, '\n'), 0o666)
}

// ReadTimes reads the times beside a checkpoint. They are zero if the file is missing or is not one of times, since
// training goes on without them.
func ReadTimes(checkpoint string) (t Times) {
	f, err := os.Open(TimesFile(checkpoint))
	if err != nil {
		return Times{}
	}
	defer f.Close()
	if err := json.NewDecoder(f).Decode(&t); err != nil || t.Elapsed < 0 || t.Total < t.Elapsed {
		return Times{}
	}
	return t
}
