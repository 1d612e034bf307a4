package session

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/protocol"
)

// Requests that search or replay a game wait for a slot, and are refused if none becomes free.
func TestWaitingForASlot(t *testing.T) {
	const opening = `{"size":"3x3","seed":7,"moves":"Aw","move_count":1}`
	for _, x := range []struct{ method, params string }{
		{"analyze", `{"board":"2,2/0,4"}`},
		{"game.open", opening},
		{"game.open", `{"size":"3x3","seed":7,"spawn":"adversary"}`},
		{"review.open", ofRecord},
		{"review.show", strings.TrimSuffix(ofRecord, "}") + `,"move":1}`},
	} {
		synctest.Test(t, func(t *testing.T) {
			h, _ := slowHost(t, 0)
			h.searches = make(Slots, 1)
			c := newClient(t, h, new(shown))
			h.searches <- struct{}{} // another search
			begin := time.Now()
			_, err := c.Call(t.Context(), x.method, []byte(x.params))
			var known *protocol.Error
			if !errors.As(err, &known) || known.Code != protocol.CodeBusy || known.Message != "no search ended within 2m0s: try again later" || time.Since(begin) != loadTime {
				t.Errorf("%s: %v after %v", x.method, err, time.Since(begin))
			}
			does[protocol.GameState](t, c, "game.open", `{"seed":1}`) // a new game needs no slot
			begin = time.Now()
			go func() { time.Sleep(time.Second); <-h.searches }()
			if _, err := c.Call(t.Context(), x.method, []byte(x.params)); err != nil || time.Since(begin) != time.Second {
				t.Errorf("%s: %v after %v", x.method, err, time.Since(begin))
			}
		})
	}
}

// A search takes the free slots, and frees them again.
func TestMoreSlots(t *testing.T) {
	for _, c := range []struct{ slots, taken, want int }{{1, 1, 1}, {4, 1, 4}, {4, 3, 2}, {4, 4, 1}} {
		s := make(Slots, c.slots)
		for range c.taken {
			s <- struct{}{}
		}
		threads, done := s.takeFree()
		if threads != c.want || len(s) != c.taken+c.want-1 {
			t.Errorf("%+v: %d threads, %d slots taken", c, threads, len(s))
		}
		if done(); len(s) != c.taken {
			t.Errorf("%+v: %d slots taken after it", c, len(s))
		}
	}
}
