package session

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/protocol"
)

// A picture that waits for another one is given up in time, with advice for pictures.
func TestPictureTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := slowHost(t, 0)
		h.pictures <- struct{}{}
		c := newClient(t, h, nil)
		start := time.Now()
		_, err := c.Call(t.Context(), protocol.MethodPicture, []byte(`{"data":"AAAA"}`))
		const want = "picture.read: the picture was not read within 10s: use a smaller one, or try again later"
		if err == nil || err.Error() != want || time.Since(start) != 10*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}
