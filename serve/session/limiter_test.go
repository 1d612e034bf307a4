package session

import "testing"

// A search takes the free slots but for those it must leave, and frees them again.
func TestMoreSlots(t *testing.T) {
	for _, c := range []struct{ slots, taken, leave, want int }{
		{1, 1, 0, 1}, {1, 1, 1, 1}, {4, 1, 0, 4}, {4, 1, 1, 3}, {4, 3, 1, 1}, {4, 4, 0, 1},
	} {
		s := &searchLimiter{places: make(slots, c.slots)}
		for range c.taken {
			s.places <- struct{}{}
		}
		threads, done := s.more(c.leave)
		if threads != c.want || len(s.places) != c.taken+c.want-1 {
			t.Errorf("%+v: %d threads, %d slots taken", c, threads, len(s.places))
		}
		if done(); len(s.places) != c.taken {
			t.Errorf("%+v: %d slots taken after it", c, len(s.places))
		}
	}
}
