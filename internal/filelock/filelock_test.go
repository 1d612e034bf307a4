package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/afterstate2048/afterstate/internal/must"
)

func TestAcquire(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first := must.Get(Acquire(path))(t)
	if _, err := Acquire(path); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	if !Held(path) {
		t.Error("Held returned false for a locked file")
	}
	must.Do(t, first.Close())
	if Held(path) || Held(path+"-none") {
		t.Error("Held returned true for an unlocked file")
	}
	if _, err := os.Stat(path + "-none"); err == nil {
		t.Error("Held created a file")
	}
	again := must.Get(Acquire(path))(t)
	must.Do(t, again.Remove())
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A process that stays in Held for longer than a few retries delays Acquire, but does not make it fail.
func TestAcquireWaitsForHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held := flock.New(path)
	if ok, err := held.TryRLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	time.AfterFunc(20*time.Millisecond, func() { held.Close() })
	l := must.Get(Acquire(path))(t)
	must.Do(t, l.Close())
}

// Locks exclude each other even if their holders remove the file.
func TestWaitExcludes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	const threads, rounds = 8, 100
	var inside, count atomic.Int32
	var all sync.WaitGroup
	for range threads {
		all.Go(func() {
			for range rounds {
				l, err := Wait(path)
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two holders have the lock at once")
				}
				runtime.Gosched()
				inside.Add(-1)
				count.Add(1)
				if err := l.Remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := count.Load(); n != threads*rounds {
		t.Errorf("%d rounds, want %d", n, threads*rounds)
	}
}
