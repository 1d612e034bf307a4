// Package speed measures how fast something goes on, such as moves a second.
//
//	var m speed.Meter
//	m.Add(time.Now(), count) // now and then
//	perSecond, ok := m.PerSecond()
package speed

import "time"

// Meter measures the rate of a growing count over about the last second. The zero value is
// ready.
type Meter struct{ samples []sample }

type sample struct {
	at    time.Time
	count int64
}

// enough is the shortest time that gives a rate.
const enough = 300 * time.Millisecond

// Add adds the count at a time, neither less than before.
func (m *Meter) Add(now time.Time, count int64) {
	m.samples = append(m.samples, sample{now, count})
	for len(m.samples) > 2 && now.Sub(m.samples[1].at) >= time.Second {
		m.samples = m.samples[1:]
	}
}

// Reset forgets what was added, after a pause for example.
func (m *Meter) Reset() { m.samples = m.samples[:0] }

// PerSecond is the rate; ok is false while less than 0.3 s were measured.
func (m *Meter) PerSecond() (rate float64, ok bool) {
	if len(m.samples) < 2 {
		return 0, false
	}
	first, last := m.samples[0], m.samples[len(m.samples)-1]
	took := last.at.Sub(first.at)
	if took < enough {
		return 0, false
	}
	return float64(last.count-first.count) / took.Seconds(), true
}
