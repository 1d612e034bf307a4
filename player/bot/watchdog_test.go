package bot

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestWatchdog(t *testing.T) {
	for name, c := range map[string]struct {
		run  func(w *watchdog) // bitten if it wants to
		want time.Duration     // when it bites; 0: never
	}{
		"late": {func(w *watchdog) {
			w.guard(2 * time.Second)
			time.Sleep(time.Minute)
		}, 2 * time.Second},
		"in time, then idle": {func(w *watchdog) {
			w.guard(2 * time.Second)
			time.Sleep(time.Second)
			w.rest()
			time.Sleep(time.Minute)
		}, 0},
		"a deadline after the first one's": {func(w *watchdog) {
			for range 5 {
				w.guard(2 * time.Second)
				time.Sleep(time.Second)
				w.rest()
			}
			w.guard(2 * time.Second)
			time.Sleep(time.Minute)
		}, 7 * time.Second},
		"a shorter limit than the first one": {func(w *watchdog) {
			w.guard(30 * time.Second)
			w.rest()
			w.guard(time.Second)
			time.Sleep(time.Minute)
		}, time.Second},
		"after a long rest": {func(w *watchdog) {
			w.guard(time.Second)
			w.rest()
			time.Sleep(time.Hour)
			w.guard(time.Second)
			time.Sleep(time.Minute)
		}, time.Hour + time.Second},
		"stopped": {func(w *watchdog) {
			w.guard(time.Second)
			w.stop()
			time.Sleep(time.Minute)
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var bit time.Duration
				w := watchdog{bite: func() { bit = time.Since(start) }}
				c.run(&w)
				synctest.Wait()
				if bit != c.want {
					t.Errorf("bites after %v, want %v", bit, c.want)
				}
				if met := w.rest(); met != (c.want == 0) {
					t.Errorf("deadline met: %v", met)
				}
			})
		})
	}
}
