//go:build browser || pictures

package serve

import (
	"bytes"
	"fmt"
	"image/png"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/makiuchi-d/gozxing"
	zxing "github.com/makiuchi-d/gozxing/qrcode"
)

// A watched game is followed on another screen: its QR code leads there, with the server's token, and shows each move.
func testFollowLink(t *testing.T, in pages) {
	for _, sc := range append(in.windows(), screen{"landscape", 844, 390, true, true}) {
		t.Run(sc.name, func(t *testing.T) {
			s := newSite(t, Options{Token: house})
			b := open(t, in, s, sc, "?token="+house+"#watch")
			b.until(ready + ` && ` + moves + ` > 0`)
			b.click("Follow on another screen")
			b.until(`document.querySelector('dialog[open]')?.innerText.includes('--listen 0.0.0.0:2048')`) // it listens on loopback
			b.shot("follow-none")
			b.click("Close")

			here := s.server.at.Load().(*net.TCPAddr)
			s.server.at.Store(&net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: here.Port})
			b.click("Follow on another screen")
			b.until(`document.querySelector('dialog[open] .qr path')`)
			address := js[string](b, `document.querySelector('dialog[open] a').href`)
			id := address[strings.LastIndexByte(address, '/')+1:]
			if want := fmt.Sprintf("http://192.0.2.7:%d/?token=%s#watch/%s", here.Port, house, id); address != want || id == "" {
				t.Errorf("the address is %s, want %s", address, want)
			}
			b.shot("follow")
			shot, err := chromedp.Run(b.ctx, chromedp.Screenshot(".qr path:last-child")) // without the round corners
			if err != nil {
				t.Fatal(err)
			}
			picture, err := png.Decode(bytes.NewReader(shot))
			if err != nil {
				t.Fatal(err)
			}
			bits, err := gozxing.NewBinaryBitmapFromImage(picture)
			if err != nil {
				t.Fatal(err)
			}
			// The decoder's search for a code in a photograph fails for some codes. This picture is the code alone.
			pure := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true}
			if code, err := zxing.NewQRCodeReader().Decode(bits, pure); err != nil || code.GetText() != address {
				t.Errorf("the QR code is %v, %v, want %s", code, err, address)
			}
			b.until(`document.documentElement.scrollWidth <= innerWidth`)
			b.click("Close")

			_, path, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
			other := open(t, in, s, sc, path) // another device, without a cookie
			other.until(ready + ` && ` + moves + ` > 0 && document.body.innerText.includes('you can only watch')`)
			b.click("Pause")
			b.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Resume')`)
			same := func() { // a move may still arrive after Pause
				t.Helper()
				for begin := time.Now(); !other.holds(fmt.Sprintf(`%s === %d`, moves, js[int](b, moves))); time.Sleep(40 * time.Millisecond) {
					if time.Since(begin) > testTime {
						t.Fatal("the other screen does not show the game")
					}
				}
			}
			same()
			at := js[int](b, moves)
			b.press("n")
			b.until(fmt.Sprintf(`%s > %d`, moves, at))
			same()
			other.clean()
			b.clean()
		})
	}
}
