// Package speed measures rates, such as moves a second.
//
//	var m speed.Meter
//	m.Add(time.Now(), count) // repeatedly
//	perSecond, ok := m.PerSecond()
package speed

import "time"

// Meter measures the rate of a growing count over about the last second. The zero value is ready to
// use.
type Meter struct{ samples []sample }

type sample struct {
	at    time.Time
	count int64
}

// minSpan is the shortest time span from which a rate is computed.
const minSpan = 300 * time.Millisecond

// Add records the count at the time now. Neither may be less than in the previous call.
func (m *Meter) Add(now time.Time, count int64) {
	m.samples = append(m.samples, sample{now, count})
	for len(m.samples) > 2 && now.Sub(m.samples[1].at) >= time.Second {
		m.samples = m.samples[1:]
	}
}

// Reset discards all samples, for example after a pause.
func (m *Meter) Reset() { m.samples = m.samples[:0] }

// PerSecond returns the rate. ok is false if the samples span less than 0.3 s.
func (m *Meter) PerSecond() (rate float64, ok bool) {
	if len(m.samples) < 2 {
		return 0, false
	}
	first, last := m.samples[0], m.samples[len(m.samples)-1]
	took := last.at.Sub(first.at)
	if took < minSpan {
		return 0, false
	}
	return float64(last.count-first.count) / took.Seconds(), true
}
