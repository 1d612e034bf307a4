package experiment

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Reading from the store takes a tenth of the time of clients who ask all the time. A failure is no answer.
func TestAnswersAreCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runner := NewRunner(RunnerOptions{})
		defer runner.Close()
		reads := 0
		ask := func() (int, error) {
			return cached(runner, "all", func() (int, error) {
				time.Sleep(2 * time.Second)
				if reads++; reads == 1 {
					return 0, errors.New("the store is busy")
				}
				return reads, nil
			})
		}
		if _, err := ask(); err == nil {
			t.Error("no failure")
		}
		for end := time.Now().Add(100 * time.Second); time.Now().Before(end); time.Sleep(time.Second / 4) {
			if n, err := ask(); n != reads || err != nil {
				t.Fatalf("%d after %d reads, %v", n, reads, err)
			}
		}
		if reads != 6 {
			t.Errorf("%d reads: must be 6", reads)
		}
	})
}
