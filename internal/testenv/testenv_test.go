package testenv

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// A goroutine that ends later than goleak waits is no leak, and one that remains is.
func TestFind(t *testing.T) {
	others := goleak.IgnoreCurrent()
	release := make(chan struct{})
	go func() { <-release }()
	if err := find(0, []goleak.Option{others}); err == nil || !strings.Contains(err.Error(), "TestFind") {
		t.Errorf("a goroutine that remains: %v", err)
	}
	time.AfterFunc(time.Second, func() { close(release) })
	NoLeaks(t, others)
}
