//go:build browser || pictures

package serve

import (
	"bytes"
	"fmt"
	"image/png"
	"net"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/qrcode"
)

// A watched game is followed on another screen: its QR code leads there, with the server's token, and shows each move.
func testFollowLink(t *testing.T, in pages, sc screen) {
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
	shot := must.Get(chromedp.Run(b.ctx, chromedp.Screenshot(".qr path:last-child")))(t) // without the round corners
	picture := must.Get(png.Decode(bytes.NewReader(shot)))(t)
	// Package qrcode decodes what it makes in its tests.
	rows, bounds := must.Get(qrcode.Rows(address))(t), picture.Bounds()
	for y, row := range rows {
		for x := range row {
			r, _, _, _ := picture.At(bounds.Min.X+(2*x+1)*bounds.Dx()/(2*len(row)), bounds.Min.Y+(2*y+1)*bounds.Dy()/(2*len(rows))).RGBA()
			if black := r < 0x8000; black != (row[x] == '1') {
				t.Fatalf("module %d of row %d of the QR code is black: %v", x, y, black)
			}
		}
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
		eventually(t, "the other screen shows the game", func() bool { return other.holds(fmt.Sprintf(`%s === %d`, moves, js[int](b, moves))) })
	}
	same()
	at := js[int](b, moves)
	b.press("n")
	b.until(fmt.Sprintf(`%s > %d`, moves, at))
	same()
	other.clean()
	b.clean()
}
