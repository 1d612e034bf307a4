package speed

import (
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	var m Meter
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	add := func(milliseconds int, count int64) {
		m.Add(start.Add(time.Duration(milliseconds)*time.Millisecond), count)
	}
	if _, ok := m.PerSecond(); ok {
		t.Error("a rate without samples")
	}
	add(0, 100)
	add(299, 200)
	if _, ok := m.PerSecond(); ok {
		t.Error("a rate after 299 ms")
	}
	add(400, 300)
	if x, ok := m.PerSecond(); !ok || x != 500 {
		t.Error(x, ok)
	}
	// Samples older than a second do not count.
	m.Reset()
	for i := range 50 {
		add(1000+100*i, int64(max(0, i-30)*7))
	}
	if x, ok := m.PerSecond(); !ok || x < 69.9 || x > 70.1 || len(m.samples) > 12 {
		t.Errorf("%v a second from %d samples", x, len(m.samples))
	}
	m.Reset()
	if _, ok := m.PerSecond(); ok {
		t.Error("a rate after Reset")
	}
}
