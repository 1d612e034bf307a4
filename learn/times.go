package learn

import (
	"encoding/json"
	"os"
	"time"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
)

// Times holds the wall-clock time that training took, without the time in which it was interrupted.
type Times struct {
	Elapsed time.Duration `json:"interval"` // training time of the interval
	Total   time.Duration `json:"total"`    // training time since the start
}

// timesSuffix is appended to the path of a checkpoint.
const timesSuffix = ".times"

// TimesFile returns the path of the file that stores the times of a checkpoint.
func TimesFile(checkpoint string) string { return checkpoint + timesSuffix }

// Save writes the times to a file beside a checkpoint.
func (t Times) Save(checkpoint string) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return atomicfile.Write(TimesFile(checkpoint), append(text, '\n'), 0o666)
}

// ReadTimes reads the times of a checkpoint. It returns zero times if their file is missing or damaged, since training
// does not need them.
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
